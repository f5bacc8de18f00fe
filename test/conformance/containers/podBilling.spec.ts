/** What Pods use, on real containers, and billing history of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billingRecordSchema, type BillingRecord } from '#contract/api/billing.ts';
import { startClockedEngine } from '../../support/engine/clockedEngine.ts';
import { whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { allCommitted } from '../../support/jobs/jobs.ts';
import { startPodContainers } from '../../support/pods/podEngine.ts';
import { podsOf } from '../../support/pods/pods.ts';
import { accepted } from '../../support/resources/resources.ts';
import { changeSettings } from '../../support/engine/settings.ts';
import { until } from '../../support/core/until.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoContainers();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function billed(engine: TestEngine, podId: string): Promise<BillingRecord> {
  const query = new URLSearchParams({ podId, grouping: 'podId', bucketSize: 'year' });
  const answer = accepted(await engine.http.get(`/v1/billing/pods?${query.toString()}`));
  const records = billingRecordSchema.array().parse(answer);
  const amount = records.reduce((sum, record) => sum + record.amount, 0);
  const timeBilledMs = records.reduce((sum, record) => sum + record.timeBilledMs, 0);
  return { time: '', diskSpaceBilledGb: 0, ...records.at(-1), amount, timeBilledMs };
}
const stored = (engine: TestEngine, podId: string, what: string, is: (record: BillingRecord) => boolean) =>
  until(what, async () => is(await billed(engine, podId)));

describe('a Pod', skipFor(none), () => {
  let containers: TestContainerEngine;
  beforeAll(async () => {
    containers = await startPodContainers();
  });
  afterAll(() => containers.closeEmpty());

  test('is billed for its cores while its container runs, and for its volume as long as that is kept', async () => {
    await using engine = await startClockedEngine({ env: { DOCKER_HOST: containers.host } });
    await changeSettings(engine, { machine: { prices: { cpuHour: 0.5, volumeGbMonth: 7.2 } } });
    const pods = podsOf(engine);
    const made = performance.now();
    const { id } = await pods.make({ vcpuCount: 1, volumeInGb: 10 });
    await pods.running(id);
    await engine.advance(2 * HOUR);
    await pods.act(id, 'stop');
    // The clock also runs by itself.
    const atMostMs = 2 * HOUR + performance.now() - made;
    await stored(engine, id, 'two hours of the core', ({ timeBilledMs }) => timeBilledMs >= 2 * HOUR);
    await allCommitted(engine);
    const ran = await billed(engine, id);
    expect(ran.timeBilledMs).toBeLessThanOrEqual(atMostMs);
    expect(ran).toMatchObject({ podId: id, diskSpaceBilledGb: 10 });
    await engine.advance(10 * HOUR);
    await stored(engine, id, 'ten hours of its volume', ({ amount }) => amount >= ran.amount + 10 * 10 * 0.01 - 0.01);
    await pods.delete(id);
    await engine.advance(10 * HOUR);
    const all = await billed(engine, id);
    expect(all.timeBilledMs).toBe(ran.timeBilledMs);
    expect(all.amount).toBeCloseTo((ran.timeBilledMs / HOUR) * 0.5 + 12 * 10 * 0.01, 1);
  });

  test('that runs on while its engine is killed is billed for that time as well, once', async () => {
    await using engine = await startEngine({ env: { DOCKER_HOST: containers.host } });
    const pods = podsOf(engine);
    const made = Date.now();
    const { id } = await pods.make();
    await pods.running(id);
    const ran = Date.now();
    await engine.kill9();
    await engine.restart();
    await pods.running(id);
    const atLeastMs = Date.now() - ran;
    await pods.act(id, 'stop');
    const atMostMs = Date.now() - made;
    await stored(engine, id, 'all of its time', ({ timeBilledMs }) => timeBilledMs >= atLeastMs);
    expect((await billed(engine, id)).timeBilledMs).toBeLessThanOrEqual(atMostMs);
    await pods.delete(id);
  });
});
