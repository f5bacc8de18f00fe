/**
 * Why a job waits, or waited: for an endpoint whose workers crash with their last output, for a paused one with the
 * button that resumes it, and with the way to it.
 */
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { isOver } from '#contract/app/jobs/times.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useKnownAccounts } from '../../client/accounts.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { EndpointTrouble } from '../endpoint/EndpointTrouble.tsx';
import { isPaused } from '../text/endpointState.ts';
import { withFieldLabels } from '../text/fieldLabels.ts';
import { linkedNames } from '../endpoint/linkedNames.tsx';
import styles from './job.module.css';
import { t } from '../../language/text.ts';

/** How often the endpoint is asked again, in milliseconds; another machine counts each request against a rate. */
const POLL_MS = { here: 2000, elsewhere: 10_000 };

/**
 * The endpoint on which the job waits, if its workers crash or it is paused; undefined otherwise. A cloud does not say why
 * a job waits, so its endpoint is asked in any case.
 */
function useObstructedEndpoint({ accountId, endpointId, status, waiting }: LedgerEntry) {
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
  if (!row || !(isPaused(row) || row.readiness?.trouble)) return undefined;
  return { accountId, row, pause: data?.pause ?? null };
}

export function WaitReason({ entry }: { entry: LedgerEntry }) {
  const over = isOver(entry);
  const obstructed = useObstructedEndpoint(entry);
  if (obstructed) {
    return (
      <div className={styles.crashing}>
        <EndpointTrouble {...obstructed} atJob />
      </div>
    );
  }
  if (entry.waiting === null) return null;
  return (
    <p className={styles.waiting}>
      <strong>{over ? t`It waited:` : t`Waiting:`}</strong>{' '}
      {linkedNames(entry.accountId, withFieldLabels(entry.waiting))}
    </p>
  );
}
