/** The retries of a Pod's steps, their delays, the messages in between, and the effect of a list on each state. */
import { describe, expect, test } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import { until } from '../../../../test/support/core/until.ts';
import {
  AGAIN,
  containerOf,
  startPod,
  steppedLives,
  type SteppedLives,
} from '../../../../test/support/pods/steppedDriver.ts';
import type { PodContainer } from './podInterfaces.ts';

const refused = new AppError('BAD_REQUEST', 'There is no GPU.');
const noEngine = new AppError('UNAVAILABLE', 'Start Docker.');

/** The driver reports a change, and lists these containers. */
async function list(on: SteppedLives, containers: PodContainer[]): Promise<void> {
  on.change('a');
  (await on.call('list')).answer(containers);
  await until('the list to be over', () => on.open().every((name) => name !== 'list'));
}

/** A Pod with a running container, and a reconciler that polls the driver. */
async function running(pods: Parameters<typeof steppedLives>[0] = { a: 'RUNNING' }): Promise<SteppedLives> {
  const on = steppedLives(pods);
  await startPod(on, 'a');
  const begun = on.lives.begin();
  (await on.call('list')).answer([containerOf('a', true, { startedAt: on.clock.now() })]);
  await begun;
  return on;
}

async function endsByItself(on: SteppedLives): Promise<void> {
  const startedAt = on.lives.of('a').container!.startedAt;
  await list(on, [containerOf('a', false, { startedAt })]);
  await until('its end to be noted', () => on.lives.of('a').container?.running === false);
}

async function startsAfter(on: SteppedLives, ms: number): Promise<void> {
  on.clock.advance(ms - 1);
  expect(on.open()).toEqual([]);
  on.clock.advance(1);
  (await on.call('start a')).answer(containerOf('a', true, { startedAt: on.clock.now() }));
  await until('the container to run', () => on.lives.of('a').container?.running);
}

