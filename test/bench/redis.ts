/** Redis for the peer that queues with it: whether it is there, and one server on loopback with a folder of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/http/freePort.ts';

/** When Redis syncs its append-only file: with every write, as the engine does, or once a second. */
export type RedisSync = 'always' | 'everysec';

const INSTALL = 'sudo apt-get update && sudo apt-get install -y --no-install-recommends redis-server';

const isInstalled = (packageName: string): boolean => {
  try {
    createRequire(import.meta.url).resolve(packageName);
    return true;
  } catch {
    return false;
  }
};

/** What to do before the peer on Redis can be measured; null where everything is there. */
export function reasonWithoutRedis(): string | null {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0) {
    return `redis-server is not installed. To install it on Debian: ${INSTALL}`;
  }
  // BullMQ loads its client by this name.
  return isInstalled('ioredis') ? null : 'the package ioredis is not installed. To install it: node scripts/setup.mjs';
}

export interface Redis {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** True once a server answers PING there. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString().startsWith('+PONG'));
    });
    socket.once('error', () => {
      resolve(false);
    });
  });

/** Starts a server as it comes, with its append-only file on, and waits until it answers. */
export async function startRedis(sync: RedisSync): Promise<Redis> {
  const folder = await mkdtemp(join(tmpdir(), 'hangar-redis-'));
  const port = await freePort();
  const options = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'yes',
    appendfsync: sync,
    // A rewrite would fall into some rounds and not into others.
    'auto-aof-rewrite-percentage': '0',
  };
  const child = spawn(
    'redis-server',
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`redis-server ended at its start (${child.exitCode})`);
  }
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
