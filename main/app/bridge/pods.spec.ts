/** The changes of Pods on their way to the page. */
import { describe, expect, test } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { watchPods } from './pods.ts';

/** Pauses are over at once: the order is tested, not the pace. */
const clock: Clock = {
  now: () => 0,
  after(_, run) {
    queueMicrotask(run);
    return () => undefined;
  },
};

async function* report(...podIds: (string | null)[]) {
  yield* podIds;
}

describe('watchPods', () => {
  test('changes that wait are one batch, each Pod once, and it ends with the stream', async () => {
    const batches = [];
    const changes = watchPods({ changes: () => report('a', 'b', 'a') }, clock, new AbortController().signal);
    for await (const { podIds } of changes) batches.push(...podIds);
    expect(new Set(batches)).toEqual(new Set(['a', 'b']));
  });

  test('where any of them may have changed, the batch is empty, whatever else has changed', async () => {
    let goOn = (): void => undefined;
    const slowly: Clock = {
      now: () => 0,
      after(_, run) {
        goOn = run;
        return () => undefined;
      },
    };
    const { promise: isFirstSent, resolve: noteFirst } = Promise.withResolvers<void>();
    const { promise: isRead, resolve: noteEnd } = Promise.withResolvers<void>();
    async function* changesOf() {
      yield 'a';
      await isFirstSent;
      yield null;
      yield 'b';
      noteEnd();
    }
    const changes = watchPods({ changes: changesOf }, slowly, new AbortController().signal);
    expect((await changes.next()).value).toEqual({ podIds: ['a'] });
    const second = changes.next();
    noteFirst();
    await isRead;
    goOn();
    expect((await second).value).toEqual({ podIds: [] });
    const last = changes.next();
    goOn();
    expect((await last).done).toBe(true);
  });

  test('its failure is thrown after what came before it', async () => {
    async function* breaks() {
      yield 'a';
      throw new AppError('UNAVAILABLE', 'The engine is away.');
    }
    const changes = watchPods({ changes: breaks }, clock, new AbortController().signal);
    expect((await changes.next()).value).toEqual({ podIds: ['a'] });
    await expect(changes.next()).rejects.toThrow('The engine is away.');
  });

  test('it leaves the stream once its window goes away', async () => {
    const window = new AbortController();
    let left = false;
    async function* endless(signal: AbortSignal) {
      yield 'a';
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      left = true;
    }
    const changes = watchPods({ changes: endless }, clock, window.signal);
    await changes.next();
    const last = changes.next();
    window.abort();
    expect([(await last).done, left]).toEqual([true, true]);
  });
});