describe('tries', () => {
  test('a Pod that cannot be started is tried again after twice as long each time, up to the most', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    on.refusePlans(refused);
    await on.lives.drive('a');
    for (let ms: number = AGAIN.firstMs; ms < 4 * AGAIN.mostMs; ms *= 2) {
      on.clock.advance(Math.min(ms, AGAIN.mostMs) - 1);
      expect(on.clock.pending()).toBe(1);
      on.clock.advance(1);
      expect(on.clock.pending()).toBe(0);
      await until('the next failure', () => on.clock.pending() === 1);
    }
  });

  test('a container that ended again soon is started later, and after a calm run as soon as the first time', async () => {
    const on = await running();
    await endsByItself(on);
    await startsAfter(on, AGAIN.firstMs);
    expect(on.lives.of('a').problem).toBeNull();
    await endsByItself(on);
    const nextAt = new Date(on.clock.now() + 2 * AGAIN.firstMs).toISOString();
    expect(on.lives.of('a').problem).toContain(`(2 times so far). It restarts automatically at ${nextAt}.`);
    await startsAfter(on, 2 * AGAIN.firstMs);
    await endsByItself(on);
    await startsAfter(on, 4 * AGAIN.firstMs);
    on.clock.advance(AGAIN.calmMs - 1);
    expect(on.lives.of('a')).toMatchObject({ problem: expect.stringContaining('3 times'), isCrashLoop: true });
    on.clock.advance(1);
    expect(on.lives.of('a').isCrashLoop).toBe(false);
    expect(on.lives.of('a').problem).toBeNull();
    await endsByItself(on);
    expect(on.lives.of('a').problem).not.toContain('times');
    await startsAfter(on, AGAIN.firstMs);
  });

  test('a container that ends before it is seen to run is started ever later, and it is said how it ends and when it is started next', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    const begun = on.lives.begin();
    (await on.call('list')).answer([]);
    const ended = () => containerOf('a', false, { startedAt: on.clock.now(), exitCode: 3 });
    (await on.call('start a')).answer(ended());
    await begun;
    for (let times = 1; times <= 4; times++) {
      const ms = AGAIN.firstMs * 2 ** (times - 1);
      await until('the next try', () => on.clock.pending() === 1);
      const { problem } = on.lives.of('a');
      expect(problem).toMatch(/^Its container ended with exit code 3 \(an error of its program\) at /);
      expect(problem).toContain(`automatically at ${new Date(on.clock.now() + ms).toISOString()}.`);
      // The container engine reports its start and its end.
      await list(on, [ended()]);
      on.clock.advance(ms - 1);
      expect(on.open()).toEqual([]);
      on.clock.advance(1);
      const start = await on.call('start a');
      expect(on.lives.of('a').problem).toContain('It restarts now.');
      start.answer(ended());
    }
  });

  test('an end that is listed while its start is under way is noted after it', async () => {
    const on = await running();
    const driven = on.lives.drive('a');
    const start = await on.call('start a');
    const startedAt = on.clock.now();
    await list(on, [containerOf('a', false, { startedAt, exitCode: 3 })]);
    start.answer(containerOf('a', true, { startedAt }));
    await driven;
    (await on.call('list')).answer([containerOf('a', false, { startedAt, exitCode: 3 })]);
    await until('its end to be noted', () => on.lives.of('a').problem?.includes('with exit code 3'));
  });

  test('the problem of a try says more than how the container ended before it', async () => {
    const on = await running();
    await endsByItself(on);
    on.refusePlans(refused);
    on.clock.advance(AGAIN.firstMs);
    await until('the problem', () => on.lives.of('a').problem === refused.message);
  });

  test('a Pod whose record is gone is tried no more', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    on.refusePlans(refused);
    await on.lives.drive('a');
    on.records.delete('a');
    on.lives.drop('a');
    expect(on.clock.pending()).toBe(0);
    expect(on.lives.of('a').problem).toBeNull();
    expect(await on.lives.drive('a')).toBeNull();
    expect(on.calls).toEqual([]);
  });

  test('a restart is made once: a later drive only starts', async () => {
    const on = await running();
    const restart = on.lives.drive('a', 'restart');
    const restarting = await on.call('restart a');
    expect(on.lives.of('a').preparing).toBe('Restarting');
    restarting.answer(containerOf('a', true));
    await restart;
    const again = on.lives.drive('a');
    (await on.call('start a')).answer(containerOf('a', true));
    await again;
    expect(on.calls.filter((name) => name === 'restart a')).toHaveLength(1);
  });

  test('a Pod that is found running is started, not restarted, when it is driven', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    const begun = on.lives.begin();
    (await on.call('list')).answer([containerOf('a', true)]);
    await begun;
    const driven = on.lives.drive('a');
    (await on.call('start a')).answer(containerOf('a', true));
    expect(await driven).toBeNull();
    expect(on.calls).toEqual(['list', 'start a']);
  });

  test('a reset of what does not run says that the container is removed, and a later start removes nothing', async () => {
    const on = steppedLives({ a: 'RUNNING' });
    const reset = on.lives.drive('a', 'anew');
    const stop = await on.call('stop a');
    expect(on.lives.of('a').preparing).toBe('Removing its container');
    stop.answer();
    (await on.call('remove a')).answer();
    (await on.call('start a')).answer(containerOf('a', true));
    await reset;
    await startPod(on, 'a');
    expect(on.calls).toEqual(['stop a', 'remove a', 'start a', 'start a']);
  });

  test('a reset while a Pod is stopped does not make the next start remove its container again', async () => {
    const on = await running();
    on.records.get('a')!.desiredStatus = 'EXITED';
    const reset = on.lives.drive('a', 'anew');
    (await on.call('stop a')).answer();
    (await on.call('remove a')).answer();
    await reset;
    on.records.get('a')!.desiredStatus = 'RUNNING';
    await startPod(on, 'a');
    expect(on.calls.slice(-3)).toEqual(['stop a', 'remove a', 'start a']);
  });
});

