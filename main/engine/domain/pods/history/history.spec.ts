/** The events of a Pod: what is noted, counted and kept. */
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { podHistoryLimits } from '#contract/local/podEvent.ts';
import { AppError } from '#contract/core/errors.ts';
import type { PodFacts } from '#contract/api/pod.ts';
import { until } from '../../../../../test/support/core/until.ts';
import { podMachine, untilRuns, type PodMachineUnderTest } from '../../../../../test/support/pods/fakePods.ts';
import { howEnded } from './exitWords.ts';

const { again: AGAIN } = limits.pod;
const { crashLoopEnds } = podHistoryLimits;

const cpuPod = { imageName: 'me/image:1', name: 'trainer', computeType: 'CPU' as const };

const kinds = (on: PodMachineUnderTest, id: string): string[] => on.pods.events(id).map(({ kind }) => kind);
const restartsOf = async (on: PodMachineUnderTest, id: string): Promise<PodFacts['restarts']> =>
  (await on.pods.facts(id)).restarts;

/** A Pod whose container runs. */
async function runningPod(on: PodMachineUnderTest, keyName: string | null = null): Promise<string> {
  const { id } = await on.pods.create(cpuPod, {}, keyName);
  await on.pods.begin();
  await untilRuns(on, id);
  return id;
}

/** Its container ends by itself; resolves once it is to be started again. */
async function endsByItself(on: PodMachineUnderTest, id: string, exitCode: number): Promise<void> {
  const before =
    on.pods
      .events(id)
      .filter(({ kind }) => kind === 'ended')
      .at(-1)?.times ?? 0;
  on.driver.ends(id, exitCode);
  await until('its end to be noted', () => on.pods.events(id).at(-1)?.times === before + 1);
}

/** Lets its next start come. */
async function startsAgain(on: PodMachineUnderTest, id: string): Promise<void> {
  const nextStartAt = (await restartsOf(on, id))?.nextStartAt ?? '';
  on.clock.advance(Date.parse(nextStartAt) - on.clock.now());
  await untilRuns(on, id);
}

describe('the events of a Pod', () => {
  test('they tell what a person and Hangar did, by whom', async () => {
    const on = podMachine();
    const id = await runningPod(on, 'laptop');
    on.clock.advance(1000);
    await on.pods.restart(id);
    await on.pods.stop(id, 'laptop');
    on.clock.advance(1000);
    await on.pods.start(id);
    await untilRuns(on, id);
    await on.pods.terminate(id);
    expect(on.pods.events(id).map(({ kind, by, keyName }) => [kind, by, keyName])).toEqual([
      ['made', 'person', 'laptop'],
      ['started', 'engine', null],
      ['restarted', 'person', null],
      ['started', 'engine', null],
      ['stopped', 'person', 'laptop'],
      ['resumed', 'person', null],
      ['started', 'engine', null],
      ['deleted', 'person', null],
    ]);
    expect(on.pods.events(id)[0]).toMatchObject({ n: 1, text: 'It was made from me/image:1.' });
  });

  test('a change of the settings is one that makes the container anew, and names the fields', async () => {
    const on = podMachine();
    const id = await runningPod(on);
    await on.pods.update(id, { name: 'other' });
    await on.pods.update(id, { ports: ['22/tcp'] });
    expect(on.pods.events(id).at(-1)).toMatchObject({ kind: 'changed', text: 'Its settings were changed: ports.' });
    expect(kinds(on, id).filter((kind) => kind === 'changed')).toHaveLength(1);
  });

  test('a stop at a time that was set is told as such', async () => {
    const on = podMachine();
    const { id } = await on.pods.create(cpuPod, { stopAfter: on.clock.now() + 5000 });
    await on.pods.begin();
    await untilRuns(on, id);
    on.clock.advance(5000);
    await until('its stop', () => on.pods.get(id).desiredStatus === 'EXITED');
    expect(on.pods.events(id).at(-1)).toMatchObject({ kind: 'stopped', by: 'schedule' });
  });

  test('the next engine has them, notes no second start of a container that runs on, and drops those of a Pod that is gone', async () => {
    const on = podMachine();
    const id = await runningPod(on);
    const before = on.pods.events(id);
    expect(before.map(({ kind }) => kind)).toEqual(['made', 'started']);
    const next = await on.again();
    await next.pods.begin();
    expect(next.pods.events(id)).toEqual(before);
    await next.pods.terminate(id);
    next.clock.advance(limits.pod.retentionMs);
    await until('the Pod to be forgotten', () => next.rows.size === 0);
    expect(next.eventRows.size).toBe(0);
  });

  test('equal failures in a row are one event with their count', async () => {
    const on = podMachine();
    on.driver.failNext(new AppError('BAD_REQUEST', 'There is no such image.'));
    const { id } = await on.pods.create(cpuPod);
    await until('the failure', () => kinds(on, id).includes('failed'));
    on.driver.failNext(new AppError('BAD_REQUEST', 'There is no such image.'));
    on.clock.advance(AGAIN.firstMs);
    await until('the second failure', () => on.pods.events(id).at(-1)?.times === 2);
    expect(kinds(on, id)).toEqual(['made', 'failed']);
    expect(on.eventRows.get(id)).toEqual(on.pods.events(id));
    expect(on.pods.events(id).at(-1)?.text).toBe('There is no such image.');
  });

  test('only the newest are kept', async () => {
    const on = podMachine();
    const id = await runningPod(on);
    for (let count = 0; count < podHistoryLimits.events; count++) {
      on.clock.advance(1000);
      await on.pods.restart(id);
    }
    expect(on.pods.events(id)).toHaveLength(podHistoryLimits.events);
    expect(on.eventRows.get(id)).toEqual(on.pods.events(id));
    expect(kinds(on, id)).not.toContain('made');
  });
});

