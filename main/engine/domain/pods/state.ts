/**
 * What a Pod is meant to be, and what changes that.
 *
 * RUNNING: its container is to run; one that ends by itself is started again. EXITED: stopped, with its container and its volume
 * kept and its GPUs free. TERMINATED: deleted, told of for a while; nothing leads out of it.
 */
import { AppError } from '#contract/core/errors.ts';
import type { PodRecord } from './podInterfaces.ts';

export type DesiredStatus = PodRecord['desiredStatus'];
export type PodChange = 'start' | 'stop' | 'restart' | 'reset' | 'update' | 'terminate';

const table: Record<PodChange, Partial<Record<DesiredStatus, DesiredStatus>>> = {
  start: { RUNNING: 'RUNNING', EXITED: 'RUNNING' },
  stop: { RUNNING: 'EXITED', EXITED: 'EXITED' },
  restart: { RUNNING: 'RUNNING' },
  reset: { RUNNING: 'RUNNING', EXITED: 'EXITED' },
  update: { RUNNING: 'RUNNING', EXITED: 'EXITED' },
  terminate: { RUNNING: 'TERMINATED', EXITED: 'TERMINATED' },
};

/** What a locked Pod refuses, in words. */
const refusedLocked: Partial<Record<PodChange, string>> = {
  stop: 'stopped',
  reset: 'reset',
  terminate: 'deleted',
};

export const isLockedFor = ({ locked }: PodRecord, change: PodChange): boolean =>
  locked && refusedLocked[change] !== undefined;

/** The status after `change`. NOT_FOUND for a deleted Pod, BAD_REQUEST for an impossible change. */
export function statusAfter(pod: PodRecord, change: PodChange): DesiredStatus {
  const { id, name, desiredStatus } = pod;
  const who = `The Pod ${JSON.stringify(name)} (${id})`;
  if (desiredStatus === 'TERMINATED') throw new AppError('NOT_FOUND', `${who} was deleted.`);
  if (isLockedFor(pod, change)) {
    throw new AppError(
      'BAD_REQUEST',
      `${who} is locked, so it is not ${refusedLocked[change]}. Unlock it first: change its "locked" to false.`,
    );
  }
  const next = table[change][desiredStatus];
  if (next === undefined) throw new AppError('BAD_REQUEST', `${who} is stopped: start it instead.`);
  return next;
}
