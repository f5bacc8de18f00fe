/** The command line against accounts elsewhere: a second Hangar, a cloud that costs money, and a Pod behind SSH. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRemote, type Remote } from '../../support/remote/remote.ts';
import { until } from '../../support/core/until.ts';
import { makeKey, startSshd, type TestKey, type TestSshd } from '../../support/ssh/sshd.ts';
import { hangar, json, openTerminal, serveHangar, whyNoTerminal, type ServedHangar } from './commandLine.ts';
import { skipFor, whyNotRoot } from '../../support/core/skip.ts';

const noTerminal = whyNoTerminal();
if (noTerminal !== null) console.warn(`SKIPPED: ${noTerminal}.`);

let served: ServedHangar;
let dataDir: string;
/** The home of the person, whose usual file of ~/.ssh is tried. */
let home: string;
let mine: TestKey;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hangar-home-'));
  await mkdir(join(home, '.ssh'));
  mine = await makeKey(join(home, '.ssh'), 'id_ed25519');
  served = await serveHangar({ HOME: home, SSH_AUTH_SOCK: undefined });
  dataDir = served.dataDir;
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

describe('a second Hangar as an account', () => {
  let other: ServedHangar;
  beforeAll(async () => {
    other = await serveHangar();
    const folder = join(other.dataDir, 'double');
    await mkdir(folder);
    await writeFile(join(folder, 'handler.mjs'), 'export default ({ input }) => input.n * 2;');
    await json(other.dataDir, ['deploy', folder]);
    const add = ['accounts', 'add', 'box', '--kind', 'engine', '--address', other.api];
    const added = await hangar(dataDir, add, { input: `${other.key}\n` });
    expect(added).toMatchObject({ code: 0, stderr: '' });
    // No key comes back.
    expect(added.stdout).not.toContain(other.key);
  });
  afterAll(() => other[Symbol.asyncDispose]());

  it('its endpoints are listed, and do jobs', async () => {
    const endpoints = (await json(dataDir, ['endpoints', '--account', 'box'])) as { name: string }[];
    expect(endpoints.map(({ name }) => name)).toContain('double');
    expect(await json(dataDir, ['run', 'double', '--account', 'box', '--input', '{"n": 21}'])).toBe(42);
    expect(await json(dataDir, ['jobs', '--account', 'box'])).toMatchObject([
      { accountName: 'box', endpointName: 'double', status: 'COMPLETED' },
    ]);
  });

  it('its log and its keys are there as those of this computer', async () => {
    await until(
      'a line of its log',
      () => json(dataDir, ['logs', 'double', '--account', 'box']),
      (lines) => JSON.stringify(lines).includes('The worker is started'),
    );
    await json(dataDir, ['keys', 'create', 'from-afar', '--account', 'box', '--endpoint', 'double']);
    expect(JSON.stringify(await json(other.dataDir, ['keys']))).toContain('from-afar');
  });

  it('it is added by the pairing link that it prints', async () => {
    const { link, isOpen } = (await json(other.dataDir, ['keys', 'pair'])) as { link: string; isOpen: boolean };
    expect(isOpen).toBe(false);
    const [address = '', code = ''] = link.split('#');
    const add = ['accounts', 'add', 'paired', '--kind', 'engine', '--address', address];
    expect(await hangar(dataDir, add, { input: `${code}\n` })).toMatchObject({ code: 0, stderr: '' });
    expect(await json(dataDir, ['accounts', 'test', 'paired'])).toMatchObject({ name: 'paired', state: 'ok' });
  });

  it('it is tested by name', async () => {
    expect(await json(dataDir, ['accounts', 'test', 'box'])).toMatchObject({ name: 'box', state: 'ok' });
  });

  it('a folder of this computer is not deployed there', async () => {
    const { code, stderr } = await hangar(dataDir, ['deploy', '.', '--account', 'box']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--image') as string });
  });

  it('a key that it does not take is refused with 5, and nothing is added', async () => {
    const add = ['accounts', 'add', 'wrong', '--kind', 'engine', '--address', other.api];
    expect(await hangar(dataDir, add, { input: 'rpa_no_such_key' })).toMatchObject({ code: 5 });
    expect(JSON.stringify(await json(dataDir, ['accounts']))).not.toContain('wrong');
  });

  it('the key is typed at a prompt that does not show it', skipFor(noTerminal), async () => {
    const adding = openTerminal(dataDir, ['accounts', 'add', 'typed', '--kind', 'engine', '--address', other.api]);
    await adding.sees('Key of typed:');
    adding.type(`${other.key}\r`);
    const { code, text, isRaw } = await adding.ended();
    expect({ code, isRaw }).toEqual({ code: 0, isRaw: false });
    expect(text).toContain('The account "typed" was added.');
    expect(text).not.toContain(other.key);
    await json(dataDir, ['accounts', 'remove', 'typed', '--yes']);
  });

  it('once it is away, what is asked of it ends with 5', async () => {
    await other.stop();
    expect(await hangar(dataDir, ['accounts', 'test', 'box'])).toMatchObject({ code: 5 });
    expect(await hangar(dataDir, ['endpoints', '--account', 'box'])).toMatchObject({ code: 5 });
    expect(await json(dataDir, ['accounts', 'remove', 'box', '--yes'])).toMatchObject({ removed: true });
  });
});

describe('an account that costs money', () => {
  let remote: Remote;
  let sshd: TestSshd;
  beforeAll(async () => {
    remote = await startRemote();
    sshd = await startSshd();
    const { jobs, management, graphql } = remote.v1;
    const addresses = ['--address', jobs, '--management', management, '--graphql', graphql];
    await json(dataDir, ['accounts', 'add', 'cloud', '--kind', 'addresses', ...addresses], { input: remote.key });
    await sshd.authorize(mine);
    remote.addPod({ name: 'trainer', ports: ['22/tcp'], ssh: { host: '127.0.0.1', port: sshd.port } });
    const [type] = remote.account.gpus;
    remote.addPod({ name: 'resting', status: 'EXITED', gpu: { id: type?.id ?? '', count: 1 } });
  });
  afterAll(async () => {
    await remote.stop();
    await sshd[Symbol.asyncDispose]();
  });

  it('a Pod is not started without a word about its price', async () => {
    const { code, stderr } = await hangar(dataDir, ['pods', 'start', 'resting', '--account', 'cloud']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/costs about \$\d+\.\d+ an hour.*add --yes/);
    const started = ['pods', 'start', 'resting', '--account', 'cloud', '--yes'];
    expect(await json(dataDir, started)).toMatchObject({ name: 'resting', desiredStatus: 'RUNNING' });
  });

  it('a Pod stops by itself as it is told, and says so', async () => {
    const autoStop = (...args: string[]) => ['pods', 'auto-stop', 'trainer', '--account', 'cloud', ...args];
    expect(await json(dataDir, autoStop())).toMatchObject({ rules: { idleMinutes: null, spendUsd: null } });
    expect(await json(dataDir, autoStop('--idle', '45', '--cost', '2.5'))).toMatchObject({
      rules: { idleMinutes: 45, spendUsd: 2.5 },
    });
    const { stdout } = await hangar(dataDir, [...autoStop('--cost', 'never'), '--table']);
    expect(stdout).toContain('The Pod "trainer" stops once it is idle for 45 min.');
    const { code, stderr } = await hangar(dataDir, autoStop('--idle', 'soon'));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Give a number from 1 to') as string });
    await json(dataDir, autoStop('--idle', 'never'));
  });

  it('nothing is deployed without a word about what it costs', async () => {
    const args = ['deploy', dataDir, '--name', 'paid', '--image', 'me/paid:1', '--account', 'cloud'];
    const { code, stderr } = await hangar(dataDir, args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/costs money.*add --yes/) as string });
    const made = (await json(dataDir, [...args, '--yes'])) as { endpointId: string };
    expect(made).toMatchObject({ outcome: 'made', name: 'paid' });
    expect(await json(dataDir, [...args, '--yes'])).toEqual({ ...made, outcome: 'unchanged' });
  });

  // The service tells of root alone, whom only root's own sshd lets in.
  describe('ssh', skipFor(noTerminal ?? whyNotRoot), () => {
    const ssh = (...command: string[]) => openTerminal(dataDir, ['ssh', 'trainer', '--account', 'cloud', ...command]);

    it('asks for the key of a new host, carries keys and sizes, and ends with the code of the shell', async () => {
      // A shell that is kept in tmux would end with the exit code of that.
      const terminal = ssh('--', 'bash', '--norc');
      await terminal.sees('Is it the right one? [y/N]');
      expect(terminal.text()).toContain(sshd.hostKey().fingerprint);
      terminal.type('y\r');
      await until('the prompt of the shell', terminal.text, (text) => /[#$] $/.test(text));
      terminal.type('echo $((6 * 7))\r');
      await terminal.sees('42');
      terminal.type(`until [ "$(stty size)" = "31 101" ]; do sleep 0.1; done; echo re''sized\r`);
      terminal.resize(101, 31);
      await terminal.sees('resized');
      terminal.type('exit 7\r');
      expect(await terminal.ended()).toMatchObject({ code: 7, isRaw: false });
    });

    it('a command has its own exit code, and needs no terminal', async () => {
      const args = ['ssh', 'trainer', '--account', 'cloud', '--', 'sh', '-c', 'echo out; exit 3'];
      const { code, stdout } = await hangar(dataDir, args);
      expect({ code, stdout }).toEqual({ code: 3, stdout: 'out\n' });
    });

    it('~. leaves, and nothing is left open', async () => {
      const terminal = ssh();
      // tmux draws the whole screen, so that empty lines may follow.
      await until('the prompt of the shell', terminal.text, (text) => /[#$] /.test(text));
      terminal.type('~.');
      expect(await terminal.ended()).toMatchObject({ code: 0, isRaw: false });
    });

    it('a shell without a terminal is refused', async () => {
      const { code, stderr } = await hangar(dataDir, ['ssh', 'trainer', '--account', 'cloud']);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('needs a terminal') as string });
    });
  });
});
