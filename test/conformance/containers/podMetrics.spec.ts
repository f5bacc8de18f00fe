/** The load of Pods over time, on real containers: it is there after a restart of the engine, and gone with the Pod. */
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { podMetricsSchema, type PodMetrics } from '#contract/local/podMetrics.ts';
import { whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import { skipFor } from '../../support/core/skip.ts';
import { until } from '../../support/core/until.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { startPodContainers } from '../../support/pods/podEngine.ts';
import { podsOf } from '../../support/pods/pods.ts';
import { accepted } from '../../support/resources/resources.ts';

const MINUTE = 60_000;

describe('the load of a Pod over time', skipFor(whyNoContainers()), () => {
  let containers: TestContainerEngine;
  beforeAll(async () => {
    containers = await startPodContainers();
  });
  afterAll(() => containers.closeEmpty());

  const metricsOf = async ({ http }: ClockedEngine, id: string): Promise<PodMetrics> =>
    podMetricsSchema.parse(accepted(await http.get(`/local/v1/pods/${id}/metrics?period=1h`)));
  /** The starts of the spans in which it was measured. */
  const measured = async (engine: ClockedEngine, id: string): Promise<string[]> =>
    (await metricsOf(engine, id)).points.flatMap(({ at, memoryBytes }) => (memoryBytes === null ? [] : [at]));
  /** Lets one measurement after the other fall due. Returns the starts of all spans that were measured. */
  async function measure(engine: ClockedEngine, id: string, times: number): Promise<string[]> {
    const measuredAt = async () => (await podsOf(engine).facts(id)).autoStop?.measuredAt;
    for (let count = 0; count < times; count += 1) {
      const before = await measuredAt();
      await engine.advance(10_000);
      await until('the next measurement', measuredAt, (at) => at !== before);
    }
    return measured(engine, id);
  }

  test('is kept over a stop and a kill of the engine, with a gap, and deleted with the Pod', async () => {
    await using engine = await startClockedEngine({ env: { DOCKER_HOST: containers.host } });
    const pods = podsOf(engine);
    const { id } = await pods.make();
    await pods.running(id);
    // Its facts tell the time of the last measurement only with a rule.
    accepted(await engine.http.send('PATCH', `/local/v1/pods/${id}/auto-stop`, { idleMinutes: 120 }));
    // A measurement that falls due by itself would be missing in `first`.
    await engine.hold();
    const first = await measure(engine, id, 1);
    await pods.act(id, 'stop');
    await engine.stop();
    await engine.restart();
    await engine.advance(3 * MINUTE);
    expect(await measured(engine, id)).toEqual(first);

    await pods.act(id, 'start');
    await pods.running(id);
    const second = await measure(engine, id, 15);
    expect(second.slice(0, first.length)).toEqual(first);
    const gap = Date.parse(second[first.length] ?? '') - Date.parse(first.at(-1) ?? '');
    expect(gap).toBeGreaterThan(2 * MINUTE);

    await engine.kill9();
    await engine.restart();
    await engine.advance(10 * MINUTE);
    // A crash loses what was measured in its last minute, which has parts of three spans at most.
    const afterKill = (await measured(engine, id)).filter((at) => second.includes(at));
    expect(afterKill).toEqual(second.slice(0, afterKill.length));
    expect(afterKill.length).toBeGreaterThanOrEqual(second.length - 3);
    expect(afterKill.length).toBeGreaterThan(first.length);

    await pods.delete(id);
    await engine.stop();
    using file = new DatabaseSync(join(engine.dataDir, 'pod-history.db'));
    expect(file.prepare('SELECT count(*) AS rows FROM pod_span').get()).toEqual({ rows: 0 });
  });
});
