/** Banners over every page: the app or the engine is not reachable, or Hangar found problems at its start. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { THIS_MACHINE, type EngineStatus } from '#contract/app/account.ts';
import { useTarget } from '../../client/accounts.ts';
import { useCrashes } from '../../client/crashes.ts';
import { isEngineAway, useEngine } from '../../client/engine.ts';
import { reconnectNow, useConnection } from '../../client/transport/orpc.ts';
import { useUpdates } from '../../client/updates.ts';
import { formatDuration, formatTime } from '../../ui/text/format.ts';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { RestartButton } from '../../ui/domain/RestartButton.tsx';
import { lazyPart } from '../../ui/primitives/lazyPart.ts';
import { useNow } from '../../ui/primitives/useNow.ts';
import { AccountBanner } from './AccountBanner.tsx';
import { t } from '../../language/text.ts';

const TICK_MS = 500;

// Both are rare, and the first load of the page is small.
const CrashBanners = lazyPart(async () => ({ default: (await import('./CrashBanner.tsx')).CrashBanners }));
const UpdateBanner = lazyPart(async () => ({ default: (await import('./UpdateBanner.tsx')).UpdateBanner }));

export function Banners() {
  const connection = useConnection((status) => status.state);
  const engine = useEngine((state) => state.status);
  const { account, accountId } = useTarget();
  // A page of another account works without the engine of this computer.
  const needsEngine = accountId === THIS_MACHINE;
  if (connection === 'lost') return <LostBanner />;
  if (connection === 'open' && needsEngine && engine !== null && isEngineAway(engine)) {
    return (
      <>
        <EngineBanner engine={engine} />
        {/* During a restart one notice is enough. */}
        {engine.state === 'failed' && <CrashNotices />}
      </>
    );
  }
  return (
    <>
      <CrashNotices />
      {engine !== null && <FoundBanner notices={engine.notices} />}
      <UpdateNotice />
      {account !== null && accountId !== THIS_MACHINE && <AccountBanner account={account} />}
    </>
  );
}

function CrashNotices() {
  const hasCrashed = useCrashes((state) => state.notices.length > 0);
  return hasCrashed && <CrashBanners />;
}

function UpdateNotice() {
  const hasUpdate = useUpdates(({ status }) => status !== null && status.state !== 'idle');
  return hasUpdate && <UpdateBanner />;
}

/** Damaged data of the app or the engine, or jobs that were set aside; shown until the person dismisses it. */
function FoundBanner({ notices }: { notices: readonly string[] }) {
  const [read, setRead] = useState(0);
  if (notices.length <= read) return null;
  return (
    <Notice
      tone="bad"
      title={t`Hangar found problems at its start.`}
      action={<Button size="xs" variant="default" onClick={() => setRead(notices.length)}>{t`Dismiss`}</Button>}
    >
      {notices.slice(read).join(' ')}
    </Notice>
  );
}

function LostBanner() {
  const everConnected = useConnection((status) => status.generation > 0);
  return (
    <Notice
      tone="bad"
      title={t`Connection to Hangar lost, trying again.`}
      action={<Button size="xs" variant="default" onClick={reconnectNow}>{t`Try now`}</Button>}
    >
      {everConnected
        ? t`You see the last known data. This page reconnects automatically when Hangar runs again.`
        : t`Is Hangar still running? Its terminal shows the address to open.`}
    </Notice>
  );
}

const titles: Record<Exclude<EngineStatus['state'], 'ready'>, string> = {
  starting: t`The engine is starting.`,
  restarting: t`The engine stopped and is restarting.`,
  stopped: t`The engine is stopped.`,
  failed: t`The engine could not be started.`,
};

function EngineBanner({ engine }: { engine: EngineStatus }) {
  const now = useNow(engine.nextTryAt === null ? null : TICK_MS);
  if (engine.state === 'ready') return <SilentBanner since={engine.silentSince} />;
  const next = engine.nextTryAt === null ? null : Math.max(0, engine.nextTryAt - now);
  return (
    <Notice
      tone={engine.state === 'failed' ? 'bad' : 'wait'}
      title={titles[engine.state]}
      action={engine.state === 'starting' ? undefined : <RestartButton />}
    >
      {engine.reason} {next !== null && next > 0 && t`Next try in ${formatDuration(next)}.`}
    </Notice>
  );
}

/** The process of the engine is there, but hangs. */
function SilentBanner({ since }: { since: number | null }) {
  if (since === null) return null;
  return (
    <Notice tone="wait" title={t`The engine does not answer.`} action={<RestartButton />}>
      {t`No answer since ${formatTime(since)}. You see the last known data.`}
    </Notice>
  );
}
