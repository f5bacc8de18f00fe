/** Words about the life of a job: why it has no id, and how it ended without being queued. */
import { NEVER_QUEUED, type JobMoments } from '#contract/app/jobs/times.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { formatWhen } from '../text/format.ts';
import { t } from '../../language/text.ts';

/** Why there is no id to show. */
export const noIdWords = ({ status }: Pick<LedgerEntry, 'status'>): string =>
  status === 'UNANSWERED'
    ? t`No id: no answer arrived`
    : status === 'SENDING'
      ? t`No id yet: it is being sent`
      : t`No id: the service did not accept it`;

/** Whether it waits, or was cancelled while it waited. */
export const hadNoWorker = ({ status, startedAt, workerId }: LedgerEntry): boolean =>
  (status === 'IN_QUEUE' || status === 'CANCELLED') && startedAt === null && (workerId ?? '') === '';

/** When and how a job ended that was not queued; null for all others. */
export function notQueuedWords({ status, sentAt, finishedAt }: JobMoments): string | null {
  if (!NEVER_QUEUED.has(status)) return null;
  const when = formatWhen(finishedAt ?? sentAt);
  return status === 'REFUSED' ? t`Refused at ${when}. It was never queued.` : t`No answer had arrived at ${when}.`;
}