describe('the restarts of a Pod', () => {
  test('a Pod that runs again is no problem, and tells how often and how it ended, with its last lines', async () => {
    const on = podMachine();
    const id = await runningPod(on);
    expect(await restartsOf(on, id)).toBeNull();
    on.driver.writtenBefore.set(id, ['the end of the run before']);
    on.driver.written.set(id, ['loading', 'CUDA out of memory']);
    await endsByItself(on, id, 1);
    await until(
      'the last lines',
      async () => (await restartsOf(on, id))?.lastLines.includes('CUDA out of memory') === true,
    );
    const nextStartAt = new Date(on.clock.now() + AGAIN.firstMs).toISOString();
    expect(await restartsOf(on, id)).toMatchObject({ times: 1, isCrashLoop: false, nextStartAt });
    await startsAgain(on, id);
    expect((await on.pods.facts(id)).problem).toBeNull();
    expect(await restartsOf(on, id)).toEqual({
      times: 1,
      endedAt: expect.any(String),
      text: 'Its container ended with exit code 1 (an error of its program).',
      lastLines: ['loading', 'CUDA out of memory'],
      isCrashLoop: false,
      nextStartAt: null,
    });
    expect(on.pods.events(id).find(({ kind }) => kind === 'ended')).toMatchObject({ exitCode: 1 });
  });

  test('they are still known after a calm run and by the next engine, until a person starts the Pod', async () => {
    const on = podMachine();
    const id = await runningPod(on);
    await endsByItself(on, id, 137);
    await startsAgain(on, id);
    on.clock.advance(AGAIN.calmMs);
    const next = await on.again();
    await next.pods.begin();
    expect(await restartsOf(next, id)).toMatchObject({ times: 1, text: expect.stringContaining('SIGKILL') });
    await next.pods.restart(id);
    expect(await restartsOf(next, id)).toBeNull();
  });

  test('a container that ends again and again is one crash loop while it runs and while it waits, and lists few of its ends', async () => {
    const on = podMachine();
    const id = await runningPod(on);
    const seen: [boolean | undefined, boolean][] = [];
    const noteState = async (): Promise<void> => {
      const { restarts, problem } = await on.pods.facts(id);
      seen.push([restarts?.isCrashLoop, problem !== null]);
    };
    for (let times = 1; times <= 8; times++) {
      await endsByItself(on, id, 127);
      if (times >= crashLoopEnds) await noteState();
      await startsAgain(on, id);
      if (times >= crashLoopEnds) await noteState();
    }
    expect(seen).toEqual(Array(2 * (8 - crashLoopEnds + 1)).fill([true, true]));
    const ends = on.pods.events(id).filter(({ kind }) => kind === 'ended');
    expect(ends.map(({ times }) => times)).toEqual([1, 2, 3, 8]);
    // The starts of the ends that are no events any more stay known.
    const runs = ends.at(-1)?.runs ?? [];
    expect(runs).toMatchObject([5, 6, 7, 8].map((n) => ({ n, exitCode: 127 })));
    const startedAt = runs.map((run) => run.startedAt);
    expect(startedAt).toEqual([...new Set(startedAt)].toSorted());
    expect(on.eventRows.get(id)).toEqual(on.pods.events(id));
    expect(kinds(on, id).slice(-2)).toEqual(['ended', 'started']);
    expect((await on.pods.facts(id)).problem).toContain('its command was not found');
    on.clock.advance(AGAIN.calmMs);
    expect(await restartsOf(on, id)).toMatchObject({ times: 8, isCrashLoop: false });
  });
});

test.each([
  [{ exitCode: 0, outOfMemory: false }, ' with exit code 0 (it finished)'],
  [{ exitCode: 3, outOfMemory: false }, ' with exit code 3 (an error of its program)'],
  [{ exitCode: 139, outOfMemory: false }, ' with exit code 139 (SIGSEGV: a memory error)'],
  [{ exitCode: 137, outOfMemory: true }, ' because memory ran out'],
  [{ exitCode: null, outOfMemory: false }, ''],
])('%j ended%s', (container, words) => {
  expect(howEnded(container)).toBe(words);
});
