/** The steps of one Pod in their order, and the effect of a list of containers during a step. */
import { describe, expect, test } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import { until } from '../../../../test/support/core/until.ts';
import { AGAIN, containerOf, startPod, steppedLives } from '../../../../test/support/pods/steppedDriver.ts';

const noEngine = new AppError('UNAVAILABLE', 'Start Docker.');

/** Whether the promise has settled after all pending callbacks ran. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.finally(() => (settled = true));
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  return settled;
}

describe('a step', () => {
  test('a reset starts the new container only after the old one is stopped and removed', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    await startPod(on, 'a');
    const reset = on.lives.drive('a', 'anew');
    (await on.call('stop a')).answer();
    const removal = await on.call('remove a');
    expect(await isSettled(reset)).toBe(false);
    expect(on.open()).toEqual(['remove a']);
    removal.answer();
    (await on.call('start a')).answer(containerOf('a', true));
    expect(await reset).toBeNull();
    expect(on.calls).toEqual(['start a', 'stop a', 'remove a', 'start a']);
  });

  test('a reset of a stopped Pod removes its container, and none is known afterwards', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    await startPod(on, 'a');
    on.records.get('a')!.desiredStatus = 'EXITED';
    const reset = on.lives.drive('a', 'anew');
    (await on.call('stop a')).answer();
    (await on.call('remove a')).answer();
    expect(await reset).toBeNull();
    expect(on.lives.of('a').container).toBeNull();
    expect(on.reports).toEqual(['runs a', 'rests a']);
  });

  test('a stop keeps the container and knows that it no longer runs', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    await startPod(on, 'a');
    on.records.get('a')!.desiredStatus = 'EXITED';
    const stop = on.lives.drive('a');
    (await on.call('stop a')).answer();
    expect(await stop).toBeNull();
    expect(on.lives.of('a').container).toMatchObject({ running: false });
    expect(on.calls).toEqual(['start a', 'stop a']);
  });

  test('a step that failed leaves a container that is not taken to run, and says why', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    await startPod(on, 'a');
    const restart = on.lives.drive('a', 'restart');
    (await on.call('restart a')).fail(new AppError('UPSTREAM', 'The device is gone.'));
    expect(await restart).toMatchObject({ message: 'The device is gone.' });
    expect(on.lives.of('a')).toMatchObject({
      container: { running: false },
      problem: 'The device is gone.',
      preparing: null,
    });
    on.clock.advance(AGAIN.firstMs - 1);
    expect(on.open()).toEqual([]);
    on.clock.advance(1);
    expect(on.open()).toEqual(['start a']);
  });

  test('a Pod that is driven during a step is answered by the step after it', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    await startPod(on, 'a');
    const first = on.lives.drive('a', 'restart');
    const restart = await on.call('restart a');
    const second = on.lives.drive('a', 'restart');
    restart.answer(containerOf('a', true));
    expect(await first).toBeNull();
    const again = await on.call('restart a');
    expect(await isSettled(second)).toBe(false);
    again.fail(new AppError('UPSTREAM', 'The device is gone.'));
    expect(await second).toMatchObject({ message: 'The device is gone.' });
  });

  test('the failure of a step is no answer for somebody who wants something else by then', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    const start = on.lives.drive('a');
    const starting = await on.call('start a');
    on.records.get('a')!.desiredStatus = 'EXITED';
    const stop = on.lives.drive('a');
    expect(starting.signal?.aborted).toBe(true);
    starting.fail(new AppError('CONFLICT', 'broken off'));
    expect(await start).toBeNull();
    (await on.call('stop a')).answer();
    expect(await stop).toBeNull();
    expect(on.lives.of('a').problem).toBeNull();
    expect(on.clock.pending()).toBe(0);
  });

  test('a Pod whose plan is refused is tried again later each time, and at once when it is driven', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    on.refusePlans(new AppError('BAD_REQUEST', 'There is no GPU.'));
    expect(await on.lives.drive('a')).toMatchObject({ message: 'There is no GPU.' });
    on.clock.advance(AGAIN.firstMs);
    await until('the second failure', () => on.clock.pending() === 1);
    on.refusePlans(null);
    on.clock.advance(2 * AGAIN.firstMs - 1);
    expect(on.calls).toEqual([]);
    const driven = on.lives.drive('a');
    expect(on.clock.pending()).toBe(0);
    (await on.call('start a')).answer(containerOf('a', true));
    expect(await driven).toBeNull();
    expect(on.lives.of('a').problem).toBeNull();
  });
});

describe('a list of the containers', () => {
  test('a list does not overrule a step that is under way when it arrives', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    await startPod(on, 'a');
    const looking = on.lives.begin();
    const list = await on.call('list');
    const restart = on.lives.drive('a', 'restart');
    const restarting = await on.call('restart a');
    list.answer([containerOf('a', false)]);
    await looking;
    expect(on.lives.of('a').container).toMatchObject({ running: true });
    restarting.answer(containerOf('a', true, { startedAt: 7 }));
    expect(await restart).toBeNull();
    expect(on.lives.of('a')).toMatchObject({ container: { running: true, startedAt: 7 }, problem: null });
    // A change during the step is handled after it.
    (await on.call('list')).answer([containerOf('a', true, { startedAt: 7 })]);
    await until('the list to be over', () => on.open().length === 0);
    expect(on.lives.of('a')).toMatchObject({ container: { running: true, startedAt: 7 }, problem: null });
  });

  test('a list does not overrule a step that was taken since it was asked for', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    await startPod(on, 'a');
    const looking = on.lives.begin();
    const list = await on.call('list');
    const restart = on.lives.drive('a', 'restart');
    (await on.call('restart a')).answer(containerOf('a', true, { startedAt: 7 }));
    await restart;
    list.answer([containerOf('a', false)]);
    (await on.call('list')).answer([containerOf('a', true, { startedAt: 7 })]);
    await looking;
    expect(on.lives.of('a')).toMatchObject({ container: { running: true, startedAt: 7 }, problem: null });
    expect(on.open()).toEqual([]);
    expect(on.clock.pending()).toBe(0);
  });

  test('an engine that is back after a list that failed starts at once what it took along, and blames nobody', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    await startPod(on, 'a');
    const begun = on.lives.begin();
    (await on.call('list')).answer([containerOf('a', true, { startedAt: on.clock.now() })]);
    await begun;
    on.change(null);
    (await on.call('list')).fail(noEngine);
    await until('the problem', () => on.lives.of('a').problem === noEngine.message);
    expect(on.lives.of('a').container).toBeNull();
    on.change('a');
    (await on.call('list')).answer([containerOf('a', false, { exitCode: 137 })]);
    (await on.call('start a')).answer(containerOf('a', true));
    await until('the Pod to run', () => on.lives.of('a').container?.running);
    expect(on.lives.of('a').problem).toBeNull();
    expect(on.clock.pending()).toBe(0);
  });

  test('a container that ended by itself while the engine stayed is started again later, with how it ended', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    await startPod(on, 'a');
    const begun = on.lives.begin();
    (await on.call('list')).answer([containerOf('a', false, { outOfMemory: true })]);
    await begun;
    expect(on.lives.of('a').problem).toMatch(
      /^Its container ended because memory ran out at .*Z\. It restarts automatically at .*Z\./,
    );
    expect(on.open()).toEqual([]);
    on.clock.advance(AGAIN.firstMs);
    expect(on.open()).toEqual(['start a']);
  });

  test('changes during a list lead to one more list, however many they are', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    await startPod(on, 'a');
    const begun = on.lives.begin();
    const first = await on.call('list');
    for (let times = 0; times < 5; times++) on.change('a');
    first.answer([containerOf('a', true)]);
    (await on.call('list')).answer([containerOf('a', true)]);
    await begun;
    expect(on.calls.filter((name) => name === 'list')).toHaveLength(2);
  });
});

describe('a stop of the engine', () => {
  test('a stop breaks off a start, waits for its end, and takes no step afterwards', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    const driven = on.lives.drive('a');
    const starting = await on.call('start a');
    const stopped = on.lives.stop();
    expect(starting.signal?.aborted).toBe(true);
    expect(await isSettled(stopped)).toBe(false);
    starting.fail(new AppError('CONFLICT', 'broken off'));
    await stopped;
    expect(await driven).toBeNull();
    expect(on.clock.pending()).toBe(0);
    expect(await on.lives.drive('a')).toBeNull();
    expect(on.calls).toEqual(['start a']);
  });
});
