import { describe, expect, it } from 'vitest';
import { PAIRING_MS, type ApiKeyCreate } from '#contract/local/engine.ts';
import { createFakeClock, createFakeIds } from '../../../../test/support/core/fakes.ts';
import { createApiKeys } from './apiKeys.ts';
import { createPairing, MOST_CODES } from './pairing.ts';

const nothing = (): void => undefined;

function setUp() {
  const clock = createFakeClock();
  const ids = createFakeIds();
  const store = { load: () => [], save: nothing, saveUse: nothing, delete: nothing, claimFirstStart: () => false };
  const keys = createApiKeys(store, ids, clock, 'run-key');
  const made: ApiKeyCreate[] = [];
  const create: typeof keys.create = (input) => {
    made.push(input);
    return keys.create(input);
  };
  const pairing = createPairing({ ...keys, create }, ids, clock);
  return { clock, keys, made, pairing };
}

describe('a pairing code', () => {
  it('becomes a key with all rights and the name of the computer, once', () => {
    const { keys, made, pairing } = setUp();
    const { code } = pairing.invite();
    const { key } = pairing.redeem({ code, name: 'Hangar on laptop' });
    expect(keys.check(key)).toMatchObject({ name: 'Hangar on laptop', scope: 'all' });
    expect(() => pairing.redeem({ code, name: 'another' })).toThrow(/works once, for 10 minutes/);
    expect(made).toHaveLength(1);
  });

  it('becomes a key with a number where a computer of the name was paired before', () => {
    const { keys, pairing } = setUp();
    for (let time = 0; time < 3; time += 1) pairing.redeem({ code: pairing.invite().code, name: 'Hangar on laptop' });
    const names = keys.list().map(({ name }) => name);
    expect(names).toEqual(['Hangar on laptop', 'Hangar on laptop 2', 'Hangar on laptop 3']);
  });

  it('expires', () => {
    const { clock, made, pairing } = setUp();
    const { code, expiresAt } = pairing.invite();
    expect(Date.parse(expiresAt)).toBe(clock.now() + PAIRING_MS);
    clock.advance(PAIRING_MS);
    expect(() => pairing.redeem({ code, name: 'late' })).toThrow(/Create another one/);
    expect(made).toEqual([]);
  });

  it('that was never made does not work', () => {
    const { made, pairing } = setUp();
    expect(() => pairing.redeem({ code: 'pair_0', name: 'stranger' })).toThrow(/does not work/);
    expect(made).toEqual([]);
  });

  it('is replaced by a newer one where there are too many', () => {
    const { pairing } = setUp();
    const [first, second] = Array.from({ length: MOST_CODES + 1 }, () => pairing.invite().code);
    expect(() => pairing.redeem({ code: first ?? '', name: 'a' })).toThrow(/does not work/);
    expect(pairing.redeem({ code: second ?? '', name: 'b' }).name).toBe('b');
  });
});
