/** What a person does about jobs that wait: puts them in another order, and lets go on what was set aside. */
import { AppError } from '#contract/core/errors.ts';
import { isQuarantined, type Job } from '../jobRecord.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { countMove } from './counters.ts';
import type { JobRegistry } from '../jobRegistry.ts';
import type { JobStore } from '../ports.ts';
import type { CommitCallback } from '../../core/commits.ts';

export interface QueueAdmin {
  /** The first jobs that wait, in the order in which they are handed out. */
  first(endpointId: string, limit: number): Job[];
  /**
   * Puts a waiting job before another one of its endpoint, or at the end if `before` is null. It stays at that place
   * over a restart. BAD_REQUEST if one of them does not wait there, CONFLICT while the queue is purged.
   */
  move(job: Job, before: Job | null, settled: CommitCallback): void;
  /** Jobs that were running at too many crashes of the engine. */
  quarantined(): Job[];
  /** Has it tried again, as if the engine had never crashed. BAD_REQUEST where it is not set aside. */
  release(job: Job, settled: CommitCallback): void;
}

/** What a person must be told while jobs are set aside. */
export function setAsideNotice(jobs: readonly Job[]): string[] {
  if (jobs.length === 0) return [];
  const named = jobs.slice(0, 3).map(({ id, endpointId }) => `${id} of ${endpointId}`);
  const all = jobs.length > named.length ? [...named, `${jobs.length - named.length} more`] : named;
  const [were, they] = jobs.length === 1 ? ['A job was', 'It is'] : [`${jobs.length} jobs were`, 'They are'];
  return [
    `${were} running each time the engine crashed: ${all.join(', ')}. ${they} set aside and handed to no worker: release or cancel ${jobs.length === 1 ? 'it' : 'them'}.`,
  ];
}

export function createQueueAdmin(table: JobRegistry, store: JobStore, handOff: Dispatcher): QueueAdmin {
  function checkWaits(job: Job): void {
    if (job.status === 'IN_QUEUE' && job.isEnqueued && !isQuarantined(job)) return;
    const state = isQuarantined(job) && job.status === 'IN_QUEUE' ? 'set aside' : job.status;
    throw new AppError('BAD_REQUEST', `Only jobs that wait have a place in the queue; ${job.id} is ${state}.`);
  }

  return {
    first: (endpointId, limit) => table.queueOf(endpointId).first(limit),
    move(job, before, settled) {
      for (const one of before ? [job, before] : [job]) checkWaits(one);
      if (before && before.endpointId !== job.endpointId) {
        throw new AppError('BAD_REQUEST', `${before.id} is a job of another endpoint; it waits in a queue of its own.`);
      }
      const queue = table.queueOf(job.endpointId);
      if (queue.isPurging()) throw new AppError('CONFLICT', 'The queue is being purged. Its order no longer matters.');
      const moved = queue.move(job, before, () => store.nextSeq());
      let open = moved.length;
      let failure: unknown = null;
      if (open === 0) settled(null);
      for (const one of moved) {
        const stored = table.trackWrite(one, (error) => {
          failure ??= error;
          if (--open === 0) settled(failure);
        });
        store.update(one, stored);
      }
    },
    quarantined: () => [...table.queues()].flatMap((queue) => queue.quarantined()),
    release(job, settled) {
      if (job.status !== 'IN_QUEUE' || !isQuarantined(job)) {
        throw new AppError('BAD_REQUEST', 'This job is not set aside; there is nothing to release.');
      }
      const queue = table.queueOf(job.endpointId);
      countMove(queue.counters, job, 'IN_QUEUE', 'IN_PROGRESS');
      job.crashes = 0;
      countMove(queue.counters, job, 'IN_PROGRESS', 'IN_QUEUE');
      queue.putBack(job);
      store.update(job, table.trackWrite(job, settled));
      handOff.offer(job.endpointId);
    },
  };
}
