/** GET /local/v1/machine/events and /local/v1/workers/events: loads as they are measured, while somebody follows. */
import { expect, test } from 'vitest';
import { sampleEvery, workersSampleSchema } from '#contract/local/changes/samples.ts';
import { machineSchema } from '#contract/local/machine.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { openEvents, type Events } from '../../support/logs/events.ts';
import { makeEndpoint } from '../../support/resources/resources.ts';

/**
 * Fails where the clock has to move more than once for a sample: none is sent before its time, and none is left out.
 */
async function expectNext(engine: ClockedEngine, events: Events, everyMs: number, id: string): Promise<string> {
  await engine.advance(everyMs);
  const next = await events.next();
  expect(next.id).toBe(id);
  return next.data;
}

test('the computer and its workers are sent at once, and again after each interval', async () => {
  await using engine = await startClockedEngine();
  const files = { 'handler.mjs': 'export default () => process.pid;' };
  const { endpoint } = await makeEndpoint(engine, files, { endpoint: { idleTimeout: 600 } });
  const jobs = jobsOf(engine, endpoint.id);
  const { output: pid } = await jobs.finished(await jobs.run({}));
  await engine.hold();
  await using machine = await openEvents(engine, '/local/v1/machine/events');
  await using workers = await openEvents(engine, '/local/v1/workers/events?everyMs=10000');
  expect(machineSchema.parse(JSON.parse((await machine.next()).data)).cpu.cores).toBeGreaterThan(0);
  const [worker] = workersSampleSchema.parse(JSON.parse((await workers.next()).data)).workers;
  expect(worker).toMatchObject({ endpointId: endpoint.id, pid });

  for (const id of ['2', '3', '4', '5'])
    machineSchema.parse(JSON.parse(await expectNext(engine, machine, sampleEvery.default, id)));
  const later = workersSampleSchema.parse(JSON.parse(await expectNext(engine, workers, sampleEvery.default, '2')));
  expect(later.workers).toMatchObject([{ pid }]);
});

test('each reader has an interval of its own, and a wrong one is refused', async () => {
  await using engine = await startClockedEngine();
  await engine.hold();
  await using first = await openEvents(engine, '/local/v1/machine/events?everyMs=3000');
  await using second = await openEvents(engine, '/local/v1/machine/events?everyMs=1000');
  for (const events of [first, second]) expect((await events.next()).id).toBe('1');
  for (const id of ['2', '3', '4']) await expectNext(engine, second, 1000, id);
  expect((await first.next()).id).toBe('2');
  for (const everyMs of [999, 60_001, 1500.5]) {
    expect((await engine.http.get(`/local/v1/machine/events?everyMs=${everyMs}`)).status).toBe(400);
    expect((await engine.http.get(`/local/v1/workers/events?everyMs=${everyMs}`)).status).toBe(400);
  }
});
