/** The port of the SSH server: the usual one, a chosen one, and ports that cannot be used. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultSettings } from '#contract/local/settings.ts';
import { createFakeClock, createFakeIds, silentLogger } from '../../../../test/support/core/fakes.ts';
import { freePort } from '../../../../test/support/http/freePort.ts';
import { createSshServer, type SshServerOptions } from './server.ts';

const DISTANCE = 22;
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBB7d1TYmVUlVfXSmSvbkxJJdTLm5nLCEAJMGPkMMSdz me';
let dataDir: string;
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'hangar-ssh-port-'))));
afterEach(() => rm(dataDir, { recursive: true }));

/** Another program at a port that stays free once it has ended. */
async function otherProgram() {
  const port = await freePort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { port, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

/** The server with one Pod that runs and has a key. Without that `key`, it is not needed. */
function start(enginePort: number, port: number | null = null, key = KEY) {
  const pod = { id: 'pod', desiredStatus: 'RUNNING', env: { PUBLIC_KEY: key } };
  const current = { ...defaultSettings, ssh: { keys: [] as string[], port } };
  const onChange = () => () => undefined;
  const server = createSshServer({
    dataDir,
    clock: createFakeClock(),
    ids: createFakeIds(),
    logger: silentLogger,
    settings: { current, onChange },
    account: { pubKey: () => '', onChange },
    pods: { get: () => pod, record: () => pod, list: () => [pod], onChange },
    containers: { ofPod: async () => null },
  } as unknown as SshServerOptions);
  server.begin(enginePort);
  return {
    of: () => server.of('pod'),
    server: () => server.server(),
    ssh: current.ssh,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

test('with its usual port taken, it listens at another one and says why and what to do', async () => {
  await using other = await otherProgram();
  await using server = start(other.port - DISTANCE);
  const { port, problem, notice } = await server.of();
  expect({ port, problem }).toEqual({ port: expect.any(Number), problem: null });
  expect(port).not.toBe(other.port);
  expect(notice).toContain(`Port ${other.port} cannot be used`);
  expect(notice).toContain(`at ${port},`);
  expect(notice).toContain('choose one in Settings, SSH');
});

test('with the port of the engine near the last one, it says that its port changes', async () => {
  await using server = start(65_530);
  const { port, notice } = await server.of();
  expect(notice).toBe(
    `The server listens at ${port}, and at another port after the next start. For a port that stays, choose one in Settings, SSH (the setting ssh.port).`,
  );
});

test('at its usual port, it has nothing to say', async () => {
  const free = await otherProgram();
  await free[Symbol.asyncDispose]();
  await using server = start(free.port - DISTANCE);
  expect(await server.of()).toMatchObject({ port: free.port, problem: null });
  expect(await server.of()).not.toHaveProperty('notice');
});

test('with its chosen port taken, it stays closed, says what to do, and opens once the port is free', async () => {
  const other = await otherProgram();
  await using server = start(1, other.port);
  const { port, problem } = await server.of();
  expect(port).toBeNull();
  expect(problem).toContain(`Port ${other.port} is taken by another program. Free the port, or`);
  await other[Symbol.asyncDispose]();
  expect(await server.of()).toMatchObject({ port: other.port, problem: null });
});

test('it moves to a port as soon as that is chosen, and back once none is', async () => {
  const [usual, chosen] = [await otherProgram(), await otherProgram()];
  await Promise.all([usual, chosen].map((program) => program[Symbol.asyncDispose]()));
  await using server = start(usual.port - DISTANCE);
  expect(await server.server()).toMatchObject({ port: usual.port, chosenPort: null, usualPort: usual.port });
  server.ssh.port = chosen.port;
  expect(await server.server()).toMatchObject({ port: chosen.port, chosenPort: chosen.port, usualPort: usual.port });
  server.ssh.port = null;
  expect(await server.server()).toMatchObject({ port: usual.port, chosenPort: null, problem: null, notice: null });
});

test('while nobody needs it, it says that a chosen port is taken, and forgets that once the port is free', async () => {
  await using other = await otherProgram();
  await using server = start(1, other.port, '');
  const { port, problem } = await server.server();
  expect({ port, problem }).toEqual({ port: null, problem: expect.stringContaining(`Port ${other.port} is taken`) });
  await other[Symbol.asyncDispose]();
  expect(await server.server()).toMatchObject({ port: null, problem: null });
});

test('of the port of the engine it says what has it', async () => {
  await using engine = await otherProgram();
  await using server = start(engine.port, engine.port);
  expect((await server.server()).problem).toBe(
    `Port ${engine.port} is that of the API. For SSH, choose another one in Settings, SSH (the setting ssh.port).`,
  );
});

test('each key of the settings has its fingerprint; a line that is no key has none', async () => {
  await using server = start(1, null, '');
  server.ssh.keys.push(KEY, 'ssh-ed25519 nonsense');
  expect((await server.server()).keys).toEqual([
    { line: KEY, fingerprint: expect.stringMatching(/^SHA256:/) },
    { line: 'ssh-ed25519 nonsense', fingerprint: null },
  ]);
});
