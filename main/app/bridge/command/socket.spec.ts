/** Rules of the socket of the command line: its path, who may use it, and what is left of it. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { os } from '@orpc/server';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BridgeRouter } from '../router.ts';
import { makeSocketFolder, socketPaths } from './socketPath.ts';
import { createCommandSocket, type CommandSocket } from './socket.ts';
import { needsPosix } from '../../../../test/support/core/skip.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hangar-socket-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the path of the socket', () => {
  it('is below the data folder where a socket address can hold that', () => {
    expect(socketPaths('/data', {}, 'linux')[0]).toBe(join('/data', 'run', 'command.sock'));
  });

  it('is a private folder elsewhere for a data folder with a long path, another one for each', () => {
    const long = `/data/${'x'.repeat(100)}`;
    const [first, second] = socketPaths(long, { XDG_RUNTIME_DIR: '/run/user/1' }, 'linux');
    expect(first).toMatch(/^\/run\/user\/1\/hangar-[0-9a-f]{16}\/command\.sock$/);
    expect(second?.startsWith(tmpdir())).toBe(true);
    expect(socketPaths(`${long}y`, { XDG_RUNTIME_DIR: '/run/user/1' }, 'linux')[0]).not.toBe(first);
  });

  it('is a pipe on Windows', () => {
    expect(socketPaths('C:\\data', {}, 'win32')).toEqual([
      expect.stringMatching(/^\\\\\.\\pipe\\hangar-[0-9a-f]{16}$/),
    ]);
  });

  it('is no folder that is a link, or that was not made by the same user', () => {
    const target = join(folder, 'target');
    mkdirSync(target);
    symlinkSync(target, join(folder, 'link'));
    expect(() => makeSocketFolder(join(folder, 'link', 'command.sock'))).toThrow('belongs to another user');
  });
});

describe('the socket', needsPosix, () => {
  let socket: CommandSocket;
  let path: string;
  beforeEach(async () => {
    mkdirSync(join(folder, 'run'), { mode: 0o755 });
    // A run that was killed leaves its socket behind.
    writeFileSync(join(folder, 'run', 'command.sock'), '');
    // The rules are those of the socket; what it serves is the business of the router.
    const router = { host: { info: os.handler(() => 'ours') } } as unknown as BridgeRouter;
    const directory = { compute: () => expect.unreachable(), get: () => expect.unreachable() };
    socket = createCommandSocket({
      dataDir: folder,
      router,
      directory,
      engineHost: '127.0.0.1',
      logger: pino({ level: 'silent' }),
    });
    path = (await socket.listen()) ?? '';
  });
  afterEach(() => socket.stop());

  /** The status of the answer to a request to be upgraded. */
  const upgrade = (at: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const asking = request({
        socketPath: path,
        path: at,
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
          ...headers,
        },
      });
      asking.on('upgrade', ({ statusCode }, stream) => {
        stream.destroy();
        resolve(statusCode);
      });
      asking.on('response', ({ statusCode, destroy }) => {
        void destroy;
        asking.destroy();
        resolve(statusCode);
      });
      asking.on('error', reject);
      asking.end();
    });

  it('is for its owner only', () => {
    expect(modeOf(dirname(path))).toBe('700');
    expect(modeOf(path)).toBe('600');
  });

  it('takes a program, and no page of a browser', async () => {
    expect(await upgrade('/rpc')).toBe(101);
    expect(await upgrade('/rpc', { origin: 'http://127.0.0.1:47801' })).toBe(403);
    expect(await upgrade('/rpc', { origin: 'null' })).toBe(403);
    expect(await upgrade('/other')).toBe(404);
  });

  it('leaves nothing behind', async () => {
    await socket.stop();
    expect(existsSync(dirname(path))).toBe(false);
  });
});
