/** Pods that stop or end at a time, on a clock that the test moves, and what holds their GPUs. */
import { describe, expect, test } from 'vitest';
import { until } from '../../../../test/support/core/until.ts';
import { doneTo, podMachine, untilRuns } from '../../../../test/support/pods/fakePods.ts';

const image = 'me/image:1';

describe('at a time that was set', () => {
  test('it stops, and later it is deleted', async () => {
    const on = podMachine();
    const now = on.clock.now();
    const more = { stopAfter: now + 60_000, terminateAfter: now + 120_000 };
    const { id } = await on.pods.create({ imageName: image }, more);
    await untilRuns(on, id);
    on.clock.advance(59_999);
    expect(on.pods.get(id).desiredStatus).toBe('RUNNING');
    on.clock.advance(1);
    await until(
      'it to be stopped',
      () => doneTo(on, id),
      (seen) => seen.includes('stop'),
    );
    on.clock.advance(60_000);
    await until('it to be deleted', () => on.pods.get(id).desiredStatus, 'TERMINATED');
  });

  test('a locked one stays, until it is unlocked', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image, locked: true }, { stopAfter: on.clock.now() + 1000 });
    await untilRuns(on, id);
    on.clock.advance(5000);
    expect(on.pods.get(id).desiredStatus).toBe('RUNNING');
    await on.pods.update(id, { locked: false });
    on.clock.advance(0);
    await until('it to be stopped', () => on.pods.get(id).desiredStatus, 'EXITED');
  });
});

test('the GPUs of a Pod are held by its name, also after it is renamed and by the next engine', async () => {
  const on = podMachine();
  const { id } = await on.pods.create({ imageName: image, name: 'trainer' });
  await untilRuns(on, id);
  const names = (machine: typeof on) =>
    machine.gpus.list().flatMap(({ heldBy }) => heldBy.map((holder) => 'podId' in holder && holder.podName));
  expect(names(on)).toEqual(['trainer']);
  await on.pods.update(id, { name: 'other' });
  expect(names(on)).toEqual(['other']);
  expect(names(await on.again())).toEqual(['other']);
});
