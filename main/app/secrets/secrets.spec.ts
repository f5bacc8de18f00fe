/**
 * Rules of where secrets are kept and how they move, over a keychain that can fail, a real encrypted file and real
 * memory.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SecretProblem } from '#contract/bridge/secrets.ts';
import { createFakeKeychain, type FakeKeychain } from '../../../test/support/secrets/fakeKeychain.ts';
import { createSecrets, type StoreState, type Secrets, type SecretsOptions } from './secrets.ts';

const PASSPHRASE = 'correct horse battery';
const none: SecretProblem = { trouble: 'missing', reason: 'There is no keychain.' };
const cheap = { N: 1024, r: 8, p: 1 };

let folder: string;
let fake: FakeKeychain;
let opened: Secrets[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hangar-secrets-'));
  fake = createFakeKeychain();
  opened = [];
});
afterEach(async () => {
  for (const secrets of opened) await secrets.stop();
  rmSync(folder, { recursive: true });
});

async function begin(initialState: Partial<SecretsOptions['initial']> = {}): Promise<Secrets> {
  const secrets = createSecrets({
    dataDir: folder,
    keychain: fake.keychain,
    logger: pino({ level: 'silent' }),
    clock: { now: () => 17 },
    cost: cheap,
    initial: { kind: null, passphrase: null, ...initialState },
  });
  opened.push(secrets);
  await secrets.start();
  return secrets;
}
const filePath = (): string => join(folder, 'secrets.vault');
const fill = async (secrets: Secrets): Promise<void> => {
  for (const n of [1, 2, 3]) await secrets.set(`account/${n}`, `key ${n}`);
};
/** The states that are told from now on. */
function statesOf(secrets: Secrets): StoreState[] {
  const states: StoreState[] = [];
  secrets.onState((state) => states.push(state));
  return states;
}
const read = (secrets: Secrets) => Promise.all([1, 2, 3].map((n) => secrets.get(`account/${n}`)));
const KEYS = ['key 1', 'key 2', 'key 3'];

