/**
 * Rules of where a whole Hangar keeps keys: with a keychain, without one, with one that hangs, and with an encrypted
 * file.
 */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shownKeySchema } from '#contract/bridge/apiKey.ts';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { ask, connect, newDataDir, pair, startHost, type Host } from '../headless/headlessHost.ts';
import { reasonForNoKeyring, startKeyring } from './keyring.ts';
import { skipFor } from '../../support/core/skip.ts';
import { filesWith } from '../../support/disk/secretsInFiles.ts';

const none = reasonForNoKeyring();
const ANY_PORTS = ['--json', '--port', '0', '--ui-port', '0'];
const NO_BUS = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus', DISPLAY: '' };
const PASSPHRASE = 'correct-horse-battery-staple';

// A start waits only a few seconds for the store of keys. A slow host may be ready before its store is open.

async function pageOf(host: Host) {
  const { ui } = await host.ready();
  const session = await pair(ui ?? '');
  return Object.assign(await connect(ui ?? '', session), { cookie: session.cookie, origin: new URL(ui ?? '').origin });
}

describe('keys of a host in a keychain', skipFor(none), () => {
  it('are kept there unless the person chose otherwise, and move to an encrypted file and back', async () => {
    await using keyring = await startKeyring();
    await using dataDir = await newDataDir();
    await using host = startHost(['--data-dir', dataDir.path, ...ANY_PORTS], { ...keyring.env, HANGAR_KEYS: '' });
    await using page = await pageOf(host);
    const { secrets } = page.client;
    const opened = { kind: 'keychain', chosen: true, problem: null, outlivesRun: true };
    await expect.poll(() => secrets.state()).toMatchObject(opened);
    const before = await secrets.state();
    expect(before.entries).toBeGreaterThan(0);
    expect(await secrets.choose({ kind: 'file', passphrase: PASSPHRASE })).toMatchObject({
      kind: 'file',
      fileExists: true,
      entries: before.entries,
      outlivesRun: true,
    });
    expect(await filesWith(dataDir.path, PASSPHRASE)).toEqual([]);
    expect(await secrets.choose({ kind: 'keychain' })).toMatchObject({ kind: 'keychain', fileExists: false });
  });

  it('that hangs do not hold up the start for long, nor the stop, and it is said', async () => {
    await using keyring = await startKeyring();
    keyring.hang();
    await using dataDir = await newDataDir();
    await using host = startHost(['--data-dir', dataDir.path, ...ANY_PORTS], {
      ...keyring.env,
      HANGAR_KEYS: 'keychain',
    });
    await using page = await pageOf(host);
    expect(await page.client.secrets.state()).toMatchObject({ kind: 'keychain', outlivesRun: false });
    expect((await host.stop()).code).toBe(0);
  });
});

describe('keys of a host without a keychain', () => {
  let dataDir: Awaited<ReturnType<typeof newDataDir>>;
  let host: Host;
  let page: Awaited<ReturnType<typeof pageOf>>;
  beforeAll(async () => {
    dataDir = await newDataDir();
    host = startHost(['--data-dir', dataDir.path, ...ANY_PORTS], { ...NO_BUS, HANGAR_KEYS: '' });
    page = await pageOf(host);
  });
  afterAll(async () => {
    await page[Symbol.asyncDispose]();
    await host[Symbol.asyncDispose]();
    await dataDir[Symbol.asyncDispose]();
  });

  it('end with the run until the person chooses, which is said, and lie in no file in plain text', async () => {
    const { secrets } = page.client;
    const missing = { kind: 'memory', chosen: false, keychainProblem: { trouble: 'missing' } };
    await expect.poll(() => secrets.state()).toMatchObject(missing);
    expect((await secrets.state()).outlivesRun).toBe(false);
    await expect(secrets.choose({ kind: 'keychain' })).rejects.toMatchObject({ code: 'SECRETS_UNAVAILABLE' });
    const chosen = await secrets.choose({ kind: 'file', passphrase: PASSPHRASE });
    expect(chosen).toMatchObject({ kind: 'file', chosen: true, problem: null, outlivesRun: true });
    await expect(secrets.changePassphrase({ from: 'not the one', to: PASSPHRASE })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('that are new API keys are shown once, to the person and no script, and lie in no file, no line and no answer of the bridge', async () => {
    const { apiKeys } = page.client;
    const made = await apiKeys.create({ accountId: THIS_MACHINE, name: 'for <me>', scope: 'read' });
    const shown = shownKeySchema.parse(made.shown);
    if (shown.how !== 'link') throw new Error('a browser is shown a link');
    const at = page.origin + shown.path;
    const cookie = { cookie: page.cookie };
    expect((await ask(at)).status).toBe(401);
    expect((await ask(at, { ...cookie, 'sec-fetch-mode': 'cors' })).status).toBe(403);
    const answer = await ask(at, { ...cookie, 'sec-fetch-mode': 'navigate' });
    const key = /rpa_\w+/.exec(answer.text)?.[0] ?? '';
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.text).not.toContain('<me>');
    expect(key.slice(-4)).toBe(made.record.last4);
    expect(JSON.stringify(made)).not.toContain(key);
    expect((await ask(at, cookie)).status).toBe(410);
    const { api } = await host.ready();
    expect((await ask(`${api}/v1/endpoints`, { authorization: key })).status).toBe(200);
    const { id } = made.record;
    const disabled = await apiKeys.update({ accountId: THIS_MACHINE, id, change: { disabled: true } });
    expect(disabled).toMatchObject({ disabled: true, lastUsedAt: expect.any(String) });
    expect((await ask(`${api}/v1/endpoints?api_key=${key}`, { authorization: key })).status).toBe(401);
    await apiKeys.delete({ accountId: THIS_MACHINE, id });
    expect((await apiKeys.list({ accountId: THIS_MACHINE })).some((one) => one.id === id)).toBe(false);
    const { stderr } = await host.stop();
    expect(stderr).not.toContain(key);
    expect(await filesWith(dataDir.path, key)).toEqual([]);
  });
});

describe('keys of a host in an encrypted file', () => {
  it('are opened at the start with a passphrase that no program it starts inherits, and locked without it', async () => {
    await using dataDir = await newDataDir();
    const args = ['--data-dir', dataDir.path, ...ANY_PORTS];
    {
      await using host = startHost(args, { ...NO_BUS, HANGAR_KEYS: 'file', HANGAR_PASSPHRASE: PASSPHRASE });
      await using page = await pageOf(host);
      const opened = { kind: 'file', problem: null, outlivesRun: true };
      await expect.poll(() => page.client.secrets.state()).toMatchObject(opened);
      if (process.platform === 'linux') {
        const children = await readFile(`/proc/${host.child.pid}/task/${host.child.pid}/children`, 'utf8');
        for (const pid of children.trim().split(' ').filter(Boolean)) {
          expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain(PASSPHRASE);
          expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(PASSPHRASE);
        }
      }
      const { stderr, stdout } = await host.stop();
      expect(stderr + stdout.join()).not.toContain(PASSPHRASE);
      expect(await filesWith(dataDir.path, PASSPHRASE)).toEqual([]);
    }
    await using host = startHost(args, { ...NO_BUS, HANGAR_KEYS: '' });
    await using page = await pageOf(host);
    const { secrets } = page.client;
    const locked = { kind: 'file', problem: { trouble: 'locked' }, outlivesRun: false };
    await expect.poll(() => secrets.state()).toMatchObject(locked);
    await expect(secrets.unlock({ passphrase: 'not the one' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await secrets.unlock({ passphrase: PASSPHRASE })).toMatchObject({ kind: 'file', problem: null });
  });
});
