/** SSH into Pods of this machine: the real client of OpenSSH against the server of the engine and real containers. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { podSshSchema, type PodSshFacts } from '#contract/local/ssh/podSsh.ts';
import { whyNoContainers } from '../../support/containers/engine.ts';
import { skipFor } from '../../support/core/skip.ts';
import { until } from '../../support/core/until.ts';
import { graphqlData } from '../../support/http/graphql.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { startPodEngine, type PodEngine } from '../../support/pods/podEngine.ts';
import { SHELL_IMAGE, type PodsOf } from '../../support/pods/pods.ts';
import { accepted } from '../../support/resources/resources.ts';
import { makePythonImage, makeShellImage } from '../../support/containers/images.ts';
import { makeKey, type TestKey } from '../../support/ssh/sshd.ts';

const PYTHON_IMAGE = 'hangar-python:1';
const none = whyNoContainers();

/** Says everything back, and listens at an address that only the container itself reaches. */
const ECHO = `
import signal, socket, sys, threading
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
s = socket.create_server(('127.0.0.1', 7000))
def serve(c):
    while True:
        part = c.recv(65536)
        if not part: break
        c.sendall(part)
    c.sendall(b'over')
    c.close()
while True:
    c, _ = s.accept()
    threading.Thread(target=serve, args=(c,), daemon=True).start()
`;

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

