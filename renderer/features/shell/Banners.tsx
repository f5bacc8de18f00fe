/** What concerns the whole page: the app is away, the engine is, or it found something at its start. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { THIS_MACHINE, type EngineStatus } from '#contract/app/account.ts';
import { useTarget } from '../../client/accounts.ts';
import { useEngine } from '../../client/engine.ts';
import { reconnectNow, useConnection } from '../../client/transport/orpc.ts';
import { formatDuration } from '../../ui/text/format.ts';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { RestartButton } from '../../ui/domain/RestartButton.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { AccountBanner } from './AccountBanner.tsx';

const TICK_MS = 500;

export function Banners() {
  const connection = useConnection((status) => status.state);
  const engine = useEngine((state) => state.status);
  const { account, accountId } = useTarget();
  // A page of another account goes on without the engine of this computer.
  const needsEngine = accountId === THIS_MACHINE;
  if (connection === 'lost') return <LostBanner />;
  if (connection === 'open' && needsEngine && engine !== null && engine.state !== 'ready')
    return <EngineBanner engine={engine} />;
  return (
    <>
      {engine !== null && <FoundBanner notices={engine.notices} />}
      {account !== null && accountId !== THIS_MACHINE && <AccountBanner account={account} />}
    </>
  );
}

/** Damage to its data, or jobs that it set aside; shown until the person has read it. */
function FoundBanner({ notices }: { notices: readonly string[] }) {
  const [read, setRead] = useState(0);
  if (notices.length <= read) return null;
  return (
    <Notice
      tone="bad"
      title="The engine found something at its start."
      action={
        <Button size="xs" variant="default" onClick={() => setRead(notices.length)}>
          Dismiss
        </Button>
      }
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
      title="Connection to Hangar lost, trying again."
      action={
        <Button size="xs" variant="default" onClick={reconnectNow}>
          Try now
        </Button>
      }
    >
      {everConnected
        ? 'What you see is the last that came. If Hangar was started anew, open the address that it printed.'
        : 'Is Hangar still running? Its terminal shows the address to open.'}
    </Notice>
  );
}

const titles: Record<Exclude<EngineStatus['state'], 'ready'>, string> = {
  starting: 'The engine is starting.',
  restarting: 'The engine stopped and is being started again.',
  stopped: 'The engine is stopped.',
  failed: 'The engine could not be started.',
};

function EngineBanner({ engine }: { engine: EngineStatus }) {
  const now = useNow(engine.nextTryAt === null ? null : TICK_MS);
  if (engine.state === 'ready') return null;
  const next = engine.nextTryAt === null ? null : Math.max(0, engine.nextTryAt - now);
  return (
    <Notice
      tone={engine.state === 'failed' ? 'bad' : 'wait'}
      title={titles[engine.state]}
      action={engine.state === 'starting' ? undefined : <RestartButton />}
    >
      {engine.reason} {next !== null && next > 0 && `Next try in ${formatDuration(next)}.`}
    </Notice>
  );
}
