/**
 * An engine on another machine as an account: found out, tried, its key replaced, gone and back. A real engine answers.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountCapabilities, THIS_MACHINE } from '#contract/app/account.ts';
import type { AccountDraft } from '#contract/app/accountDraft.ts';
import { startAccountApp } from '../../support/accounts/accountApp.ts';
import { filesWith } from '../../support/disk/secretsInFiles.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { until } from '../../support/core/until.ts';

let engine: TestEngine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());

const draftOf = (key = engine.key, address = engine.address, name = 'GPU box'): AccountDraft => ({
  preset: 'engine',
  name,
  key,
  addresses: { jobs: address, management: null, graphql: null },
});

async function newKey(scope: 'all' | 'read' | 'jobs'): Promise<{ id: string; key: string }> {
  const answer = await engine.http.post('/local/v1/api-keys', { name: scope, scope });
  return answer.json as { id: string; key: string };
}

describe('an engine on another machine', () => {
  it('can do everything that this machine can, which a probe finds out without keeping anything', async () => {
    await using app = startAccountApp();
    expect(await app.changes.probe(draftOf())).toEqual({
      capabilities: [...accountCapabilities],
      lacks: [],
      state: 'ok',
      reason: null,
      nextTryAt: null,
    });
    expect(app.directory.list().map(({ id }) => id)).toEqual([THIS_MACHINE]);
    expect(readdirSync(app.dataDir)).toEqual([]);
  });

  it('is reached as this machine is, once it is added, and is there after a restart; its key is in no file', async () => {
    await using app = startAccountApp();
    const account = await app.changes.add(draftOf(engine.key, `${engine.address}/v2/`));
    expect(account).toMatchObject({ name: 'GPU box', kind: 'engine', address: engine.address, state: 'ok' });
    expect(account.key).toMatchObject({ last4: engine.key.slice(-4), keptIn: 'keychain' });
    await app.restart();
    expect(app.directory.get(account.id)).toMatchObject({ name: 'GPU box', state: 'unknown', key: account.key });
    expect(await app.directory.compute(account.id).local?.readiness()).toEqual([]);
    expect(app.directory.get(account.id)).toMatchObject({ state: 'ok' });
    expect(await filesWith(app.dataDir, account.id)).not.toEqual([]);
    expect(await filesWith(app.dataDir, engine.key)).toEqual([]);
  });

  it('is not added with a key that it does not take, nor where nobody answers, nor twice under one name', async () => {
    await using app = startAccountApp();
    const wrong = 'rpa_WRONG0000000000000000000000000000000000';
    await expect(app.changes.probe(draftOf(wrong))).resolves.toMatchObject({ state: 'refused', capabilities: [] });
    await expect(app.changes.add(draftOf(wrong))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(app.changes.add(draftOf(engine.key, 'http://127.0.0.1:9'))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('GPU box'),
    });
    expect(readdirSync(app.dataDir)).toEqual([]);
    const { id } = await app.changes.add(draftOf());
    await expect(app.changes.add({ ...draftOf(), name: 'gpu BOX' })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(app.kept.list().map((account) => account.id)).toEqual([id]);
  });

  it('that the person gives no name has that of its machine, and the second one of that name a number', async () => {
    await using app = startAccountApp();
    const nameless = { ...draftOf(), name: null };
    await expect(app.changes.add({ ...nameless, key: 'rpa_WRONG' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect((await app.changes.add(nameless)).name).toBe(hostname());
    expect((await app.changes.add(nameless)).name).toBe(`${hostname()} 2`);
  });

  it('with a key that is not good for everything says what cannot be done with it, and why', async () => {
    await using app = startAccountApp();
    const { key } = await newKey('jobs');
    const { state, capabilities, lacks } = await app.changes.add(draftOf(key));
    expect({ state, capabilities }).toEqual({
      state: 'ok',
      capabilities: accountCapabilities.filter((capability) => capability !== 'terminals'),
    });
    expect(lacks).toEqual([{ capability: 'terminals', reason: expect.stringMatching(/scope "jobs"/) }]);
  });

  it('gets another key only once that one works, and the old one is gone then', async () => {
    await using app = startAccountApp();
    const [first, second] = [await newKey('all'), await newKey('all')];
    const { id, key } = await app.changes.add(draftOf(first.key));
    await expect(app.changes.replaceKey(id, `${second.key}x`)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(app.directory.get(id)).toMatchObject({ state: 'ok', key });
    expect(await app.secrets.get(`account/${id}`)).toBe(first.key);

    expect(await app.changes.replaceKey(id, second.key)).toMatchObject({ key: { last4: second.key.slice(-4) } });
    expect(await app.secrets.get(`account/${id}`)).toBe(second.key);
    await engine.http.send('DELETE', `/local/v1/api-keys/${first.id}`);
    expect(await app.directory.compute(id).management.endpoints()).toEqual([]);
    // The engine has taken the key away that is in use.
    await engine.http.send('DELETE', `/local/v1/api-keys/${second.id}`);
    await expect(app.directory.compute(id).management.endpoints()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(app.directory.get(id)).toMatchObject({ state: 'refused', reason: expect.stringMatching(/key/) });
  });

  it('is added with a pairing code, which becomes a key of its own that is deleted again where adding fails', async () => {
    await using app = startAccountApp();
    const ourKeys = async () => {
      const keys = (await engine.http.get('/local/v1/api-keys')).json as { name: string }[];
      return keys.map(({ name }) => name).filter((name) => name.startsWith(ours));
    };
    const ours = `Hangar on ${hostname()}`;
    const newCode = async () => ((await engine.http.post('/local/v1/pairing-codes', {})).json as { code: string }).code;
    const code = await newCode();
    await expect(app.changes.probe(draftOf(code))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const account = await app.changes.add(draftOf(code));
    expect(account).toMatchObject({ state: 'ok', capabilities: accountCapabilities });
    expect(await app.secrets.get(`account/${account.id}`)).toMatch(/^rpa_/);
    expect(await ourKeys()).toEqual([ours]);
    await expect(app.changes.replaceKey(account.id, code)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringContaining('works once'),
    });
    await expect(
      app.changes.changeAddresses(
        account.id,
        { jobs: `${engine.address}/v3`, management: null, graphql: null },
        await newCode(),
      ),
    ).rejects.toThrow();
    expect(await ourKeys()).toEqual([ours]);

    // Another key takes its place, and then the account goes: no key of a pairing is left behind.
    await app.changes.replaceKey(account.id, await newCode());
    // It was made while the other one was still there.
    await until('one key of this computer', async () => (await ourKeys()).join(), `${ours} 2`);
    expect(app.directory.get(account.id)).toMatchObject({ state: 'ok' });
    await app.changes.remove(account.id);
    await until('no key of this computer', async () => (await ourKeys()).join(), '');
  });

  it('that was removed has no key any more, and nothing is sent there', async () => {
    await using app = startAccountApp();
    const { id } = await app.changes.add(draftOf());
    const { logs } = app.directory.compute(id);
    const broken = logs!.follow({}, 0, new AbortController().signal).next();
    broken.catch(() => undefined);
    await app.changes.remove(id);
    await expect(broken).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await app.secrets.get(`account/${id}`)).toBeNull();
    expect(() => app.directory.compute(id)).toThrow(/There is no account/);
    await app.restart();
    expect(app.kept.list()).toEqual([]);
    await expect(app.changes.remove(THIS_MACHINE)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('is called by its new name in what goes wrong after it was renamed', async () => {
    await using app = startAccountApp();
    await using box = await startEngine();
    const { id } = await app.changes.add(draftOf(box.key, box.address));
    app.changes.rename(id, 'The big one');
    await box.stop();
    await expect(app.directory.compute(id).management.endpoints()).rejects.toThrow(/^Cannot reach The big one/);
    expect(app.directory.get(id)).toMatchObject({ name: 'The big one', state: 'offline' });
    // It answers again, and is looked at anew because it was away.
    await box.restart();
    await app.directory.compute(id).management.endpoints();
    expect(app.directory.get(id)).toMatchObject({ state: 'ok', reason: null });
  });

  it('whose key is not where it was kept says so, and nothing is sent', async () => {
    await using app = startAccountApp();
    const { id } = await app.changes.add(draftOf());
    await app.restart();
    await app.secrets.delete(`account/${id}`);
    await expect(app.directory.compute(id).management.endpoints()).rejects.toThrow(/GPU box has no key/);
    expect(app.directory.get(id)).toMatchObject({ state: 'no-key' });
    await expect(app.changes.test(id)).rejects.toThrow(/GPU box has no key/);
  });

  it('tells of each change to whoever listens', async () => {
    await using app = startAccountApp();
    const lists: string[][] = [];
    const stop = app.directory.onChange(() => lists.push(app.directory.list().map(({ name }) => name)));
    const { id } = await app.changes.add(draftOf());
    app.changes.rename(id, 'Renamed');
    await app.changes.remove(id);
    stop();
    expect(lists).toEqual([['This computer', 'GPU box'], ['This computer', 'Renamed'], ['This computer']]);
  });
});

describe('the file of accounts', () => {
  it('keeps what it does not know, and what is damaged is set aside and said', async () => {
    await using app = startAccountApp();
    const { id } = await app.changes.add(draftOf());
    const path = join(app.dataDir, 'accounts.json');
    const file = JSON.parse(readFileSync(path, 'utf8')) as { accounts: object[] };
    writeFileSync(path, JSON.stringify({ later: 1, accounts: [{ ...file.accounts[0], colour: 'red' }, { id: 7 }] }));
    await app.restart();
    expect(app.notice).toMatch(/^1 of the accounts/);
    app.changes.rename(id, 'Kept');
    await until(
      'both are kept',
      () => readFileSync(path, 'utf8'),
      (now) => now.includes('Kept'),
    );
    const after = JSON.parse(readFileSync(path, 'utf8')) as { later: number; accounts: { colour: string }[] };
    expect(after).toMatchObject({ later: 1, accounts: [{ colour: 'red', name: 'Kept' }] });
    writeFileSync(path, '{"accounts": [');
    await app.restart();
    expect(app.notice).toMatch(/none could be read/);
    expect(app.kept.list()).toEqual([]);
    expect(readdirSync(app.dataDir).filter((name) => name.startsWith('accounts.damaged-'))).toHaveLength(2);
  });
});
