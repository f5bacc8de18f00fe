/** `hangar doctor` as a whole program: with and without a running Hangar, Docker, D-Bus and Python. */
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { skipFor } from '../../support/core/skip.ts';
import { reasonForNoKeyring, startKeyring } from '../secrets/keyring.ts';
import { hangar, serveHangar, type RunOptions } from './commandLine.ts';

const keyringOrSkip = skipFor(reasonForNoKeyring());

const reportSchema = z.object({
  running: z.boolean(),
  checks: z.array(z.object({ name: z.string(), state: z.enum(['ok', 'warning', 'problem']), text: z.string() })),
});

let folder: string;
let empty: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hangar-doctor-'));
  empty = join(folder, 'no-programs');
  await mkdir(empty);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A machine without Docker, D-Bus, Python and programs of GPU makers, whatever the machine of the tests has. */
const bare = (): Record<string, string | undefined> => ({
  PATH: empty,
  HOME: empty,
  XDG_RUNTIME_DIR: empty,
  DOCKER_HOST: `unix://${join(empty, 'docker.sock')}`,
  CONTAINER_HOST: undefined,
  DBUS_SESSION_BUS_ADDRESS: undefined,
  HANGAR_PYTHON: undefined,
});

async function examine(dataDir: string, env: RunOptions['env'] = {}) {
  const { code, stdout, stderr } = await hangar(dataDir, ['doctor'], { env });
  const { checks, running } = reportSchema.parse(JSON.parse(stdout));
  return { code, stderr, running, of: (name: string) => checks.find((check) => check.name === name) };
}

describe('without a running Hangar', () => {
  it('a machine without Docker, D-Bus and Python gets warnings that say what to do', async () => {
    const { running, of } = await examine(join(folder, 'none'), bare());
    expect(running).toBe(false);
    expect(of('Hangar')).toMatchObject({ state: 'warning', text: expect.stringContaining('hangar serve') as string });
    expect(of('Containers')).toMatchObject({ state: 'warning', text: expect.stringContaining('Docker') as string });
    expect(of('Keychain')).toMatchObject({
      state: 'warning',
      text: expect.stringContaining('encrypted file') as string,
    });
    expect(of('Python')).toMatchObject({ state: 'warning', text: expect.stringContaining('Install Python') as string });
    expect(of('Data folder')).toMatchObject({ state: 'ok' });
    expect(of('Disk')?.text).toMatch(/free/);
  });

  it('Docker and Python that are there are named with their versions', async () => {
    const socket = join(folder, 'docker.sock');
    const engine = createServer(({ url = '' }, response) => {
      response.setHeader('content-type', 'application/json');
      const answer = url.endsWith('/version') ? { Version: '28.9.9', Components: [] } : { OSType: 'linux' };
      response.end(url.endsWith('/_ping') ? 'OK' : JSON.stringify(answer));
    });
    engine.listen(socket);
    await once(engine, 'listening');
    const python = join(folder, 'python');
    await writeFile(python, '#!/bin/sh\necho "3.12.4 /opt/python3"\n');
    await chmod(python, 0o755);
    const { of } = await examine(join(folder, 'none'), {
      ...bare(),
      DOCKER_HOST: `unix://${socket}`,
      HANGAR_PYTHON: python,
    });
    engine.close();
    expect(of('Containers')).toEqual({
      name: 'Containers',
      state: 'ok',
      text: `Docker 28.9.9 at unix://${socket}`,
    });
    expect(of('Python')).toMatchObject({ state: 'ok', text: '3.12.4' });
  });

  it(
    'a keychain that answers over D-Bus is ok, and one that is missing there is a warning',
    keyringOrSkip,
    async () => {
      await using keyring = await startKeyring();
      const { of } = await examine(join(folder, 'none'), { ...bare(), ...keyring.env });
      expect(of('Keychain')).toEqual({ name: 'Keychain', state: 'ok', text: 'it can store keys' });
      await using bus = await startKeyring({ withKeyring: false });
      const alone = await examine(join(folder, 'none'), { ...bare(), ...bus.env });
      expect(alone.of('Keychain')).toMatchObject({
        state: 'warning',
        text: expect.stringContaining('gnome-keyring') as string,
      });
    },
  );

  it('a data folder that is a file is a problem, and the exit code is 1', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const { code, of } = await examine(file, bare());
    expect(code).toBe(1);
    expect(of('Data folder')).toMatchObject({ state: 'problem', text: expect.stringContaining('is a file') as string });
  });

  it('other users who can look into the data folder are a warning', async () => {
    const open = join(folder, 'open');
    await mkdir(open);
    await chmod(open, 0o755);
    expect((await examine(open, bare())).of('Data folder')).toMatchObject({ state: 'warning' });
  });

  it('--paths says that nothing is kept, and lists what is', async () => {
    const none = await hangar(join(folder, 'none'), ['doctor', '--paths', '--table']);
    expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining('There is no data yet') as string });
    const dataDir = join(folder, 'left');
    await mkdir(join(dataDir, 'logs'), { recursive: true });
    await writeFile(join(dataDir, 'logs', 'app.log'), 'x'.repeat(2000));
    const { stdout } = await hangar(dataDir, ['doctor', '--paths']);
    expect(JSON.parse(stdout)).toMatchObject({
      dataDir,
      isDone: true,
      places: [{ kind: 'logs', what: 'logs', path: join(dataDir, 'logs'), bytes: 2000 }],
    });
  });
});

describe('with a running Hangar', () => {
  it('it tells what that Hangar sees of the machine, and where it keeps everything', async () => {
    const node = join(folder, 'with-node');
    await mkdir(node);
    await symlink(process.execPath, join(node, 'node'));
    await using served = await serveHangar({ ...bare(), PATH: node });
    const { code, running, of } = await examine(served.dataDir);
    expect({ code, running }).toEqual({ code: 0, running: true });
    expect(of('Hangar')).toMatchObject({ state: 'ok', text: expect.stringContaining('runs (headless') as string });
    expect(of('Engine')).toMatchObject({ state: 'ok', text: `at ${served.api}` });
    expect(of('Keys')).toMatchObject({ state: 'ok', text: expect.stringContaining('this run only') as string });
    // Those of the running Hangar, and not of the shell of the command.
    expect(of('Containers')).toMatchObject({ state: 'warning' });
    expect(of('Python')).toMatchObject({ state: 'warning' });
    const { stdout } = await hangar(served.dataDir, ['doctor', '--paths', '--table']);
    expect(stdout).toContain(join(served.dataDir, 'ledger.db'));
  });
});
