/** Rules of how an account is doing, and of what is kept of it. */
import { pino } from 'pino';
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
  /** The messages of the log. */
  const logged: unknown[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const write = (next: readonly StoredAccount[]): void => {
    if (disk.full) throw new Error('ENOSPC');
    written.push([...next]);
  };
  const accountRepository = createAccountRepository({ accounts, notice: null, write }, clock, logger);
  const state = (id = 'a') => accountRepository.find(id)?.state;
  return { clock, written, disk, logged, accountRepository, state };
}

const answeredWith = (code: 'UNAUTHORIZED' | 'NOT_FOUND' | 'UNAVAILABLE' | 'TOO_MANY_REQUESTS', status: number) =>
  new AppError(code, 'said so', { details: { status }, retryAfterMs: 30_000 });

describe('the state of an account', () => {
  it('is unknown until something was asked of it, then what its last request showed', () => {
    const { accountRepository, state } = keeping(account);
    expect(state()).toBe('unknown');
    accountRepository.answered('a');
    expect(state()).toBe('ok');
    accountRepository.failed('a', new AppError('UNAVAILABLE', 'Cannot reach Work.'));
    expect(accountRepository.find('a')).toMatchObject({ state: 'offline', reason: 'Cannot reach Work.' });
    accountRepository.failed('a', answeredWith('NOT_FOUND', 404));
    expect(accountRepository.find('a')).toMatchObject({ state: 'ok', reason: null });
    accountRepository.failed('a', answeredWith('UNAUTHORIZED', 401));
    expect(state()).toBe('refused');
    accountRepository.failed('a', new AppError('SECRETS_UNAVAILABLE', 'Unlock it.'));
    expect(accountRepository.find('a')).toMatchObject({ state: 'locked', reason: 'Unlock it.' });
    accountRepository.failed('a', noKey('Work'));
    expect(state()).toBe('no-key');
  });

  it('is not changed by what says nothing of the account: a proxy’s 502, a capability it lacks', () => {
    const { accountRepository, state } = keeping(account);
    accountRepository.failed('a', new AppError('UNAVAILABLE', 'Cannot reach Work.'));
    accountRepository.failed('a', answeredWith('UNAVAILABLE', 502));
    accountRepository.failed('a', new AppError('UNSUPPORTED', 'It has no such thing.'));
    expect(accountRepository.find('a')).toMatchObject({ state: 'offline', reason: 'Cannot reach Work.' });
    accountRepository.answered('a');
    accountRepository.failed('a', answeredWith('UNAVAILABLE', 502));
    expect(state()).toBe('ok');
  });

  it('is slowed until the time that the service named, and ok by itself after it', () => {
    const { clock, accountRepository, state } = keeping(account);
    let changes = 0;
    accountRepository.onChange(() => (changes += 1));
    accountRepository.failed('a', answeredWith('TOO_MANY_REQUESTS', 429));
    expect(accountRepository.find('a')).toMatchObject({ state: 'slowed', nextTryAt: clock.now() + 30_000 });
    accountRepository.answered('a');
    expect(state()).toBe('slowed');
    const before = changes;
    clock.advance(30_000);
    expect(state()).toBe('ok');
    expect(changes).toBe(before + 1);
    accountRepository.failed('a', answeredWith('TOO_MANY_REQUESTS', 429));
    accountRepository.stop();
    expect(clock.pending()).toBe(0);
  });

  it('is told once, however often a request shows the same', () => {
    const { accountRepository } = keeping({ ...account, lastUsedAt: 2_000_000_000_000 });
    const changes: string[] = [];
    accountRepository.onChange((id) => changes.push(id));
    for (let i = 0; i < 5; i++) accountRepository.answered('a');
    for (let i = 0; i < 5; i++) accountRepository.failed('a', new AppError('UNAVAILABLE', 'Cannot reach Work.'));
    expect(changes).toEqual(['a', 'a']);
  });

  it('says that a key for one run only is gone with that run', () => {
    const { accountRepository } = keeping(
      { ...account, key: { ...key, keptIn: 'memory' } },
      { ...account, id: 'b', name: 'B', key: null },
    );
    expect(accountRepository.find('a')).toMatchObject({
      state: 'no-key',
      key: null,
      reason: expect.stringContaining('until Hangar quit'),
    });
    expect(accountRepository.find('b')).toMatchObject({ state: 'no-key' });
  });
});

describe('what is kept of an account', () => {
  it('when it was last used is written once a minute, and at the end', () => {
    const { clock, written, accountRepository } = keeping(account);
    accountRepository.answered('a');
    clock.advance(30_000);
    accountRepository.answered('a');
    expect(written).toHaveLength(1);
    clock.advance(30_000);
    accountRepository.answered('a');
    expect(written).toHaveLength(2);
    clock.advance(1000);
    accountRepository.answered('a');
    accountRepository.stop();
    expect(written.at(-1)).toMatchObject([{ lastUsedAt: clock.now() }]);
    expect(written).toHaveLength(3);
  });

  it('is what it was before where it cannot be written', () => {
    const { disk, logged, accountRepository } = keeping(account);
    disk.full = true;
    expect(() => accountRepository.rename('a', 'Other')).toThrow('ENOSPC');
    expect(() => accountRepository.remove('a')).toThrow('ENOSPC');
    const probeResult = { capabilities: [], lacks: [], state: 'ok', reason: null, nextTryAt: null } as const;
    const reading = { name: 'New', kind: 'cloud', dialect: 'v2', addresses: account.addresses } as const;
    expect(() => accountRepository.add('b', reading, key, { ...probeResult, capabilities: [], lacks: [] })).toThrow(
      'ENOSPC',
    );
    // Using it fails nothing, and the log has the reason.
    expect(logged).toEqual([]);
    accountRepository.answered('a');
    expect(logged).toMatchObject([{ err: { message: 'ENOSPC' } }]);
    expect(accountRepository.list()).toMatchObject([{ id: 'a', name: 'Work', state: 'ok' }]);
  });

  it('are the capabilities of the last probe that reached it', () => {
    const { accountRepository } = keeping(account);
    const offline = { capabilities: [], lacks: [], state: 'offline', reason: 'Away.', nextTryAt: null } as const;
    accountRepository.setProbe('a', { ...offline, capabilities: [], lacks: [] });
    expect(accountRepository.find('a')).toMatchObject({ state: 'offline', capabilities: ['jobs'], probedAt: 1 });
    accountRepository.setProbe('a', {
      ...offline,
      state: 'ok',
      reason: null,
      capabilities: ['jobs', 'pods'],
      lacks: [],
    });
    expect(accountRepository.find('a')).toMatchObject({ state: 'ok', capabilities: ['jobs', 'pods'] });
  });

  it('says where its key is after all keys were moved', () => {
    const { written, accountRepository } = keeping(account);
    accountRepository.keysMoved('file');
    expect(accountRepository.find('a')?.key?.keptIn).toBe('file');
    accountRepository.keysMoved('file');
    expect(written).toHaveLength(1);
  });
});