describe('the place of secrets', () => {
  it('is the keychain where there is one, without being asked, and entries of two data folders do not meet', async () => {
    const secrets = await begin();
    expect(secrets.state()).toMatchObject({ kind: 'keychain', chosen: true, problem: null });
    await fill(secrets);
    const mine = folder;
    folder = mkdtempSync(join(tmpdir(), 'hangar-secrets-'));
    const other = await begin();
    expect(await read(other)).toEqual([null, null, null]);
    rmSync(folder, { recursive: true });
    folder = mine;
    expect(await read(await begin())).toEqual(KEYS);
  });

  it('is memory where there is no keychain and nobody has chosen, and nothing of it outlives the run or lies in a file', async () => {
    fake.away = none;
    const secrets = await begin();
    expect(secrets.state()).toMatchObject({ kind: 'memory', chosen: false, problem: null, keychainProblem: none });
    await fill(secrets);
    expect(await read(secrets)).toEqual(KEYS);
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).not.toContain('key 1');
    expect((await begin()).state()).toMatchObject({ kind: 'memory', entries: 0 });
  });

  it('is where whoever starts it says, unless somebody has chosen', async () => {
    const secrets = await begin({ kind: 'memory' });
    expect(secrets.state()).toMatchObject({ kind: 'memory', chosen: true });
    expect(fake.calls).toEqual([]);
    await secrets.choose('file', PASSPHRASE);
    expect((await begin({ kind: 'memory' })).state()).toMatchObject({ kind: 'file', problem: { trouble: 'locked' } });
  });

  it('is the encrypted file where a passphrase is given, opened at once', async () => {
    await fill(await begin({ passphrase: PASSPHRASE }));
    const later = await begin({ passphrase: PASSPHRASE });
    expect(later.state()).toMatchObject({ kind: 'file', problem: null });
    expect(await read(later)).toEqual(KEYS);
    const wrong = await begin({ passphrase: 'another passphrase' });
    expect(wrong.state().problem).not.toBeNull();
    await expect(wrong.get('account/1')).rejects.toMatchObject({ code: 'SECRETS_UNAVAILABLE' });
  });

  it('becomes the keychain, with what was kept in memory, once a keychain answers that did not', async () => {
    fake.away = none;
    const secrets = await begin();
    await fill(secrets);
    fake.away = null;
    fake.answersLate();
    await secrets.check();
    expect(secrets.state()).toMatchObject({ kind: 'keychain', entries: 3, keychainProblem: null });
    expect([...fake.entries.values()]).toEqual(KEYS);
  });

  it('says of itself what its store said last', async () => {
    const secrets = await begin();
    await fill(secrets);
    fake.fails = 'get account/1';
    await expect(secrets.get('account/1')).rejects.toMatchObject({ message: 'It broke.' });
    const broken = { trouble: 'failed', reason: 'It broke.' };
    expect(secrets.state()).toMatchObject({ problem: broken, keychainProblem: broken });
    expect(await secrets.get('account/2')).toBe('key 2');
    expect(secrets.state()).toMatchObject({ problem: null, keychainProblem: null });
  });

  it('stays what it is where the keychain that is chosen cannot be used, also without an entry to move', async () => {
    const secrets = await begin({ kind: 'memory' });
    const states = statesOf(secrets);
    fake.away = none;
    await expect(secrets.choose('keychain')).rejects.toMatchObject({ message: none.reason });
    expect(secrets.state()).toMatchObject({ kind: 'memory', entries: 0, problem: null, keychainProblem: none });
    expect(states).toEqual([secrets.state()]);
    expect((await begin({ kind: 'file' })).state()).toMatchObject({ kind: 'memory', chosen: true });
  });

  it('is the keychain again where that is chosen once it can be used', async () => {
    fake.away = none;
    const secrets = await begin();
    fake.away = null;
    expect(await secrets.choose('keychain')).toMatchObject({ kind: 'keychain', chosen: true, keychainProblem: null });
  });

  it('tells each state once', async () => {
    const secrets = await begin();
    const states = statesOf(secrets);
    expect(await secrets.check()).toEqual(secrets.state());
    expect(states).toEqual([]);
    await secrets.set('account/1', 'key 1');
    await secrets.set('account/1', 'another key 1');
    expect(states).toMatchObject([{ entries: 1 }]);
    fake.away = none;
    for (const _ of [1, 2]) await expect(secrets.get('account/1')).rejects.toThrow(none.reason);
    expect(states).toMatchObject([{ problem: null }, { problem: none }]);
  });

  it('says nothing of itself that the place before it says too late', async () => {
    const secrets = await begin();
    await fill(secrets);
    const open = Promise.withResolvers<void>();
    fake.gate = async (call) => (call.startsWith('get account/1') ? open.promise : undefined);
    const late = secrets.get('account/1');
    await secrets.choose('memory', undefined, true);
    fake.away = none;
    open.resolve();
    await expect(late).rejects.toThrow(none.reason);
    expect(secrets.state()).toMatchObject({ kind: 'memory', problem: null });
  });

  it('keeps its problem though the place before it answers too late', async () => {
    const secrets = await begin();
    await fill(secrets);
    const open = Promise.withResolvers<void>();
    fake.gate = async (call) => (call.startsWith('get account/1') ? open.promise : undefined);
    const late = secrets.get('account/1');
    await secrets.choose('file', PASSPHRASE, true);
    // Where the new file is to be written first there is a folder.
    mkdirSync(`${filePath()}.part`);
    await expect(secrets.set('account/2', 'key 2')).rejects.toMatchObject({ code: 'SECRETS_UNAVAILABLE' });
    open.resolve();
    expect(await late).toBe('key 1');
    expect(secrets.state()).toMatchObject({ kind: 'file', problem: { trouble: 'failed' } });
  });

  it.each([
    ['was cut off', (path: string) => writeFileSync(path, '{"kind":"fi'), 'JSON'],
    ['is a folder', (path: string) => mkdirSync(path), 'it is a folder'],
  ])('is made anew where what says it %s; that is set aside and said', async (_, damage, reason) => {
    const path = join(folder, 'secrets.json');
    damage(path);
    const secrets = await begin();
    expect(secrets.state()).toMatchObject({ kind: 'keychain', problem: null });
    const aside = join(folder, 'secrets.damaged-17.json');
    expect(secrets.notice).toContain(reason);
    expect(secrets.notice).toContain(`It was set aside as ${aside}.`);
    expect(existsSync(aside)).toBe(true);
    expect((await begin()).notice).toBeNull();
  });

  it('finds all entries of the encrypted file again, though what says where they are is damaged', async () => {
    await fill(await begin({ passphrase: PASSPHRASE }));
    writeFileSync(join(folder, 'secrets.json'), '');
    const secrets = await begin({ passphrase: PASSPHRASE });
    expect(secrets.state()).toMatchObject({ kind: 'file', entries: 3, problem: null });
    await secrets.choose('keychain');
    expect(await read(secrets)).toEqual(KEYS);
  });
});