describe('SSH into a Pod of this machine', skipFor(none), () => {
  let started: PodEngine;
  let engine: TestEngine;
  let pods: PodsOf;
  let folder: string;
  let mine: TestKey;
  let other: TestKey;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hangar-ssh-'));
    mine = await makeKey(folder, 'mine');
    other = await makeKey(folder, 'other');
    started = await startPodEngine({
      async makeImage(docker) {
        await makeShellImage(docker, SHELL_IMAGE);
        await makePythonImage(docker, PYTHON_IMAGE);
      },
    });
    ({ engine, pods } = started);
  });
  afterEach(async () => {
    await allow();
    await pods.deleteAll();
  });
  afterAll(async () => {
    await started.close();
    await rm(folder, { recursive: true });
  });

  const allow = async (...keys: TestKey[]) =>
    accepted(await engine.http.send('PATCH', '/local/v1/settings', { ssh: { keys: keys.map(({ line }) => line) } }));
  const factsOf = async (id: string): Promise<PodSshFacts> =>
    podSshSchema.parse(accepted(await engine.http.get(`/local/v1/pods/${id}/ssh`)));

  async function makePod(fields: object = {}): Promise<string> {
    const { id } = await pods.make(fields);
    await pods.running(id);
    return id;
  }

  /** The arguments of `ssh` for a Pod. Nothing of the person's own configuration is read. */
  async function argsFor(id: string, key: TestKey, ...more: string[]): Promise<string[]> {
    const { port } = await factsOf(id);
    const options = ['UserKnownHostsFile=' + join(folder, 'known_hosts'), 'StrictHostKeyChecking=accept-new'];
    const set = ['IdentitiesOnly=yes', 'BatchMode=yes', 'LogLevel=ERROR', ...options].flatMap((option) => [
      '-o',
      option,
    ]);
    return ['-F', 'none', ...set, '-i', key.path, '-p', String(port), ...more, `${id}@127.0.0.1`];
  }
  function collect(child: ChildProcess): Promise<Ran> {
    let out = '';
    let err = '';
    child.stdout?.setEncoding('latin1').on('data', (text: string) => (out += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
  }
  async function ssh(
    id: string,
    command: string[],
    { key = mine, input = '', more = [] as string[] } = {},
  ): Promise<Ran> {
    const child = spawn('ssh', [...(await argsFor(id, key, ...more)), ...command]);
    const ran = collect(child);
    child.stdin.end(input);
    return ran;
  }

  test('a command has its exit code, its two outputs apart, and its input to the end', async () => {
    await allow(mine);
    const id = await makePod();
    expect(await ssh(id, ['echo out; echo err >&2; exit 7'])).toEqual({ code: 7, out: 'out\n', err: 'err\n' });
    const input = 'line\n'.repeat(200_000);
    expect(await ssh(id, ['cat'], { input })).toEqual({ code: 0, out: input, err: '' });
    expect(await ssh(id, ['echo "$RUNPOD_POD_ID" $LC_X'], { more: ['-o', 'SetEnv=LC_X=a HOME=b'] })).toMatchObject({
      out: `${id} a\n`,
    });
  });

  test('a shell has a terminal, which follows the size of the window', async () => {
    await allow(mine);
    const id = await makePod();
    const line = ['ssh', ...(await argsFor(id, mine, '-tt'))].map((part) => `'${part}'`).join(' ');
    // `script` gives the client a terminal of its own.
    const child = spawn('script', ['-qec', `tty; stty cols 91 rows 23; exec ${line}`, '/dev/null']);
    const ran = collect(child);
    let out = '';
    child.stdout.on('data', (text: string) => (out += text));
    const sees = (what: RegExp) =>
      until(
        `${what} in the terminal`,
        () => what.exec(out),
        (match) => match !== null,
      );
    const tty = /\/dev\/pts\/\d+/.exec((await sees(/\/dev\/pts\/\d+/))[0])![0];
    child.stdin.write('busybox stty size; echo "term=$TERM"\n');
    await sees(/23 91/);
    await sees(/term=\w+/);
    await promisify(execFile)('stty', ['-F', tty, 'cols', '70', 'rows', '10']);
    child.stdin.write('while [ "$(busybox stty size)" != "10 70" ]; do sleep 0.1; done; exit 3\n');
    expect((await ran).code).toBe(3);
  });

  test('a program ends with the connection, unless it has left its session', async () => {
    await allow(mine);
    const id = await makePod();
    const child = spawn('ssh', [...(await argsFor(id, mine)), 'busybox setsid sleep 4321 & echo up; sleep 1234']);
    const ended = once(child, 'close');
    child.stdout.setEncoding('utf8');
    await once(child.stdout, 'data');
    const running = async () => (await ssh(id, ['busybox ps -o args'])).out.match(/^sleep \d{4}$/gm) ?? [];
    await until('both to run', running, (list) => list.length === 2);
    child.kill();
    await ended;
    await until('the program to end', running, (list) => list.length === 1);
    expect(await running()).toEqual(['sleep 4321']);
  });

  test('a key that is not allowed, a password and another Pod are refused', async () => {
    const own = await makePod({ env: { PUBLIC_KEY: `# mine\n${mine.line}\ncommand="id" ${other.line}\n` } });
    const theirs = await makePod();
    expect(await factsOf(own)).toMatchObject({ problem: null, keys: [{ from: 'pod', fingerprint: mine.fingerprint }] });
    expect(await ssh(own, ['echo in'])).toMatchObject({ code: 0, out: 'in\n' });
    const refusal = { code: 255, out: '', err: expect.stringContaining('Permission denied (publickey)') as string };
    expect(await ssh(own, ['echo in'], { key: other })).toEqual(refusal);
    expect(await ssh(theirs, ['echo in'])).toEqual(refusal);
    const args = await argsFor(own, mine);
    const nobody = collect(spawn('ssh', [...args.slice(0, -1), 'nobody@127.0.0.1', 'echo in']));
    expect(await nobody).toEqual(refusal);
    expect(await factsOf(theirs)).toMatchObject({ keys: [], problem: expect.stringContaining('No key may sign in') });
  });

  test('the server opens with the first key, and the last one ends it with its connections', async () => {
    const id = await makePod();
    expect(await factsOf(id)).toMatchObject({ port: null, hostKey: null });
    const pubKey = mine.line;
    await graphqlData(engine, `mutation { updateUserSettings(input: { pubKey: "${pubKey}" }) { id } }`);
    const facts = await factsOf(id);
    expect(facts).toMatchObject({ host: '127.0.0.1', port: expect.any(Number), username: id, problem: null });
    // Another program may have the usual port.
    if (facts.port !== engine.port + 22) expect(facts.notice).toContain(`Port ${engine.port + 22} cannot be used`);
    expect(facts.keys).toMatchObject([{ from: 'account', fingerprint: mine.fingerprint }]);
    expect((await stat(join(engine.dataDir, 'ssh-host-key'))).mode & 0o777).toBe(0o600);
    const child = spawn('ssh', [...(await argsFor(id, mine)), 'echo up; exec sleep 1000']);
    const ran = collect(child);
    await once(child.stdout, 'data');
    await graphqlData(engine, 'mutation { updateUserSettings(input: { pubKey: "" }) { id } }');
    expect(await ran).toMatchObject({ code: 255 });
    expect(await factsOf(id)).toMatchObject({ port: null });
  });

  test('a port is forwarded, also one that listens inside the container only', async () => {
    await allow(mine);
    const id = await makePod({ imageName: PYTHON_IMAGE, dockerStartCmd: ['/bin/python3', '-c', ECHO] });
    // `-W` joins the streams of the client with a port.
    const forwarded = async (port: number, input: string) => {
      const child = spawn('ssh', await argsFor(id, mine, '-W', `localhost:${port}`));
      const ran = collect(child);
      child.stdin.end(input);
      return ran;
    };
    const input = 'x'.repeat(3_000_000);
    await until(
      'the server in the Pod to listen',
      () => forwarded(7000, 'a'),
      ({ out }) => out === 'aover',
    );
    const { out } = await forwarded(7000, input);
    expect(out.length).toBe(input.length + 4);
    expect(out === `${input}over`).toBe(true);
    expect(await forwarded(7001, '')).toMatchObject({ code: 255, err: expect.stringContaining('forwarding failed') });
    const elsewhere = spawn('ssh', await argsFor(id, mine, '-W', 'example.org:80'));
    expect(await collect(elsewhere)).toMatchObject({ code: 255, err: expect.stringContaining('forwarding failed') });
  });

  test('a key of RSA signs in, and after six wrong keys the connection is over', async () => {
    const rsa = await makeKey(folder, 'rsa', '', 'rsa');
    const wrong = await Promise.all(['1', '2', '3', '4', '5', '6'].map((name) => makeKey(folder, `wrong-${name}`)));
    await allow(rsa);
    const id = await makePod();
    expect(await ssh(id, ['echo in'], { key: rsa })).toMatchObject({ code: 0, out: 'in\n' });
    const identities = (keys: TestKey[]) => keys.flatMap(({ path }) => ['-i', path]);
    expect(await ssh(id, ['echo in'], { key: wrong[0]!, more: identities([...wrong.slice(1, 5), rsa]) })).toMatchObject(
      {
        code: 0,
      },
    );
    expect(await ssh(id, ['echo in'], { key: wrong[0]!, more: identities([...wrong.slice(1), rsa]) })).toMatchObject({
      code: 255,
    });
  });

  test('one connection has more sessions, one after the other, than it may have at once', async () => {
    await allow(mine);
    const id = await makePod();
    const control = join(folder, 'control');
    const master = spawn('ssh', [...(await argsFor(id, mine, '-MN', '-S', control))]);
    await until('the connection to be shared', () => existsSync(control));
    const shared = async () => {
      const { stdout } = await promisify(execFile)('ssh', ['-F', 'none', '-S', control, `${id}@127.0.0.1`, 'echo in']);
      return stdout;
    };
    for (let round = 0; round < 9; round++) {
      expect(await Promise.all(Array.from({ length: 8 }, shared))).toEqual(Array.from({ length: 8 }, () => 'in\n'));
    }
    const ended = once(master, 'close');
    master.kill();
    await ended;
  });

  test('a Pod that does not run says so, in words', async () => {
    await allow(mine);
    const id = await makePod();
    const other = await makePod();
    await pods.act(id, 'stop');
    await pods.untilFacts(id, 'the Pod to stop', ({ runtime }) => runtime === null);
    expect(await factsOf(other)).toMatchObject({ problem: null });
    const { code, err } = await ssh(id, ['echo in']);
    expect(code).toBe(255);
    expect(err).toContain('Start it.');
  });
});
