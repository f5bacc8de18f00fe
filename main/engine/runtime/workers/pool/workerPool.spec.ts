/** When the pool starts workers, and when it does not. The test moves the clock, and the driver starts no processes. */
import { expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { setUpPool } from '../../../../../test/support/workers/pool.ts';
import { startDelayMs } from '../../../domain/autoscaling/scaling.ts';
import type { WorkerChange, WorkerEnd } from '../../../domain/autoscaling/workerEvents.ts';

const one = { workersMin: 1 };

test('a driver that cannot find out whether it can run takes nothing down: the endpoint says why, and it is tried again', async () => {
  const { pass, available, started, submit, pool } = setUpPool();
  available(() => Promise.reject(new Error('the disk does not answer')));
  const job = await submit();
  expect(started).toHaveLength(0);
  expect(pool.waiting(job)).toMatchObject({ code: 'cannot-run' });
  expect(pool.waiting(job).message).toContain('the disk does not answer');
  available(() => Promise.resolve(null));
  await pass(limits.startAgainMs);
  expect(started).toHaveLength(1);
});

test('the first job has a worker at once, the others once one has waited scalerValue seconds, and what is idle goes', async () => {
  const { started, submit, pass, there, clock } = setUpPool({ workersMax: 2, scalerValue: 2, idleTimeout: 3 });
  for (let jobs = 0; jobs < 3; jobs++) await submit();
  expect(started).toHaveLength(1);
  const first = await started[0]!.ask();
  await pass(1999);
  expect(started).toHaveLength(1);
  await pass(1);
  expect(started).toHaveLength(2);
  const second = await started[1]!.ask();
  await started[0]!.done(first!);
  const third = await started[0]!.ask();
  await started[0]!.done(third!);
  await started[1]!.done(second!);
  await pass(2999);
  expect(there()).toHaveLength(2);
  await pass(1);
  expect(there()).toEqual([]);
  for (const worker of started) await worker.end();
  expect(clock.pending(), 'an engine with nothing to do has no timer but those of its jobs').toBe(2);
});

test('low-priority jobs start no worker, and are done by one that is there', async () => {
  const { started, submit, endpoint, pool, jobs } = setUpPool();
  const low = await submit(endpoint.id, true);
  expect(started).toHaveLength(0);
  expect(pool.waiting(low).code).toBe('low-priority');
  await submit();
  expect(started).toHaveLength(1);
  const taken = await started[0]!.ask();
  expect(jobs.get(taken!.id)?.lowPriority).toBe(true);
});

test('fault 16: workers that die before they have finished anything are started again after longer and longer waits', async () => {
  const { started, pass, poke } = setUpPool(one);
  await poke();
  for (let deaths = 1; deaths <= 8; deaths++) {
    expect(started).toHaveLength(deaths);
    await started.at(-1)!.end({ code: 1 });
    const waitMs = startDelayMs(deaths - 1);
    if (waitMs > 0) {
      await pass(waitMs - 1);
      expect(started, `not sooner than ${waitMs} ms after death ${deaths}`).toHaveLength(deaths);
    }
    await pass(1);
  }
});

test('fault 16: a worker that finished a job before it died is replaced at once, however many died before', async () => {
  const { started, pass, poke, jobs } = setUpPool(one);
  await poke();
  for (let deaths = 0; deaths < 4; deaths++) {
    await started.at(-1)!.end({ code: 1 });
    await pass(60_000);
  }
  const last = started.at(-1)!;
  jobs.workers.get(last.id)!.finished = 1;
  await last.end({ code: 1 });
  expect(started).toHaveLength(6);
});

test('one that dies again and again is backed off from beside another that works all the time', async () => {
  const { started, submit, pass, poke } = setUpPool({ workersMin: 2 });
  await poke();
  const works = started[0]!;
  await started[1]!.end({ code: 1 });
  for (const waitMs of [startDelayMs(1), startDelayMs(2), startDelayMs(3)]) {
    const count = started.length;
    await started.at(-1)!.end({ code: 1 });
    await submit();
    await works.done((await works.ask())!);
    await pass(waitMs - 1);
    expect(started).toHaveLength(count);
    await pass(1);
    expect(started).toHaveLength(count + 1);
  }
});

test('an endpoint whose workers keep dying is in trouble, with the last lines; a corrected template is tried at once', async () => {
  const { started, pass, poke, pool, endpoint, endpoints } = setUpPool(one);
  await poke();
  expect(pool.diagnose(endpoint.id).trouble).toBeNull();
  for (let deaths = 0; deaths < 3; deaths++) {
    await started.at(-1)!.end({ code: 3, lastLines: ['loading', 'no such module'] });
    if (deaths < 2) await pass(60_000);
  }
  expect(pool.diagnose(endpoint.id).trouble).toEqual({
    deaths: 3,
    reason: 'exit code 3; last output: no such module',
    onStart: true,
    lastLines: ['loading', 'no such module'],
    nextTryAt: new Date(1_800_000_000_000 + 120_000 + startDelayMs(2)).toISOString(),
  });
  expect(pool.counts(endpoint.id)).toMatchObject({ unhealthy: 1 });
  expect(started).toHaveLength(3);
  endpoints.bumpVersion(endpoint);
  await poke();
  expect(started).toHaveLength(4);
  expect(pool.diagnose(endpoint.id).trouble).toBeNull();
  expect(pool.counts(endpoint.id)).toMatchObject({ unhealthy: 0, initializing: 1 });
});

test('a worker that ends from outside is replaced at once, and later each time where that goes on', async () => {
  const { started, pass, poke, pool, endpoint } = setUpPool(one);
  await poke();
  const crash = () =>
    started.at(-1)!.end({ code: null, startError: 'the container engine crashed', endedFromOutside: true });
  for (let ends = 1; ends <= limits.outsideEndsIgnored; ends++) {
    await crash();
    expect(started).toHaveLength(ends + 1);
    expect(pool.diagnose(endpoint.id).trouble).toBeNull();
  }
  for (const waitMs of [startDelayMs(0), startDelayMs(1), startDelayMs(2)]) {
    const count = started.length;
    await crash();
    if (waitMs > 0) {
      await pass(waitMs - 1);
      expect(started).toHaveLength(count);
      await pass(1);
    }
    expect(started).toHaveLength(count + 1);
  }
  expect(pool.diagnose(endpoint.id).trouble).toMatchObject({ deaths: 3, reason: 'the container engine crashed' });
});

test('a worker that neither asks for a job nor ends is unhealthy after the init time of its template, and is replaced', async () => {
  const { started, submit, pass, pool, templates, template, endpoint } = setUpPool();
  templates.update(template.id, { env: { RUNPOD_INIT_TIMEOUT: '30' } });
  await submit();
  await pass(29_999);
  expect(started[0]!.stopped).toBe(false);
  await pass(1);
  expect(started[0]!.stopped).toBe(true);
  expect((await pool.records()).map(({ state }) => state)).toContain('unhealthy');
  expect(pool.counts(endpoint.id)).toMatchObject({ unhealthy: 1 });
  await started[0]!.end({ code: null, signal: 'SIGKILL', lastLines: ['waiting for the weights'] });
  expect(pool.diagnose(endpoint.id).trouble).toMatchObject({
    deaths: 1,
    reason: 'not ready 30 s after its start (RUNPOD_INIT_TIMEOUT)',
    lastLines: ['waiting for the weights'],
  });
  expect(started.length).toBeGreaterThan(1);
});

test('the time in which an image is pulled is no init time, and a job that waits for it is told how far that is', async () => {
  const { started, submit, pass, pool } = setUpPool({}, { prepares: true });
  const job = await submit();
  expect(pool.waiting(job)).toMatchObject({ code: 'pulling', message: 'Pulling it, 40 %.' });
  await pass(limits.workerInitMs * 2);
  expect(started[0]!.stopped).toBe(false);
  await started[0]!.prepared();
  expect(pool.waiting(job)).toMatchObject({ code: 'starting' });
  await pass(limits.workerInitMs - 1);
  expect(started[0]!.stopped).toBe(false);
  await pass(1);
  expect(started[0]!.stopped).toBe(true);
});

test('workers of an endpoint that is deleted are stopped, and nothing of it is kept once they are gone', async () => {
  const { started, poke, pool, endpoint, endpoints, jobs } = setUpPool(one);
  await poke();
  await started[0]!.end({ code: 1 });
  endpoints.delete(endpoint.id);
  jobs.removeEndpoint(endpoint.id);
  pool.removeEndpoint(endpoint.id);
  expect(started[1]!.stopped).toBe(true);
  expect(await pool.records()).toHaveLength(1);
  expect(pool.diagnose(endpoint.id).trouble).not.toBeNull();
  await started[1]!.end();
  expect(await pool.records()).toEqual([]);
  expect(pool.diagnose(endpoint.id).trouble).toBeNull();
});

test('a worker that took long until it was ready is idle from then on, not since its start', async () => {
  const { started, submit, pass, jobs } = setUpPool({ idleTimeout: 5 });
  jobs.cancel(await submit(), () => undefined);
  await pass(60_000);
  await started[0]!.ask();
  await pass(4999);
  expect(started[0]!.stopped).toBe(false);
  await pass(1);
  expect(started[0]!.stopped).toBe(true);
});

test('whoever watches is told each state of a worker once, with its jobs, and how it ended', async () => {
  const seen: string[] = [];
  const watch = {
    changed: ({ state, jobIds }: WorkerChange) => void seen.push([state, ...jobIds].join(' ')),
    ended: ({ reason, unhealthy }: WorkerEnd) => void seen.push(`ended: ${reason}${unhealthy ? ', unhealthy' : ''}`),
  };
  const { started, submit, pass } = setUpPool({ idleTimeout: 1 }, { prepares: true, watch });
  const first = await submit();
  const second = await submit();
  await started[0]!.prepared();
  const [worker] = started;
  await worker!.done((await worker!.ask())!);
  await worker!.done((await worker!.ask())!);
  await pass(1000);
  await worker!.end();
  expect(seen).toEqual([
    'preparing',
    'starting',
    `running ${first.id}`,
    'idle',
    `running ${second.id}`,
    'idle',
    'stopping',
    'ended: it was idle',
  ]);
});
