/**
 * Two endpoints share the GPUs of a machine, in random histories of fast-check: the pool never breaks its rules, and
 * all work completes.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { gpu, setUpPool, type Started } from '../../../../../test/support/workers/pool.ts';
import type { Job } from '../../../domain/jobs/jobRecord.ts';

const step = fc.record({
  what: fc.constantFrom(
    'submit',
    'submit',
    'low',
    'ask',
    'ask',
    'done',
    'end',
    'die',
    'pass',
    'pass',
    'roll',
    'pause',
    'choose',
  ),
  who: fc.nat(20),
  ms: fc.constantFrom(0, 100, 1000, 4000, 31_000),
});
const lives = fc.record({
  gpuCount: fc.integer({ min: 0, max: 3 }),
  sharing: fc.boolean(),
  scalerType: fc.constantFrom('QUEUE_DELAY' as const, 'REQUEST_COUNT' as const),
  workersMin: fc.nat(1),
  workersMax: fc.integer({ min: 1, max: 3 }),
  steps: fc.array(step, { maxLength: 40 }),
});

test('never more workers than workersMax or GPUs, none for low priority alone, and in the end all is done and what is idle has gone', async () => {
  await fc.assert(
    fc.asyncProperty(lives, async ({ gpuCount, sharing, scalerType, workersMin, workersMax, steps }) => {
      const gpus = Array.from({ length: gpuCount }, (_, index) => gpu('NVIDIA A40', index));
      const size = { workersMin, workersMax, scalerType, scalerValue: 1, idleTimeout: 3 };
      const pool = setUpPool(size, { gpus });
      const { endpoints, endpoint, started, jobs, allocator, choices, pass, settle } = pool;
      const other = endpoints.create({ name: 'other', templateId: pool.template.id, ...size, workersMin: 0 });
      if (sharing) for (const { uuid } of gpus) choices[uuid] = { enabled: true, shared: true };
      await pool.poke();
      await pool.poke(other.id);
      const ended = new Set<Started>();
      const submitted: Job[] = [];
      let highOnOther = 0;
      const alive = (): Started[] => started.filter((worker) => !ended.has(worker));

      async function end(worker: Started, how?: { code: number }): Promise<void> {
        ended.add(worker);
        await worker.end(how);
      }
      const jobOf = (worker: Started): Job | undefined => [...(jobs.workers.get(worker.id)?.jobs ?? [])][0];
      async function ask(worker: Started): Promise<void> {
        // A waiting request is answered later.
        const asks = [...jobs.queueOf(worker.endpointId).parkedWorkers()].some(
          ({ workerId }) => workerId === worker.id,
        );
        if (!asks && !jobOf(worker) && !worker.stopped) await worker.ask();
      }
      async function done(worker: Started): Promise<void> {
        const job = jobOf(worker);
        if (job) await worker.done(job);
      }

      async function act({ what, who, ms }: (typeof steps)[number]): Promise<void> {
        const worker = alive()[who % Math.max(1, alive().length)];
        const at = who % 2 === 0 ? endpoint : other;
        if (what === 'submit' || what === 'low') {
          submitted.push(await pool.submit(at.id, what === 'low'));
          if (at === other && what === 'submit') highOnOther++;
        } else if (what === 'pass') await pass(ms);
        else if (what === 'roll') {
          endpoints.bumpVersion(at);
          await pool.poke(at.id);
        } else if (what === 'pause')
          await pool.pause(who % 3 === 0 ? 'paused' : who % 3 === 1 ? 'finishing' : 'running');
        else if (what === 'choose' && gpus.length > 0) {
          choices[gpus[who % gpus.length]!.uuid] = { enabled: who % 3 > 0, shared: sharing };
          allocator.choicesChanged();
          await settle();
        } else if (worker) {
          if (what === 'ask') await ask(worker);
          if (what === 'done') await done(worker);
          if (what === 'end' && worker.stopped) await end(worker);
          if (what === 'die') await end(worker, { code: 1 });
        }
      }

      function check(): void {
        for (const { id } of [endpoint, other]) {
          expect(alive().filter(({ endpointId }) => endpointId === id).length).toBeLessThanOrEqual(workersMax);
        }
        if (highOnOther === 0) expect(started.filter(({ endpointId }) => endpointId === other.id)).toEqual([]);
        for (const { uuid, heldBy, shared } of allocator.list()) {
          const holders = alive().filter(({ start }) => start.gpus.some((one) => one.uuid === uuid));
          expect(heldBy.map((one) => ('workerId' in one ? one.workerId : one.podId)).sort()).toEqual(
            holders.map(({ id }) => id).sort(),
          );
          if (!shared) expect(heldBy.length, `holders of ${uuid}`).toBeLessThanOrEqual(1);
        }
        if (gpus.length > 0) for (const { start } of alive()) expect(start.gpus).toHaveLength(1);
      }

      for (const one of steps) {
        await act(one);
        check();
      }

      // From here on nothing fails: all work completes, and then unnecessary workers stop.
      for (const { uuid } of gpus) choices[uuid] = { enabled: true, shared: sharing };
      allocator.choicesChanged();
      await pool.pause('running');
      highOnOther++;
      for (const { id } of [endpoint, other]) submitted.push(await pool.submit(id));
      const isOver = ({ status }: Job): boolean => status === 'COMPLETED' || status === 'FAILED';
      for (let round = 0; round < 200 && !submitted.every(isOver); round++) {
        for (const worker of alive()) {
          await done(worker);
          if (worker.stopped) await end(worker);
          else await ask(worker);
          check();
        }
        await pass(round % 10 === 9 ? limits.gpuTurnMs : 1000);
      }
      expect(submitted.filter((job) => !isOver(job)).map(({ id, status }) => `${id} ${status}`)).toEqual([]);
      for (let round = 0; round < 12; round++) {
        for (const worker of alive()) {
          await done(worker);
          if (worker.stopped) await end(worker);
          else await ask(worker);
        }
        await pass(1000);
        check();
      }
      const left = alive().filter(({ stopped }) => !stopped);
      expect(left.filter(({ endpointId }) => endpointId === other.id)).toEqual([]);
      expect(left.length).toBe(workersMin);
    }),
    { numRuns: 150 },
  );
});