describe('secrets that move', () => {
  it('are all in the new place before the old one is emptied', async () => {
    const secrets = await begin();
    await fill(secrets);
    await secrets.choose('file', PASSPHRASE);
    expect(secrets.state()).toMatchObject({ kind: 'file', entries: 3, fileExists: true });
    expect(fake.entries.size).toBe(0);
    expect(await read(secrets)).toEqual(KEYS);
    fake.calls = [];
    await secrets.choose('keychain');
    expect(secrets.state()).toMatchObject({ kind: 'keychain', fileExists: false });
    expect(fake.calls.map((call) => call.split(' ')[0])).toEqual(['set', 'get', 'set', 'get', 'set', 'get']);
    expect(await read(secrets)).toEqual(KEYS);
  });

  it('stay where they are when one of them cannot be moved, or is not kept as it was given', async () => {
    const secrets = await begin({ passphrase: PASSPHRASE });
    await fill(secrets);
    for (const fail of [() => (fake.fails = 'set account/2'), () => (fake.garbles = true)]) {
      fake.fails = '';
      fail();
      await expect(secrets.choose('keychain')).rejects.toMatchObject({
        code: 'SECRETS_UNAVAILABLE',
        details: { trouble: 'failed' },
      });
      expect(secrets.state()).toMatchObject({ kind: 'file', fileExists: true, entries: 3, problem: null });
      expect(await read(secrets)).toEqual(KEYS);
      expect(await read(await begin({ passphrase: PASSPHRASE }))).toEqual(KEYS);
    }
    fake.away = none;
    await expect(secrets.choose('keychain')).rejects.toMatchObject({ message: none.reason });
    expect(secrets.kind).toBe('file');
  });

  it('are in their new place though the old one could not be emptied, and that is said', async () => {
    const secrets = await begin();
    await fill(secrets);
    fake.fails = 'delete';
    const states = statesOf(secrets);
    await expect(secrets.choose('file', PASSPHRASE)).rejects.toThrow(/^All keys are in their new place/);
    expect(secrets.kind).toBe('file');
    expect(states.at(-1)).toMatchObject({ kind: 'file', problem: null });
    expect(await read(secrets)).toEqual(KEYS);
    expect(await read(await begin({ passphrase: PASSPHRASE }))).toEqual(KEYS);
  });

  it('miss nothing that is set while they move', async () => {
    const secrets = await begin();
    await fill(secrets);
    const reached = Promise.withResolvers<void>();
    const open = Promise.withResolvers<void>();
    fake.gate = async (call) => {
      if (!call.startsWith('get account/3')) return;
      reached.resolve();
      await open.promise;
    };
    const moving = secrets.choose('file', PASSPHRASE);
    await reached.promise;
    const setting = [secrets.set('account/1', 'another key 1'), secrets.set('account/4', 'key 4')];
    const reading = secrets.get('account/2');
    open.resolve();
    await Promise.all([moving, ...setting]);
    expect(await reading).toBe('key 2');
    expect(await secrets.get('account/1')).toBe('another key 1');
    expect(await secrets.get('account/4')).toBe('key 4');
    expect(fake.entries.size).toBe(0);
  });

  it('stay where they are when the place that is chosen is the one in use, which asks for no passphrase again', async () => {
    const secrets = await begin({ passphrase: PASSPHRASE });
    await fill(secrets);
    expect(await secrets.choose('file')).toMatchObject({ kind: 'file', entries: 3 });
    expect(await read(secrets)).toEqual(KEYS);
    expect(existsSync(`${filePath()}.old`)).toBe(false);
  });

  it('are left where they are where the person says so: a file is set aside, whose passphrase is lost', async () => {
    await fill(await begin({ passphrase: PASSPHRASE }));
    const before = readFileSync(filePath(), 'utf8');
    const secrets = await begin();
    expect(secrets.state().problem).toMatchObject({ trouble: 'locked' });
    await expect(secrets.choose('memory')).rejects.toMatchObject({ details: { trouble: 'locked' } });
    expect(secrets.kind).toBe('file');
    await secrets.choose('file', 'a new passphrase', true);
    expect(secrets.state()).toMatchObject({ kind: 'file', entries: 0, problem: null });
    expect(await read(secrets)).toEqual([null, null, null]);
    expect(readFileSync(`${filePath()}.old`, 'utf8')).toBe(before);
  });

  it.each(['memory', 'keychain'] as const)(
    'are kept in a file with another passphrase after a file whose passphrase is lost was given up for %s',
    async (next) => {
      await fill(await begin({ passphrase: PASSPHRASE }));
      const secrets = await begin();
      const left = await secrets.choose(next, undefined, true);
      expect(left).toMatchObject({ kind: next, problem: null, entries: 0, fileExists: false });
      expect(existsSync(`${filePath()}.old`)).toBe(true);
      await fill(secrets);
      expect(await secrets.choose('file', 'a new passphrase')).toMatchObject({ kind: 'file', entries: 3 });
      expect(await read(secrets)).toEqual(KEYS);
    },
  );
});

