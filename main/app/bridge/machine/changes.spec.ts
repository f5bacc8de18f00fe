/** The changes of an engine on their way to the page. */
import { describe, expect, test } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import type { StateChange } from '#contract/local/changes/stateChange.ts';
import type { Clock } from '../../platform/clock.ts';
import { watchChanges } from './changes.ts';

const pod = (id: string): StateChange => ({ about: 'pod', id });

/**
 * An engine that reports `first`, and `later` once the first batch was sent. The pause after a batch ends with `goOn`.
 */
function follow(first: StateChange, later: StateChange[], failure?: AppError) {
  let goOn = (): void => undefined;
  const clock: Clock = {
    now: () => 0,
    after(_, run) {
      goOn = run;
      return () => undefined;
    },
  };
  const { promise: isFirstSent, resolve: noteFirst } = Promise.withResolvers<void>();
  const { promise: isOver, resolve: noteEnd } = Promise.withResolvers<void>();
  async function* changes() {
    try {
      yield first;
      await isFirstSent;
      yield* later;
      if (failure) throw failure;
    } finally {
      noteEnd();
    }
  }
  const batches = watchChanges({ changes }, clock, new AbortController().signal);
  return {
    batches,
    /** The batch after the first one, whose pause ends only after the stream. */
    async second() {
      const batch = batches.next();
      noteFirst();
      await isOver;
      // Whoever reads the stream learns of its end a few microtasks later.
      await new Promise((resolve) => setImmediate(resolve));
      goOn();
      return batch;
    },
    async third() {
      const batch = batches.next();
      goOn();
      return batch;
    },
  };
}

describe('watchChanges', () => {
  test('what comes during the pause after a batch is the next one, each once, and then it ends with the stream', async () => {
    const endpoint: StateChange = { about: 'endpoint', id: 'b' };
    const { batches, second, third } = follow(pod('a'), [pod('b'), endpoint, pod('b')]);
    expect((await batches.next()).value).toEqual({ changes: [pod('a')] });
    expect((await second()).value).toEqual({ changes: [pod('b'), endpoint] });
    expect((await third()).done).toBe(true);
  });

  test('its failure is thrown after what came before it', async () => {
    const { batches, second, third } = follow(pod('a'), [pod('b')], new AppError('UNAVAILABLE', 'The engine is away.'));
    expect((await batches.next()).value).toEqual({ changes: [pod('a')] });
    expect((await second()).value).toEqual({ changes: [pod('b')] });
    await expect(third()).rejects.toThrow('The engine is away.');
  });

  test.each(['its window goes away', 'nobody reads it any more'])('it leaves the stream once %s', async (why) => {
    const window = new AbortController();
    const { promise: isLeft, resolve: noteLeft } = Promise.withResolvers<void>();
    async function* endless(signal: AbortSignal) {
      yield pod('a');
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      noteLeft();
    }
    const never: Clock = { now: () => 0, after: () => () => undefined };
    const changes = watchChanges({ changes: endless }, never, window.signal);
    await changes.next();
    if (why === 'nobody reads it any more') await changes.return();
    else {
      const last = changes.next();
      window.abort();
      expect((await last).done).toBe(true);
    }
    await isLeft;
  });
});
