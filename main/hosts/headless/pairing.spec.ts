/** Rules of pairing a browser. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../app/services/sessions.ts';
import { createPairing, type Pairing, type Tokens } from './pairing.ts';

let sessions: Session[];
let pairing: Pairing;
beforeEach(() => {
  sessions = [];
  const find = (hash: string) => sessions.find((session) => session.hash === hash) ?? null;
  const add = (session: Omit<Session, 'at'>) => {
    sessions = [...sessions.filter(({ hash }) => hash !== session.hash), { ...session, at: 0 }];
  };
  pairing = createPairing({ find, add }, 4711);
});

const knows = (header: string | undefined): boolean => pairing.session(header) !== null;
const enter = (token: string): Tokens => pairing.accept(token) ?? expect.fail('was not let in');
const cookieOf = (tokens: Tokens): string => pairing.cookie(tokens).split(';')[0] ?? '';

describe('pairing', () => {
  it('lets a browser in once per link', () => {
    const token = pairing.invite();
    expect(knows(cookieOf(enter(token)))).toBe(true);
    expect(pairing.accept(token)).toBeNull();
  });

  it('takes a new link as the end of the one before', () => {
    const first = pairing.invite();
    const second = pairing.invite();
    expect(pairing.accept(first)).toBeNull();
    expect(pairing.accept(second)).not.toBeNull();
  });

  it('lets nobody in by a link whose time is over', () => {
    let now = 0;
    const timed = createPairing({ find: () => null, add: () => undefined }, 4711, () => now);
    const token = timed.invite(1000);
    now = 1000;
    expect(timed.accept(token)).toBeNull();
    const another = timed.invite(1000);
    now = 1999;
    expect(timed.accept(another)).not.toBeNull();
  });

  it('refuses a wrong token without using up the right one', () => {
    const token = pairing.invite();
    for (const wrong of ['', 'x', `${token}x`, token.toUpperCase()]) expect(pairing.accept(wrong)).toBeNull();
    expect(pairing.accept(token)).not.toBeNull();
  });

  it('a browser that is paired again stays one browser, whose pages need the new token', () => {
    const first = enter(pairing.invite());
    const again = pairing.accept(pairing.invite(), 'Chrome', `a=b; ${cookieOf(first)}`) ?? expect.fail();
    expect(again.cookie).toBe(first.cookie);
    expect(sessions).toMatchObject([{ program: 'Chrome' }]);
    expect(pairing.isPage(cookieOf(again), again.page)).toBe(true);
    expect(pairing.isPage(cookieOf(again), first.page)).toBe(false);
  });

  it('a cookie that nobody was given is not kept', () => {
    const tokens = pairing.accept(pairing.invite(), 'Chrome', 'hangar_session_4711=mine') ?? expect.fail();
    expect(tokens.cookie).not.toBe('mine');
  });

  it('keeps hashes only', () => {
    const token = pairing.invite();
    const { cookie, page } = enter(token);
    expect(JSON.stringify(sessions)).not.toContain(cookie);
    expect(JSON.stringify(sessions)).not.toContain(page);
    expect(knows(`hangar_session_4711=${sessions[0]?.hash}`)).toBe(false);
  });

  it('finds its cookie among others, and takes no other instance’s for its own', () => {
    const { cookie } = enter(pairing.invite());
    expect(knows(`a=b; hangar_session_4711=${cookie}; c=d`)).toBe(true);
    expect(knows(`hangar_session_4712=${cookie}`)).toBe(false);
    expect(knows(undefined)).toBe(false);
  });

  it('connects a page that shows both tokens of one browser, and nobody who has the cookie alone', () => {
    const [one, other] = [enter(pairing.invite()), enter(pairing.invite())];
    expect(pairing.isPage(cookieOf(one), one.page)).toBe(true);
    for (const wrong of ['', one.cookie, other.page, `${one.page}x`]) {
      expect(pairing.isPage(cookieOf(one), wrong), wrong).toBe(false);
    }
    expect(pairing.isPage(undefined, one.page)).toBe(false);
  });

  it('sets a cookie that no script reads and no other site sends', () => {
    expect(pairing.cookie({ cookie: 's', page: 'p' })).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
  });
});