describe('a secret that is deleted', () => {
  it('is gone from its place, and nobody looks for it after the next start', async () => {
    const secrets = await begin();
    await fill(secrets);
    const states = statesOf(secrets);
    await secrets.delete('account/2');
    expect(await read(secrets)).toEqual(['key 1', null, 'key 3']);
    expect([...fake.entries.values()]).toEqual(['key 1', 'key 3']);
    expect(states).toMatchObject([{ entries: 2 }]);
    expect((await begin()).state()).toMatchObject({ entries: 2 });
  });

  it('is still known where its place could not delete it, so that a move takes it along', async () => {
    const secrets = await begin();
    await fill(secrets);
    fake.fails = 'delete account/2';
    await expect(secrets.delete('account/2')).rejects.toThrow('It broke.');
    expect(secrets.state()).toMatchObject({ entries: 3, problem: { trouble: 'failed' } });
    fake.fails = '';
    await secrets.choose('file', PASSPHRASE);
    expect(await read(secrets)).toEqual(KEYS);
    expect(fake.entries.size).toBe(0);
  });

  it('need not have been there', async () => {
    const secrets = await begin();
    await fill(secrets);
    await secrets.delete('account/7');
    expect(secrets.state()).toMatchObject({ entries: 3, problem: null });
  });
});

describe('a locked file', () => {
  it('gives nothing and takes nothing until it is unlocked, and says so', async () => {
    await fill(await begin({ passphrase: PASSPHRASE }));
    const secrets = await begin();
    const states: unknown[] = [];
    const stop = secrets.onState(({ problem }) => states.push(problem?.trouble ?? null));
    await expect(secrets.get('account/1')).rejects.toMatchObject({ details: { trouble: 'locked' } });
    await expect(secrets.set('account/5', 'key 5')).rejects.toMatchObject({ details: { trouble: 'locked' } });
    await expect(secrets.unlock('wrong passphrase')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(secrets.state().problem).toMatchObject({ trouble: 'locked' });
    expect((await secrets.unlock(PASSPHRASE)).problem).toBeNull();
    expect(await read(secrets)).toEqual(KEYS);
    expect(states.at(-1)).toBeNull();
    stop();
    await secrets.set('account/6', 'key 6');
    expect(states.at(-1)).toBeNull();
  });

  it('is open after its passphrase was changed, and opens with the new one only', async () => {
    await fill(await begin({ passphrase: PASSPHRASE }));
    const secrets = await begin();
    const states = statesOf(secrets);
    const wrong = secrets.changePassphrase('wrong passphrase', 'a new passphrase');
    await expect(wrong).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(secrets.state().problem).toMatchObject({ trouble: 'locked' });
    const changed = await secrets.changePassphrase(PASSPHRASE, 'a new passphrase');
    expect(changed).toMatchObject({ kind: 'file', problem: null, entries: 3 });
    expect(states).toEqual([changed]);
    expect(await read(secrets)).toEqual(KEYS);
    const later = await begin();
    await expect(later.unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await later.unlock('a new passphrase')).problem).toBeNull();
  });

  it('says nothing of the place in use where that is another one', async () => {
    await fill(await begin({ passphrase: PASSPHRASE }));
    const vault = readFileSync(filePath());
    const secrets = await begin({ passphrase: PASSPHRASE });
    await secrets.choose('keychain');
    writeFileSync(filePath(), vault);
    fake.away = none;
    await expect(secrets.get('account/1')).rejects.toThrow(none.reason);
    expect((await secrets.unlock(PASSPHRASE)).problem).toEqual(none);
    expect((await secrets.changePassphrase(PASSPHRASE, 'a new passphrase')).problem).toEqual(none);
  });

  it('that is not there has no passphrase to take or to change', async () => {
    const secrets = await begin();
    await expect(secrets.unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(secrets.changePassphrase(PASSPHRASE, 'another one')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(secrets.choose('file')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(existsSync(filePath())).toBe(false);
    expect(secrets.kind).toBe('keychain');
  });
});
