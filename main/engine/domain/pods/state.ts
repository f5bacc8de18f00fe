/**
 * The desired status of a Pod and the events that change it. Every change of the status goes through this table. The reconciler
 * updates the container and never changes the status.
 *
 * - RUNNING     entered when the Pod is created, and by `start`; the container should run, and restarts when it ends by itself.
 *               Left by `stop`, `terminate`
 * - EXITED      entered by `stop`; the container and the volume stay, the GPUs are free. Left by `start`, `terminate`
 * - TERMINATED  entered by `terminate`; the Pod is deleted and stays listed for a while. Nothing leaves it
 *
 * `restart`, `reset` and `update` change the container and keep the status. A locked Pod refuses `stop`, `reset` and `terminate`.
 */
import { AppError } from '#contract/core/errors.ts';
import type { PodRecord } from './podInterfaces.ts';

export type DesiredStatus = PodRecord['desiredStatus'];
export type PodEvent = 'start' | 'stop' | 'restart' | 'reset' | 'update' | 'terminate';

/** The status of a new Pod. */
export const INITIAL_STATUS: DesiredStatus = 'RUNNING';

const transitions: Record<DesiredStatus, Partial<Record<PodEvent, DesiredStatus>>> = {
  RUNNING: {
    start: 'RUNNING',
    stop: 'EXITED',
    restart: 'RUNNING',
    reset: 'RUNNING',
    update: 'RUNNING',
    terminate: 'TERMINATED',
  },
  EXITED: { start: 'RUNNING', stop: 'EXITED', reset: 'EXITED', update: 'EXITED', terminate: 'TERMINATED' },
  TERMINATED: {},
};

/** The events that a locked Pod refuses, as words of a message. */
const refusedLocked: Partial<Record<PodEvent, string>> = {
  stop: 'stopped',
  reset: 'reset',
  terminate: 'deleted',
};

export const isLockedFor = ({ locked }: Pick<PodRecord, 'locked'>, event: PodEvent): boolean =>
  locked && refusedLocked[event] !== undefined;

/** The status after `event`; null where the event is invalid in this status. Ignores the lock. */
export function nextStatus(status: DesiredStatus, event: PodEvent): DesiredStatus | null {
  return transitions[status][event] ?? null;
}

/**
 * The status after `event`. Throws NOT_FOUND for a deleted Pod, BAD_REQUEST for a locked one and for an invalid event.
 */
export function requireNextStatus(
  pod: Pick<PodRecord, 'id' | 'name' | 'locked' | 'desiredStatus'>,
  event: PodEvent,
): DesiredStatus {
  const { id, name, desiredStatus } = pod;
  const who = `The Pod ${JSON.stringify(name)} (${id})`;
  if (desiredStatus === 'TERMINATED') throw new AppError('NOT_FOUND', `${who} was deleted.`);
  if (isLockedFor(pod, event)) {
    throw new AppError(
      'BAD_REQUEST',
      `${who} is locked, so it is not ${refusedLocked[event]}. Unlock it first: change its "locked" to false.`,
    );
  }
  const next = nextStatus(desiredStatus, event);
  if (next === null) throw new AppError('BAD_REQUEST', `${who} is stopped: start it instead.`);
  return next;
}

/**
 * The record after `event`, with a description of the change for a person. Throws as `requireNextStatus`.
 *
 * @param lastStatusChange The change and its time.
 */
export function changeStatus(pod: PodRecord, event: PodEvent, lastStatusChange: string): PodRecord {
  return { ...pod, desiredStatus: requireNextStatus(pod, event), lastStatusChange };
}
