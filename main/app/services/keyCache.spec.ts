/** Rules of how long the key of an account is held. */
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../test/support/core/fakeClock.ts';
import { createKeyCache } from './keyCache.ts';

function holding(answers: (string | null | Error)[]) {
  const clock = createFakeClock();
  let reads = 0;
  const get = (): Promise<string | null> => {
    const answer = answers[Math.min(reads++, answers.length - 1)]!;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { clock, key: createKeyCache({ get }, 'account/a', clock), reads: () => reads };
}

describe('the key of an account', () => {
  it('is fetched when it is first needed, once for all that need it, and again after a minute', async () => {
    const { clock, key, reads } = holding(['one', 'two']);
    expect(reads()).toBe(0);
    expect(await Promise.all([key.get(), key.get()])).toEqual(['one', 'one']);
    clock.advance(59_000);
    expect(await key.get()).toBe('one');
    clock.advance(1000);
    expect(await key.get()).toBe('two');
    expect(reads()).toBe(2);
    key.drop();
    expect(clock.pending()).toBe(0);
  });

  it('is asked for again where it could not be had', async () => {
    const { clock, key } = holding([new Error('locked'), null, 'one']);
    await expect(key.get()).rejects.toThrow('locked');
    expect(await key.get()).toBeNull();
    expect(await key.get()).toBe('one');
    key.drop();
    expect(clock.pending()).toBe(0);
  });

  it('is not that of before once it was dropped', async () => {
    const { key } = holding(['one', 'two']);
    await key.get();
    key.drop();
    expect(await key.get()).toBe('two');
    key.drop();
  });
});
