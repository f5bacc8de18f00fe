/** Rules of how an account is doing, and of what is kept of it. */
import { describe, expect, it } from 'vitest';
import type { AccountKey } from '#contract/app/account.ts';
import { AppError } from '#contract/core/errors.ts';
import { createFakeClock } from '../../../test/support/core/fakeClock.ts';
import type { StoredAccount } from './accountFile.ts';
import { createAccountRepository } from './repository.ts';
import { noKey } from './health.ts';

const key: AccountKey = { fingerprint: 'abc', last4: '1234', addedAt: 1, keptIn: 'keychain' };
const address = 'https://a.example';
const account: StoredAccount = {
  id: 'a',
  name: 'Work',
  kind: 'cloud',
  dialect: 'v2',
  key,
  addedAt: 1,
  lastUsedAt: null,
  addresses: { jobs: address, management: address, graphql: null },
  capabilities: ['jobs'],
  lacks: [],
  probedAt: 1,
};

function keeping(...accounts: StoredAccount[]) {
  const clock = createFakeClock();
  const written: StoredAccount[][] = [];
  const disk = { full: false };
  const write = (next: readonly StoredAccount[]): void => {
    if (disk.full) throw new Error('ENOSPC');
    written.push([...next]);
  };
  const kept = createAccountRepository({ accounts, notice: null, write }, clock);
  const state = (id = 'a') => kept.find(id)?.state;
  return { clock, written, disk, kept, state };
}

const answeredWith = (code: 'UNAUTHORIZED' | 'NOT_FOUND' | 'UNAVAILABLE' | 'TOO_MANY_REQUESTS', status: number) =>
  new AppError(code, 'said so', { details: { status }, retryAfterMs: 30_000 });

describe('the state of an account', () => {
  it('is unknown until something was asked of it, then what its last request showed', () => {
    const { kept, state } = keeping(account);
    expect(state()).toBe('unknown');
    kept.answered('a');
    expect(state()).toBe('ok');
    kept.failed('a', new AppError('UNAVAILABLE', 'Cannot reach Work.'));
    expect(kept.find('a')).toMatchObject({ state: 'offline', reason: 'Cannot reach Work.' });
    kept.failed('a', answeredWith('NOT_FOUND', 404));
    expect(kept.find('a')).toMatchObject({ state: 'ok', reason: null });
    kept.failed('a', answeredWith('UNAUTHORIZED', 401));
    expect(state()).toBe('refused');
    kept.failed('a', new AppError('SECRETS_UNAVAILABLE', 'Unlock it.'));
    expect(kept.find('a')).toMatchObject({ state: 'locked', reason: 'Unlock it.' });
    kept.failed('a', noKey('Work'));
    expect(state()).toBe('no-key');
  });

  it('is not changed by what says nothing of the account: a proxy’s 502, a capability it lacks', () => {
    const { kept, state } = keeping(account);
    kept.failed('a', new AppError('UNAVAILABLE', 'Cannot reach Work.'));
    kept.failed('a', answeredWith('UNAVAILABLE', 502));
    kept.failed('a', new AppError('UNSUPPORTED', 'It has no such thing.'));
    expect(kept.find('a')).toMatchObject({ state: 'offline', reason: 'Cannot reach Work.' });
    kept.answered('a');
    kept.failed('a', answeredWith('UNAVAILABLE', 502));
    expect(state()).toBe('ok');
  });

  it('is slowed until the time that the service named, and ok by itself after it', () => {
    const { clock, kept, state } = keeping(account);
    let told = 0;
    kept.onChange(() => (told += 1));
    kept.failed('a', answeredWith('TOO_MANY_REQUESTS', 429));
    expect(kept.find('a')).toMatchObject({ state: 'slowed', nextTryAt: clock.now() + 30_000 });
    kept.answered('a');
    expect(state()).toBe('slowed');
    const before = told;
    clock.advance(30_000);
    expect(state()).toBe('ok');
    expect(told).toBe(before + 1);
    kept.failed('a', answeredWith('TOO_MANY_REQUESTS', 429));
    kept.stop();
    expect(clock.pending()).toBe(0);
  });

  it('is told once, however often a request shows the same', () => {
    const { kept } = keeping({ ...account, lastUsedAt: 2_000_000_000_000 });
    const told: string[] = [];
    kept.onChange((id) => told.push(id));
    for (let i = 0; i < 5; i++) kept.answered('a');
    for (let i = 0; i < 5; i++) kept.failed('a', new AppError('UNAVAILABLE', 'Cannot reach Work.'));
    expect(told).toEqual(['a', 'a']);
  });

  it('says that a key for one run only is gone with that run', () => {
    const { kept } = keeping(
      { ...account, key: { ...key, keptIn: 'memory' } },
      { ...account, id: 'b', name: 'B', key: null },
    );
    expect(kept.find('a')).toMatchObject({ state: 'no-key', key: null, reason: expect.stringContaining('one run') });
    expect(kept.find('b')).toMatchObject({ state: 'no-key' });
  });
});

describe('what is kept of an account', () => {
  it('when it was last used is written once a minute, and at the end', () => {
    const { clock, written, kept } = keeping(account);
    kept.answered('a');
    clock.advance(30_000);
    kept.answered('a');
    expect(written).toHaveLength(1);
    clock.advance(30_000);
    kept.answered('a');
    expect(written).toHaveLength(2);
    clock.advance(1000);
    kept.answered('a');
    kept.stop();
    expect(written.at(-1)).toMatchObject([{ lastUsedAt: clock.now() }]);
    expect(written).toHaveLength(3);
  });

  it('is what it was before where it cannot be written', () => {
    const { disk, kept } = keeping(account);
    disk.full = true;
    expect(() => kept.rename('a', 'Other')).toThrow('ENOSPC');
    expect(() => kept.remove('a')).toThrow('ENOSPC');
    const found = { capabilities: [], lacks: [], state: 'ok', reason: null, nextTryAt: null } as const;
    const reading = { name: 'New', kind: 'cloud', dialect: 'v2', addresses: account.addresses } as const;
    expect(() => kept.add('b', reading, key, { ...found, capabilities: [], lacks: [] })).toThrow('ENOSPC');
    // Using it fails nothing.
    kept.answered('a');
    expect(kept.list()).toMatchObject([{ id: 'a', name: 'Work', state: 'ok' }]);
  });

  it('are the capabilities of the last probe that reached it', () => {
    const { kept } = keeping(account);
    const offline = { capabilities: [], lacks: [], state: 'offline', reason: 'Away.', nextTryAt: null } as const;
    kept.setProbe('a', { ...offline, capabilities: [], lacks: [] });
    expect(kept.find('a')).toMatchObject({ state: 'offline', capabilities: ['jobs'], probedAt: 1 });
    kept.setProbe('a', { ...offline, state: 'ok', reason: null, capabilities: ['jobs', 'pods'], lacks: [] });
    expect(kept.find('a')).toMatchObject({ state: 'ok', capabilities: ['jobs', 'pods'] });
  });

  it('says where its key is after all keys were moved', () => {
    const { written, kept } = keeping(account);
    kept.keysMoved('file');
    expect(kept.find('a')?.key?.keptIn).toBe('file');
    kept.keysMoved('file');
    expect(written).toHaveLength(1);
  });
});