describe('a list of the containers', () => {
  test('a list stops what should not run, removes what was deleted, and leaves alone what is stopped', async () => {
    const on = await running({ a: 'RUNNING', runs: 'EXITED', rests: 'EXITED', deleted: 'TERMINATED' });
    (await on.call('stop deleted')).answer();
    (await on.call('remove deleted')).answer();
    await until('the removal to be told', () => on.reports.includes('gone deleted'));
    expect(on.open()).toEqual([]);
    on.records.delete('deleted');
    await list(on, [containerOf('a', true), containerOf('runs', true), containerOf('rests', false)]);
    (await on.call('stop runs')).answer();
    await until('the stop to be told', () => on.reports.includes('rests runs'));
    expect(on.calls.filter((name) => name.endsWith('rests'))).toEqual([]);
  });

  test('a list that fails says so of what should run, and changes nothing of what is stopped or in a step', async () => {
    const on = await running({ a: 'RUNNING', b: 'RUNNING', c: 'EXITED' });
    (await on.call('start b')).answer(containerOf('b', true));
    await until('b to run', () => on.lives.of('b').container?.running);
    await list(on, [containerOf('a', true), containerOf('b', true), containerOf('c', false)]);
    await until('c to be known', () => on.lives.of('c').container);
    const restart = on.lives.drive('b', 'restart');
    const restarting = await on.call('restart b');
    on.change('a');
    (await on.call('list')).fail(noEngine);
    await until('the problem', () => on.lives.of('a').problem === noEngine.message);
    expect(on.lives.of('a').container).toBeNull();
    expect(on.lives.of('b')).toMatchObject({ container: { running: true }, problem: null });
    expect(on.lives.of('c')).toMatchObject({ container: { running: false }, problem: null });
    expect(on.clock.pending()).toBe(1);
    restarting.answer(containerOf('b', true));
    expect(await restart).toBeNull();
  });

  test('a Pod whose record could not be written is looked at again, and the others are dealt with', async () => {
    const on = await running({ a: 'RUNNING', b: 'EXITED' });
    on.refuseRecords(new Error('disk full'));
    await list(on, [containerOf('a', true), containerOf('b', true)]);
    (await on.call('stop b')).answer();
    await until('the next try', () => on.clock.pending() === 1);
    on.refuseRecords(null);
    on.clock.advance(AGAIN.firstMs);
    (await on.call('start a')).answer(containerOf('a', true));
    await until('a to run', () => on.reports.at(-1) === 'runs a');
  });

  test('a container of an unknown Pod is stopped where it runs, and kept', async () => {
    const on = await running();
    await list(on, [containerOf('a', true), containerOf('lost', true), containerOf('old', false)]);
    (await on.call('stop lost')).fail(noEngine);
    await list(on, [containerOf('a', true)]);
    expect(on.calls.filter((name) => /lost|old/.test(name))).toEqual(['stop lost']);
  });
});

describe('a stop of the engine', () => {
  test('a stop does not wait for a container that takes its time to stop, but for a list under way', async () => {
    const on = await running();
    on.records.get('a')!.desiredStatus = 'EXITED';
    const stop = on.lives.drive('a');
    const stopping = await on.call('stop a');
    on.change('a');
    const looking = await on.call('list');
    let over = false;
    const stopped = on.lives.stop().then(() => (over = true));
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    expect(over).toBe(false);
    looking.answer([containerOf('a', true)]);
    await stopped;
    expect(on.open()).toEqual(['stop a']);
    stopping.answer();
    expect(await stop).toBeNull();
    expect(on.reports).not.toContain('rests a');
  });

  test('changes after a stop are looked at no more, and no try is left', async () => {
    const on = await running();
    await endsByItself(on);
    expect(on.clock.pending()).toBe(1);
    await on.lives.stop();
    expect(on.clock.pending()).toBe(0);
    const before = on.calls.length;
    on.change(null);
    expect(on.calls).toHaveLength(before);
  });
});
