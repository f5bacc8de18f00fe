/** The status bar: the engine's address, the pause of its machine, and the workers and queue of the target. */
import { UnstyledButton } from '@mantine/core';
import { Pause } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { useTarget } from '../../client/accounts.ts';
import { useAway } from '../../client/away.ts';
import { useIsPushed } from '../../client/changes/pushed.ts';
import { useEngine } from '../../client/engine.ts';
import { useJobChanges } from '../../client/jobs/jobChanges.ts';
import { useRunningJobs } from '../../client/jobs/runningJobs.ts';
import { usePause } from '../../client/machine.ts';
import { useLiveView } from '../../client/transport/live.ts';
import { orpc, useConnection } from '../../client/transport/orpc.ts';
import { toggleShortcuts } from '../../state/overlays.ts';
import { formatRoute } from '../../state/routePath.ts';
import { CopyButton } from '../../ui/primitives/CopyButton.tsx';
import { formatCount, formatMoment } from '../../ui/text/format.ts';
import { keyLabel } from '../../ui/keyboard/shortcuts.ts';
import { useNow } from '../../ui/primitives/useNow.ts';
import { pauseLine } from '../../ui/text/pauseLabels.ts';
import { workerWords } from '../../ui/text/workerWords.ts';
import { engineWords, shortAddress } from './engineWords.ts';
import styles from './shell.module.css';
import { rich, t } from '../../language/text.ts';

/** Interval of the polls: workers also change without a change of a job. */
const EVERY_MS = 5000;
const MINUTE_MS = 60_000;
/** The same for a cloud, which limits its requests. */
const CLOUD_EVERY_MS = 30_000;

type Health = NonNullable<EndpointRow['health']>;

export function StatusBar() {
  const status = useEngine((state) => state.status);
  const connection = useConnection(({ state }) => state);
  const connected = connection === 'open';
  const { accountId, spends, title } = useTarget();
  const { word, tone } = engineWords(status, connection);
  const address = connected ? status?.address : null;
  return (
    <footer className={styles.statusBar}>
      <span className={styles.statusEngine} data-testid="engine-status">
        <i className={styles.dot} data-tone={tone} aria-hidden />
        {rich`Engine ${address && <span className={styles.statusAddress}>{shortAddress(address)}</span>}`}{' '}
        {tone !== 'ok' && word}
        {address && (
          <span className={styles.statusAddress}>
            <CopyButton text={address} label={t`Copy address`} size={18} />
          </span>
        )}
      </span>
      {connected && <PausedNote />}
      <Totals
        key={accountId}
        accountId={accountId}
        spends={spends}
        // The engine beside it is that of this computer.
        target={accountId === THIS_MACHINE ? null : title}
      />
      <UnstyledButton
        className={styles.statusKeys}
        onClick={toggleShortcuts}
      >{t`${keyLabel('Mod+/')} shortcuts`}</UnstyledButton>
    </footer>
  );
}

/** The reason of a pause on every page, with a link to resume. */
function PausedNote() {
  const pause = usePause();
  const now = useNow(MINUTE_MS);
  const line = pause && pauseLine(pause, now);
  if (line === null) return null;
  return (
    <a className={styles.statusPaused} href={formatRoute({ page: 'machine' })} title={pause?.message ?? undefined}>
      <Pause size={11} fill="currentColor" aria-hidden />
      <span>{line}</span>
    </a>
  );
}

interface TotalsProps {
  accountId: string;
  spends: boolean;
  /** The name of another target than this computer. */
  target: string | null;
}

/** Workers and queue of all endpoints of the target; dimmed while they may be outdated. */
function Totals({ accountId, spends, target }: TotalsProps) {
  const isPushed = useIsPushed(accountId);
  const query = useQuery(
    orpc.endpoints.now.queryOptions({
      input: { accountId },
      refetchInterval: isPushed ? false : spends ? CLOUD_EVERY_MS : EVERY_MS,
      retry: false,
    }),
  );
  const { now, at, problem } = useLiveView(query);
  const away = useAway();
  const runningJobs = useRunningJobs(accountId);
  useJobChanges((changed) => {
    if (!spends && !isPushed && changed.some((entry) => entry.accountId === accountId))
      void query.refetch({ cancelRefetch: false });
  });
  const healths = now?.rows.flatMap(({ health }) => health ?? []);
  if (healths === undefined || healths.length === 0) return null;
  const sum = (count: (health: Health) => number): number =>
    healths.reduce((total, health) => total + count(health), 0);
  const words = workerWords(
    {
      idle: sum(({ workers }) => workers.idle),
      running: sum(({ workers }) => workers.running),
      initializing: sum(({ workers }) => workers.initializing),
    },
    Math.max(
      runningJobs,
      sum(({ jobs }) => jobs.inProgress),
    ),
  );
  const queue = t`queue ${formatCount(sum(({ jobs }) => jobs.inQueue))}`;
  const isStale = problem !== null || away !== null;
  return (
    <span
      className={styles.statusTotals}
      data-stale={isStale || undefined}
      title={isStale ? t`As of ${formatMoment(at)}. ${problem ?? ''}` : t`All endpoints of this account`}
    >
      {target !== null && <b title={target}>{target}</b>}
      {isStale && <span>{t`Last known:`}</span>}
      <span>{words}</span>
      <span>{queue}</span>
    </span>
  );
}
