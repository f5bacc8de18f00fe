/** The errors for requests that get no worker. */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Affinity } from './affinity.ts';
import type { Member } from './member.ts';

const minutes = (ms: number): string => `${ms / 60_000} min`;

/**
 * Why none of these workers is ready, as sentences for the end of a message. `trouble`: the known obstacle, where there
 * is one.
 */
function whyNone(members: ReadonlyMap<string, Member>, trouble: string | null): string {
  for (const { worker, ready, watch } of members.values()) {
    const lastCheck = watch?.lastResult() ?? null;
    if (!ready && lastCheck !== null) return ` Worker ${worker.id} is not ready: its health check ${lastCheck}.`;
  }
  return trouble === null ? '' : ` ${trouble}`;
}

/** BAD_REQUEST: no worker was ready in time. */
export function waitTimedOut(
  affinity: Affinity | null,
  members: ReadonlyMap<string, Member>,
  trouble: () => string | null,
): AppError {
  const { workerWaitMs, strictWaitMs } = limits.balancing;
  const reason = affinity?.strict
    ? `worker ${affinity.workerId} was not ready within ${minutes(strictWaitMs)}.`
    : `none was ready within ${minutes(workerWaitMs)}.${whyNone(members, trouble())}`;
  return new AppError(
    'BAD_REQUEST',
    `Timed out waiting for a worker: ${reason} Nothing is queued; send the request again.`,
  );
}

/** NOT_FOUND: the worker that the request requires is gone. */
export const workerGone = ({ workerId }: Affinity): AppError =>
  new AppError(
    'NOT_FOUND',
    `affinity_worker_gone: there is no worker ${JSON.stringify(workerId)} any more. Send the request without "strict" and to whichever worker is free.`,
  );
