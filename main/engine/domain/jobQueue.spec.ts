/** The order of a queue, and which of its jobs calls for a worker. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Job } from './job.ts';
import { createJob } from './jobInMemory.ts';
import { createJobQueue, type JobQueue } from './jobQueue.ts';

function job(seq: number, lowPriority: boolean): Job {
  const terms = { retentionMs: 0, executionTimeoutMs: 0, lowPriority, webhook: null, ttlMs: 0 };
  return createJob({ seq, id: String(seq), endpointId: 'e', submittedAt: 0, ...terms }, null);
}

/** Takes jobs out until one comes that calls for a worker. */
function nextCalling(queue: JobQueue): Job | undefined {
  for (;;) {
    const next = queue.shift();
    if (next === undefined || !next.lowPriority) return next;
  }
}

test('the first job that calls for a worker is the first to be handed out that is not of low priority', () => {
  const step = fc.record({
    what: fc.constantFrom('push', 'pushLow', 'shift', 'cancel', 'back', 'behind', 'look'),
    n: fc.nat(2500),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const queue = createJobQueue();
      const out: Job[] = [];
      const all: Job[] = [];
      for (const { what, n } of steps) {
        const calling = what === 'look' ? queue.firstCalling() : undefined;
        if (what === 'push' || what === 'pushLow') {
          // Many at a time, so that what was taken is cleared away now and then.
          for (let count = 0; count < n; count++) {
            all.push(job(all.length, what === 'pushLow'));
            queue.push(all.at(-1)!);
          }
        } else if (what === 'shift') {
          for (let count = 0; count < n; count++) {
            const taken = queue.shift();
            if (taken) out.push(taken);
          }
        } else if (what === 'cancel' && all[n]) all[n].status = 'CANCELLED';
        else if (what === 'back' && out.length > 0) queue.putBack(out.pop()!);
        else if (what === 'behind' && out.length > 0) queue.putBehind(out.pop()!);
        if (calling) expect(calling).toMatchObject({ status: 'IN_QUEUE', lowPriority: false });
      }
      const calling = queue.firstCalling();
      expect(nextCalling(queue)).toBe(calling);
    }),
  );
});

test('it is still found when what was handed out before it is cleared away', () => {
  const queue = createJobQueue();
  for (let seq = 0; seq < 2200; seq++) queue.push(job(seq, seq < 1200));
  expect(queue.firstCalling()?.seq).toBe(1200);
  for (let count = 0; count < 1150; count++) queue.shift();
  expect(queue.firstCalling()?.seq).toBe(1200);
});
