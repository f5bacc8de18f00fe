/** Rules of pairing a browser. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createPairing, type Pairing } from './pairing.ts';

let kept: Set<string>;
let pairing: Pairing;
beforeEach(() => {
  kept = new Set();
  pairing = createPairing({ has: (hash) => kept.has(hash), add: (hash) => kept.add(hash) }, 4711);
});

const enter = (token: string): string => pairing.accept(token) ?? expect.fail('was not let in');

describe('pairing', () => {
  it('lets a browser in once per link', () => {
    const token = pairing.invite();
    const cookie = pairing.cookie(enter(token)).split(';')[0];
    expect(pairing.knows(cookie)).toBe(true);
    expect(pairing.accept(token)).toBeNull();
  });

  it('takes a new link as the end of the one before', () => {
    const first = pairing.invite();
    const second = pairing.invite();
    expect(pairing.accept(first)).toBeNull();
    expect(pairing.accept(second)).not.toBeNull();
  });

  it('refuses a wrong token without using up the right one', () => {
    const token = pairing.invite();
    for (const wrong of ['', 'x', `${token}x`, token.toUpperCase()]) expect(pairing.accept(wrong)).toBeNull();
    expect(pairing.accept(token)).not.toBeNull();
  });

  it('keeps hashes only', () => {
    const token = pairing.invite();
    const session = enter(token);
    expect([...kept].join()).not.toContain(session);
    expect(pairing.knows(`hangar_session_4711=${[...kept][0]}`)).toBe(false);
  });

  it('finds its cookie among others, and takes no other instance’s for its own', () => {
    const session = enter(pairing.invite());
    expect(pairing.knows(`a=b; hangar_session_4711=${session}; c=d`)).toBe(true);
    expect(pairing.knows(`hangar_session_4712=${session}`)).toBe(false);
    expect(pairing.knows(undefined)).toBe(false);
  });

  it('sets a cookie that no script reads and no other site sends', () => {
    expect(pairing.cookie('s')).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
  });
});
