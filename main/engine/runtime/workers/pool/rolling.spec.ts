/** The replacement of workers after a change of their template or endpoint. */
import { expect, test } from 'vitest';
import { gpu, setUpPool, type Started } from '../../../../../test/support/workers/pool.ts';

const names = (started: readonly Started[]): string[] => started.map(({ templateName }) => templateName);

/** Creates this many ready workers of the first template, and a second template. */
async function serving(count: number, workersMax: number) {
  const pool = setUpPool({ workersMin: count, workersMax });
  await pool.poke();
  for (const worker of pool.started) await worker.ask();
  const second = pool.templates.create({ name: 'second', imageName: 'file:///handlers/second' });
  return {
    ...pool,
    async change(): Promise<void> {
      pool.endpoints.update(pool.endpoint.id, { templateId: second.id });
      await pool.poke();
    },
  };
}

test('with room for one more, a new worker is ready before the next old one goes', async () => {
  const { started, change } = await serving(2, 3);
  await change();
  expect(names(started)).toEqual(['first', 'first', 'second']);
  const [a, b, c] = started as [Started, Started, Started];
  expect([a.stopped, b.stopped]).toEqual([false, false]);
  await c.ask();
  expect([a.stopped, b.stopped].filter(Boolean)).toHaveLength(1);
  expect(names(started), 'the first has not gone yet').toHaveLength(3);
  const [gone, left] = a.stopped ? [a, b] : [b, a];
  await gone.end();
  expect(names(started)).toEqual(['first', 'first', 'second', 'second']);
  expect(left.stopped).toBe(false);
  await started[3]!.ask();
  expect(left.stopped).toBe(true);
});

test('without room an idle old one goes first; a busy one ends its job, and gets no other', async () => {
  const { started, change, submit, jobs } = await serving(2, 2);
  const job = await submit();
  const busy = started.find(({ id }) => id === job.workerId)!;
  const idle = started.find((worker) => worker !== busy)!;
  await change();
  expect([busy.stopped, idle.stopped]).toEqual([false, true]);
  await idle.end();
  expect(names(started)).toEqual(['first', 'first', 'second']);
  await started[2]!.ask();
  const next = await submit();
  expect(next.workerId).toBe(started[2]!.id);
  expect(busy.stopped).toBe(false);
  await busy.done(job);
  expect(jobs.get(job.id)?.status).toBe('COMPLETED');
  await started[2]!.done(next);
  await started[2]!.ask();
  expect(busy.stopped).toBe(true);
  await busy.end();
  expect(names(started)).toEqual(['first', 'first', 'second', 'second']);
});

test('the only worker that may be there ends its job on the old version, and the next job has the new one', async () => {
  const { started, change, submit } = await serving(1, 1);
  const job = await submit();
  const next = await submit();
  await change();
  await started[0]!.done(job);
  expect(await started[0]!.ask()).toBeNull();
  expect(started[0]!.stopped).toBe(true);
  await started[0]!.end();
  expect(names(started)).toEqual(['first', 'second']);
  expect(await started[1]!.ask()).toBe(next);
});

test('a further change while a new worker starts begins anew: nobody waits for one that is outdated already', async () => {
  const { started, change, endpoint, endpoints, poke } = await serving(1, 2);
  await change();
  expect(names(started)).toEqual(['first', 'second']);
  endpoints.bumpVersion(endpoints.get(endpoint.id));
  await poke();
  expect([started[0]!.stopped, started[1]!.stopped]).toEqual([false, true]);
  await started[1]!.end();
  expect(started).toHaveLength(3);
  await started[2]!.ask();
  expect(started[0]!.stopped).toBe(true);
});

test('a new version that keeps dying leaves the old workers at their work', async () => {
  const { started, change, pass, submit } = await serving(1, 2);
  await change();
  for (let deaths = 0; deaths < 3; deaths++) {
    await started.at(-1)!.end({ code: 1 });
    await pass(60_000);
  }
  expect(started[0]!.stopped).toBe(false);
  const job = await submit();
  expect(await started[0]!.ask()).toBe(job);
});

test('after a change of its files no old worker gets a job, not even while a new one starts', async () => {
  const { started, endpoint, endpoints, pool, poke, submit } = await serving(1, 2);
  endpoints.bumpVersion(endpoints.get(endpoint.id));
  pool.retireOutdated(endpoint.id);
  const job = await submit();
  expect(await started[0]!.ask()).toBeNull();
  await poke();
  expect(started[0]!.stopped).toBe(true);
  expect(await started[1]!.ask()).toBe(job);
});

test('workers of an endpoint that wants other GPUs are replaced; a change of its size replaces nobody', async () => {
  const { started, poke, endpoints, endpoint } = setUpPool(
    { workersMin: 1, workersMax: 2, gpuTypeIds: ['A'] },
    { gpus: [gpu('A', 0), gpu('B', 1)] },
  );
  await poke();
  await started[0]!.ask();
  endpoints.update(endpoint.id, { workersMax: 3, idleTimeout: 60, gpuTypeIds: ['A'] });
  await poke();
  expect(started).toHaveLength(1);
  endpoints.update(endpoint.id, { gpuTypeIds: ['B'] });
  await poke();
  expect(started[1]!.start.gpus).toMatchObject([{ typeId: 'B' }]);
  await started[1]!.ask();
  expect([started[0]!.stopped, started[1]!.stopped]).toEqual([true, false]);
});
