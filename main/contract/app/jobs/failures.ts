/** Failed jobs, as lists and Home name them. Without schemas: the first load of Home has this. */
import type { FailedJobs, LedgerStatus } from '../ledger.ts';

/** The states of a job that ended without a result, without those that a person cancelled or whose service forgot them. */
export const FAILED_STATUSES = ['FAILED', 'TIMED_OUT', 'REFUSED', 'UNANSWERED'] as const satisfies LedgerStatus[];

/** Identifies a group of failed jobs. */
export const failureKey = (group: Pick<FailedJobs, 'accountId' | 'endpointId' | 'headline'>): string =>
  `${group.accountId}/${group.endpointId} ${group.headline}`;

/** Stands for the groups that only their number is known of, beside the keys of groups. */
export const OTHER_FAILURES = 'others';

/** Stands for the jobs whose webhooks were not delivered, beside the keys of groups of failures. */
export const UNDELIVERED = 'webhooks';
