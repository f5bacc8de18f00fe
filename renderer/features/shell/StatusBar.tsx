/** The status bar: the engine's address, whether its machine is paused, and the workers and queue of the chosen endpoint. */
import { UnstyledButton } from '@mantine/core';
import { Pause } from 'lucide-react';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import type { Health } from '#contract/api/job.ts';
import { useEngine } from '../../client/engine.ts';
import { useJobChanges } from '../../client/jobChanges.ts';
import { usePause } from '../../client/machine.ts';
import { orpc, useConnection } from '../../client/transport/orpc.ts';
import { toggleShortcuts } from '../../state/overlays.ts';
import { useRoute } from '../../state/route.ts';
import { formatRoute } from '../../state/routePath.ts';
import { lastEndpoint, useSelection } from '../../state/selection.ts';
import { CopyButton } from '../../ui/primitives/CopyButton.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { keyLabel } from '../../ui/primitives/shortcuts.ts';
import { pauseLine } from '../../ui/text/pauseLabels.ts';
import { engineWords, shortAddress } from './engineWords.ts';
import styles from './shell.module.css';

/** Workers also come and go without a job changing. */
const HEALTH_EVERY_MS = 5000;

export function StatusBar() {
  const status = useEngine((state) => state.status);
  const connected = useConnection((connection) => connection.state === 'open');
  const accountId = useSelection((selection) => selection.accountId);
  const { word, tone } = engineWords(status, connected);
  const address = connected ? status?.address : null;
  return (
    <footer className={styles.statusBar}>
      <span className={styles.statusEngine} data-testid="engine-status">
        <i className={styles.dot} data-tone={tone} aria-hidden />
        Engine {address ? shortAddress(address) : ''} {tone !== 'ok' && word}
        {address && <CopyButton text={address} what="address" size={18} />}
      </span>
      {connected && <PausedNote />}
      <EndpointHealth key={accountId} accountId={accountId} ready={connected && status?.state === 'ready'} />
      <UnstyledButton className={styles.statusKeys} onClick={toggleShortcuts}>
        {keyLabel('Mod+/')} shortcuts
      </UnstyledButton>
    </footer>
  );
}

/** Wherever one is: why nothing runs, and the way to let it go on. */
function PausedNote() {
  const pause = usePause();
  const line = pause && pauseLine(pause);
  if (line === null) return null;
  return (
    <a className={styles.statusPaused} href={formatRoute({ page: 'machine' })} title={pause?.message ?? undefined}>
      <Pause size={11} fill="currentColor" aria-hidden />
      {line}
    </a>
  );
}

function EndpointHealth({ accountId, ready }: { accountId: string; ready: boolean }) {
  const routed = useRoute((route) => (route.page === 'run' ? route.endpointId : null));
  const endpointId = routed ?? lastEndpoint(accountId);
  const health = useQuery(
    orpc.endpoints.health.queryOptions({
      input: endpointId === null || !ready ? skipToken : { accountId, endpointId },
      refetchInterval: HEALTH_EVERY_MS,
      placeholderData: keepPreviousData,
      retry: false,
    }),
  );
  useJobChanges((changed) => {
    if (ready && changed.some((entry) => entry.endpointId === endpointId))
      void health.refetch({ cancelRefetch: false });
  });
  if (!ready || !health.data) return null;
  return (
    <>
      <span>{workerWords(health.data.workers)}</span>
      <span>queue {formatCount(health.data.jobs.inQueue)}</span>
    </>
  );
}

function workerWords({ idle, running, initializing }: Health['workers']): string {
  const parts = [
    initializing > 0 && `${initializing} starting`,
    idle > 0 && `${idle} idle`,
    running > 0 && `${running} running`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return 'no worker';
  const all = idle + running + initializing;
  return `${all === 1 ? 'worker' : 'workers'} ${parts.join(', ')}`;
}
