/** What the Pods of a machine cost now. */
import { expect, test } from 'vitest';
import { until } from '../../../../test/support/core/until.ts';
import { A40, L4, podMachine, untilRuns } from '../../../../test/support/pods/fakePods.ts';

test('the spending per hour counts a Pod while its container runs: not while it pulls, waits or is stopped', async () => {
  const on = podMachine();
  await on.pods.begin();
  const pull = on.driver.hold();
  const { id } = await on.pods.create({ imageName: 'me/image:1', gpuTypeIds: [A40] });
  expect(on.pods.get(id)).toMatchObject({ desiredStatus: 'RUNNING', costPerHr: 0.5 });
  expect(on.pods.spendPerHour()).toBe(0);
  pull.release();
  await untilRuns(on, id);
  const other = await on.pods.create({ imageName: 'me/image:1', gpuTypeIds: [L4] });
  await untilRuns(on, other.id);
  expect(on.pods.spendPerHour()).toBe(1);
  on.driver.ends(id, 1);
  await until('its end to be known', () => on.pods.get(id).publicIp === null);
  expect([on.pods.get(id).desiredStatus, on.pods.spendPerHour()]).toEqual(['RUNNING', 0.5]);
  await on.pods.stop(other.id);
  expect(on.pods.spendPerHour()).toBe(0);
  await on.pods.leave();
});
