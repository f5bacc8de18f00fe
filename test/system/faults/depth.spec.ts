/** A very long queue that goes at once: by a purge, and by all of its jobs running out of time in the same second. */
import { expect, test } from 'vitest';
import { CHANGE_BURST } from '../../../main/engine/domain/core/changes.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { changeSettings } from '../../support/engine/settings.ts';
import { openSocket } from '../../support/http/rawSocket.ts';
import { fillQueue } from '../../support/jobs/fillQueue.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { makeIdleEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';

const COUNT = 40_000;
const HOUR_MS = 3_600_000;

/** An engine with a very long queue. */
async function filled(engine: ClockedEngine): Promise<Jobs> {
  const { id } = await makeIdleEndpoint(engine);
  const jobs = jobsOf(engine, id);
  await engine.stop();
  fillQueue(engine.dataDir, { endpointId: id, count: COUNT, ttlMs: HOUR_MS });
  await engine.restart();
  expect((await jobs.health()).jobs.inQueue).toBe(COUNT);
  return jobs;
}

/**
 * How often a follower of the changes of the engine was told of the endpoint during `work`. The engine sets the pace:
 * a test that is slow itself would not notice whether other requests were answered meanwhile.
 */
async function reportsDuring(engine: TestEngine, { path }: Jobs, work: () => Promise<unknown>): Promise<number> {
  using follower = await openSocket(engine.port);
  const head = `host: 127.0.0.1\r\nauthorization: Bearer ${engine.key}`;
  follower.send(`GET /local/v1/changes HTTP/1.1\r\n${head}\r\n\r\n`);
  await follower.heard(/"about":"all"/);
  await work();
  await changeSettings(engine, { rates: { requestsPerWorker: 1 } });
  const events = await follower.heard(/"about":"settings"/);
  const [, endpointId = ''] = path.split('/v2/');
  return events.split(`"about":"endpoint","id":"${endpointId}"`).length - 1;
}

test('fault 30: a purge of a very long queue tells the exact number, and others are served meanwhile', async () => {
  await using engine = await startClockedEngine();
  const jobs = await filled(engine);
  const reports = await reportsDuring(engine, jobs, async () => {
    const { json } = await engine.http.post(`${jobs.path}/purge-queue`, {});
    expect(json).toEqual({ removed: COUNT, status: 'completed' });
  });
  expect(reports).toBeGreaterThanOrEqual(CHANGE_BURST);
  const later = await jobs.run({});
  expect((await jobs.status(later)).status).toBe('IN_QUEUE');
  expect((await jobs.health()).jobs).toMatchObject({ inQueue: 1, inProgress: 0, failed: 0 });
});

test('fault 30: a very long queue that expires in the same second is gone soon after, and others are served meanwhile', async () => {
  await using engine = await startClockedEngine();
  const jobs = await filled(engine);
  const reports = await reportsDuring(engine, jobs, async () => {
    await engine.sleep(HOUR_MS + 1000);
    await until('every job to be gone', async () => (await jobs.health()).jobs.inQueue, 0);
  });
  expect(reports).toBeGreaterThanOrEqual(CHANGE_BURST);
});

test('who calls an engine that still reads a very long queue is answered once it has read it', async () => {
  await using engine = await startEngine();
  const { id } = await makeIdleEndpoint(engine);
  await engine.stop();
  fillQueue(engine.dataDir, { endpointId: id, count: COUNT, ttlMs: HOUR_MS });
  const restarting = engine.restart();
  const listening = async (): Promise<boolean> => (await engine.http.get('/health').catch(() => null))?.status === 200;
  await until('/health to answer', listening);
  expect((await jobsOf(engine, id).health()).jobs.inQueue).toBe(COUNT);
  await restarting;
  expect((await engine.http.get('/health')).json).toMatchObject({ ready: true });
});
