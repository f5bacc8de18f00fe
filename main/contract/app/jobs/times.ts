/**
 * How long a job waited and ran: its phases (queued, worker start, running) as lengths of time. Page, command line and
 * notifications all take them from here.
 */
import { isTerminal } from '../../api/job.ts';
import type { LedgerEntry } from '../ledger.ts';

export interface Phase {
  name: 'queued' | 'workerStart' | 'running';
  ms: number;
}

export type JobMoments = Pick<
  LedgerEntry,
  'status' | 'sentAt' | 'workerStartedAt' | 'startedAt' | 'finishedAt' | 'delayTime' | 'executionTime'
> &
  Partial<Pick<LedgerEntry, 'queuedAt'>>;

export const isOver = ({ status }: Pick<LedgerEntry, 'status'>): boolean =>
  isTerminal(status) || status === 'REFUSED' || status === 'UNANSWERED' || status === 'GONE';

/** Most services tell how long a job waited and ran, and not when it began. */
function beganAt({ status, sentAt, startedAt, delayTime, executionTime }: JobMoments): number | null {
  if (startedAt !== null || delayTime === null) return startedAt;
  const began = status === 'IN_PROGRESS' || status === 'COMPLETED' || (executionTime ?? 0) > 0;
  return began ? sentAt + delayTime : null;
}

/** Jobs that the service did not queue, or of which nobody knows whether it did. */
export const NEVER_QUEUED: ReadonlySet<JobMoments['status']> = new Set(['REFUSED', 'UNANSWERED']);

/**
 * Phases in order, without those that never began; none of a job that was not queued. `now` ends a phase that goes on.
 */
export function phasesOf(entry: JobMoments, now: number): Phase[] {
  if (NEVER_QUEUED.has(entry.status)) return [];
  const { workerStartedAt, finishedAt } = entry;
  // An attempt after a retry waits from then on.
  const askedAt = entry.queuedAt ?? entry.sentAt;
  const startedAt = beganAt({ ...entry, sentAt: askedAt });
  // The service counts `delayTime` from the moment at which it queued the job. Before that, the request was on its way.
  const sentAt = startedAt === null || entry.delayTime === null ? askedAt : startedAt - entry.delayTime;
  const over = isOver(entry);
  const known = Math.max(sentAt, workerStartedAt ?? 0, startedAt ?? 0);
  const end = Math.max(known, finishedAt ?? (over ? known : now));
  const start = startedAt === null ? end : Math.max(sentAt, startedAt);
  // A worker that began before the job was sent still made it wait only from then on.
  const waking = workerStartedAt === null ? start : Math.min(Math.max(sentAt, workerStartedAt), start);

  const phases: Phase[] = [{ name: 'queued', ms: waking - sentAt }];
  if (workerStartedAt !== null) phases.push({ name: 'workerStart', ms: start - waking });
  if (startedAt !== null)
    phases.push({ name: 'running', ms: over ? (entry.executionTime ?? end - start) : end - start });
  return phases;
}

/** Milliseconds of waiting and of running. Null for what has not begun or is not known, such as a phase that goes on unseen. */
export interface JobTimes {
  waited: number | null;
  ran: number | null;
}

/** `now` ends a phase that goes on; null: the entry is only the last known one, so nobody knows how long that phase is. */
export function timesOf(entry: JobMoments, now: number | null): JobTimes {
  const phases = phasesOf(entry, now ?? 0);
  const running = phases.find(({ name }) => name === 'running');
  const isUnseen = now === null && !isOver(entry);
  // A clock of a list is renewed rarely: a job that began since then has not run for 0 ms.
  const hasRun = running !== undefined && (isOver(entry) || running.ms > 0);
  const waits = phases.filter((phase) => phase !== running);
  const isUnknown = waits.length === 0 || (isUnseen && running === undefined);
  return {
    waited: isUnknown ? null : waits.reduce((sum, { ms }) => sum + ms, 0),
    ran: hasRun && !isUnseen ? running.ms : null,
  };
}
