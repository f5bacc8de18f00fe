/** Workers that are no processes of the engine: silent, gone, or back too late. The engine's clock is put forward. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeIdleEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';

let engine: ClockedEngine;
beforeAll(async () => {
  engine = await startClockedEngine();
});
afterAll(() => engine.close());

interface Stage {
  endpointId: string;
  jobs: Jobs;
  slow: OutsideWorker;
  quick: OutsideWorker;
}

async function stage(): Promise<Stage> {
  const { id } = await makeIdleEndpoint(engine);
  return {
    endpointId: id,
    jobs: jobsOf(engine, id),
    slow: createOutsideWorker(engine, id, `slow-${id}`),
    quick: createOutsideWorker(engine, id, `quick-${id}`),
  };
}

/** A connection on which a worker has asked for a job and reads nothing. */
async function askWithoutReading({ endpointId, slow }: Stage): Promise<Socket> {
  const socket = connect(engine.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  const path = `/v2/${endpointId}/job-take/${slow.id}?gpu=none&job_in_progress=0`;
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${engine.key}\r\n\r\n`);
  return socket;
}

test('fault 18: a worker that pauses longer than its lease is fenced off, and the result of the next attempt stands', async () => {
  const { jobs, slow, quick } = await stage();
  const id = await jobs.run({});
  await slow.take();
  await slow.stream(id, { output: 'of the first attempt' });
  await engine.advance(limits.workerSilenceMs);
  expect(await jobs.status(id)).toMatchObject({ status: 'IN_QUEUE', retries: 1 });
  expect((await quick.take())?.id).toBe(id);

  expect((await slow.stream(id, { output: 'late' })).status).toBe(409);
  expect((await slow.done(id, { status: 'IN_PROGRESS', output: 'late' })).status).toBe(409);
  expect((await slow.done(id, { output: 'late' })).status).toBe(409);
  expect((await slow.done(id, { error: 'late' })).status).toBe(409);
  expect(await jobs.status(id)).toMatchObject({ status: 'IN_PROGRESS', workerId: quick.id });

  await quick.stream(id, { output: 'of the second attempt' });
  expect((await quick.done(id, { output: 'second' })).status).toBe(200);
  expect((await slow.done(id, { output: 'later still' })).status).toBe(409);
  expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED', output: 'second', workerId: quick.id });
  const { json } = await engine.http.get(`${jobs.path}/stream/${id}`);
  expect(json).toEqual([{ output: 'of the second attempt' }]);
});

test('fault 18: a worker that is back and names a job that is no longer its own is told to stop it', async () => {
  const { jobs, slow, quick } = await stage();
  const id = await jobs.run({});
  await slow.take();
  await engine.advance(limits.workerSilenceMs);
  await quick.take();
  const stopping = slow.stops();
  await slow.ping([id]);
  expect((await stopping).json).toEqual({ jobsToStop: [id] });
  expect((await quick.done(id, { output: 'mine' })).status).toBe(200);
});

test('fault 18: a worker that gets its lost job again ends it once; what its first run says afterwards changes nothing', async () => {
  const { jobs, slow } = await stage();
  const id = await jobs.run({});
  await slow.take();
  await engine.advance(limits.workerSilenceMs);
  expect((await slow.take())?.id).toBe(id);
  expect((await slow.done(id, { output: 'first to come' })).status).toBe(200);
  expect((await slow.done(id, { output: 'second' })).status).toBe(200);
  expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED', output: 'first to come', retries: 1 });
});

test('fault 19: a worker whose connection breaks while it waits is not handed a job', async () => {
  const made = await stage();
  const { jobs, quick } = made;
  const socket = await askWithoutReading(made);
  await until('the worker to be known', async () => (await jobs.health()).workers.idle, 1);
  socket.resetAndDestroy();
  const id = await jobs.run({});
  expect((await quick.take())?.id).toBe(id);
});

test('fault 19: a worker whose connection breaks before it has read its job loses it by its next two pings, not by its time-out', async () => {
  const made = await stage();
  const { jobs, slow, quick } = made;
  const id = await jobs.run({});
  const socket = await askWithoutReading(made);
  await jobs.reached(id, 'IN_PROGRESS');
  socket.resetAndDestroy();
  for (let ping = 0; ping < 2; ping++) {
    await engine.advance(limits.workerPingMs);
    await slow.ping();
  }
  expect((await quick.take())?.id).toBe(id);
  expect((await quick.done(id, { output: 'done' })).status).toBe(200);
  // It was never at work before: nothing counts as tried again.
  expect(await jobs.status(id)).not.toHaveProperty('retries');
});

test('fault 19: a worker that is at its job for long, and says so, keeps it', async () => {
  const { jobs, slow } = await stage();
  const id = await jobs.run({});
  await slow.take();
  for (let ping = 0; ping < 6; ping++) {
    await engine.advance(limits.workerPingMs);
    await slow.ping();
  }
  expect((await slow.done(id, { output: 'done' })).status).toBe(200);
  expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED', workerId: slow.id });
});
