/**
 * Why a job waits, or waited: for an endpoint whose workers crash with their last output, for a paused one or a paused
 * machine with the button that resumes it, and with the way to it.
 */
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { isOver } from '#contract/app/jobs/times.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { PauseState } from '#contract/local/machine.ts';
import { useKnownAccounts } from '../../client/accounts.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { usePausing } from '../../client/machine.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { EndpointTrouble } from '../endpoint/EndpointTrouble.tsx';
import { isPaused } from '../text/endpointState.ts';
import { resumeLabel } from '../text/pauseLabels.ts';
import { RouteLink } from '../primitives/RouteLink.tsx';
import { isLimited, waitPlace, waitReason } from './list/waitText.ts';
import { linkedNames } from '../endpoint/linkedNames.tsx';
import styles from './job.module.css';
import { t } from '../../language/text.ts';

/** How often the endpoint is asked again, in milliseconds; another machine counts each request against a rate. */
const POLL_MS = { here: 2000, elsewhere: 10_000 };

/**
 * The endpoint on which the job waits, if its workers crash or it is paused, and undefined otherwise; and the pause of
 * its machine. A cloud does not say why a job waits, so its endpoint is asked in any case.
 */
function useObstacle({ accountId, endpointId, status, waiting }: LedgerEntry) {
  const isCloud = useKnownAccounts()?.find(({ id }) => id === accountId)?.kind === 'cloud';
  const refetchInterval = useStatePollMs(accountId, accountId === THIS_MACHINE ? POLL_MS.here : POLL_MS.elsewhere);
  const { data } = useQuery(
    orpc.endpoints.now.queryOptions({
      input: { accountId },
      enabled: status === 'IN_QUEUE' && (isCloud || waiting !== null),
      refetchInterval,
      retry: false,
    }),
  );
  const row = status === 'IN_QUEUE' ? data?.rows.find(({ id }) => id === endpointId) : undefined;
  const isObstructed = row !== undefined && (isPaused(row) || row.readiness?.trouble != null);
  return { row: isObstructed ? row : undefined, pause: status === 'IN_QUEUE' ? (data?.pause ?? null) : null };
}

function ResumeMachine({ accountId, pause }: { accountId: string; pause: PauseState }) {
  const { resume } = usePausing(accountId);
  return (
    <Anchor component="button" type="button" fz="inherit" disabled={resume.isPending} onClick={() => resume.mutate()}>
      {resumeLabel(pause)}
    </Anchor>
  );
}

export function WaitReason({ entry }: { entry: LedgerEntry }) {
  const over = isOver(entry);
  const { row, pause } = useObstacle(entry);
  const { accountId, endpointId, waiting } = entry;
  if (row) {
    return (
      <div className={styles.crashing}>
        <EndpointTrouble accountId={accountId} row={row} pause={pause} atJob />
      </div>
    );
  }
  if (waiting === null) return null;
  // The place of a job that is over says nothing.
  const place = over ? null : waitPlace(waiting);
  return (
    <p className={styles.waiting}>
      <strong>{over ? t`Why it waited last:` : t`Waiting:`}</strong> {place !== null && `${place} · `}
      {linkedNames(accountId, waitReason(waiting))}{' '}
      {!over && isLimited(waiting) && (
        <RouteLink accountId={accountId} to={{ page: 'endpoints', endpointId, tab: 'settings' }}>
          {t`Change it`}
        </RouteLink>
      )}
      {pause?.state === 'paused' && <ResumeMachine accountId={accountId} pause={pause} />}
    </p>
  );
}
