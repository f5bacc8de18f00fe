import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import {
  endpointMetricsSchema,
  endpointTotalSchema,
  metricPeriods,
  type EndpointMetrics,
} from '#contract/local/metrics.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { changeSettings } from '../../support/engine/settings.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { accepted, makeEndpoint, makeIdleEndpoint } from '../../support/resources/resources.ts';

let engine: ClockedEngine;
beforeAll(async () => {
  engine = await startClockedEngine();
});
afterAll(() => engine.close());

const HANDLER = {
  'handler.mjs': `export default ({ input }) => { if (input.fail) throw new Error('no'); return 1; };`,
};

const metricsOf = async (endpointId: string, query = ''): Promise<EndpointMetrics> =>
  endpointMetricsSchema.parse(accepted(await engine.http.get(`/local/v1/endpoints/${endpointId}/metrics${query}`)));

describe('GET /local/v1/endpoints/{id}/metrics', () => {
  test('counts the jobs of a period by their ends, with delay and run time, its workers and their cost', async () => {
    await changeSettings(engine, { machine: { prices: { cpuHour: 3.6 } } });
    const { endpoint } = await makeEndpoint(engine, HANDLER, { endpoint: { idleTimeout: 60, workersMax: 1 } });
    const jobs = jobsOf(engine, endpoint.id);
    await jobs.finished(await jobs.run({}));
    await jobs.finished(await jobs.run({ fail: true }));
    await engine.advance(1000);
    const { total, points, stepMs } = await metricsOf(endpoint.id, '?period=1h');
    expect(total).toMatchObject({
      accepted: 2,
      completed: 1,
      failed: 1,
      cancelled: 0,
      timedOut: 0,
      workers: { most: 1 },
    });
    expect(total.delay?.p95).toBeGreaterThanOrEqual(total.delay?.p50 ?? NaN);
    expect(total.execution?.p95).toBeGreaterThanOrEqual(total.execution?.p50 ?? NaN);
    expect(total.cost).toBeGreaterThan(0);
    expect([points.length, stepMs]).toEqual([60, 60_000]);
    expect(points.reduce((sum, point) => sum + point.completed + point.failed, 0)).toBe(2);
  });

  test('divides every period into equal parts that end now; without one it is the last 24 hours', async () => {
    const { id } = await makeIdleEndpoint(engine);
    for (const period of metricPeriods) {
      const { from, to, stepMs, points } = await metricsOf(id, `?period=${period}`);
      expect(points.map(({ at }) => Date.parse(at))).toEqual(
        points.map((_, index) => Date.parse(from) + index * stepMs),
      );
      const afterLast = Date.parse(to) - Date.parse(points.at(-1)?.at ?? '');
      expect(afterLast).toBeGreaterThanOrEqual(0);
      expect(afterLast).toBeLessThan(stepMs);
    }
    expect((await metricsOf(id)).period).toBe('24h');
  });

  test('an unknown endpoint is a 404, an unknown period a 400', async () => {
    const { id } = await makeIdleEndpoint(engine);
    expect((await engine.http.get('/local/v1/endpoints/none/metrics')).status).toBe(404);
    const answer = await engine.http.get(`/local/v1/endpoints/${id}/metrics?period=2h`);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('period');
  });
});

test('GET /local/v1/endpoints/metrics has the same sums for every endpoint', async () => {
  const { id } = await makeIdleEndpoint(engine);
  await jobsOf(engine, id).run({});
  const totals = endpointTotalSchema
    .array()
    .parse(accepted(await engine.http.get('/local/v1/endpoints/metrics?period=7d')));
  expect(totals.find(({ endpointId }) => endpointId === id)?.total).toEqual((await metricsOf(id, '?period=7d')).total);
});

test('metrics survive a restart, and a crash but for the last seconds; those of a deleted endpoint do not', async () => {
  await using own = await startClockedEngine();
  const { id } = await makeIdleEndpoint(own);
  const jobs = jobsOf(own, id);
  const acceptedJobs = async (): Promise<number> =>
    endpointMetricsSchema.parse(accepted(await own.http.get(`/local/v1/endpoints/${id}/metrics`))).total.accepted;
  await jobs.run({});
  await own.stop();
  await own.restart();
  expect(await acceptedJobs()).toBe(1);
  // The job after the next beat must not be stored by a beat as well.
  await own.hold();
  await jobs.run({});
  await own.advance(limits.metrics.beatMs);
  // The commit of this job takes that of the metrics along.
  await jobs.run({});
  await own.kill9();
  await own.restart();
  expect(await acceptedJobs()).toBe(2);
  await own.http.send('DELETE', `/v1/endpoints/${id}`);
  expect((await own.http.get(`/local/v1/endpoints/${id}/metrics`)).status).toBe(404);
});
