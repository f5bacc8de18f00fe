import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker, { type ContainerInfo } from 'dockerode';
import { until } from './until.ts';

const START_MS = 30_000;

/** Why no container engine can be started here for the tests; null when one can. */
export function whyNoContainers(): string | null {
  if (process.platform !== 'linux') return 'the tests start a container engine of their own on Linux only';
  if (process.getuid?.() !== 0) return 'only root can start the container engine that the tests use (dockerd)';
  const missing = ['dockerd', 'iptables', 'busybox'].filter((name) => spawnSync('which', [name]).status !== 0);
  if (missing.length === 0) return null;
  return (
    `${missing.join(' and ')} cannot be found. On Debian: apt-get update && ` +
    'apt-get install -y --no-install-recommends docker.io iptables busybox-static'
  );
}

/** A real Docker engine of the test's own, with nothing in it. */
export interface TestContainerEngine extends AsyncDisposable {
  /** As DOCKER_HOST takes it. */
  readonly host: string;
  readonly docker: Docker;
  /** The containers that engines of ours have made, running or not. */
  ours(): Promise<ContainerInfo[]>;
  /** Ends it, as a person would who stops Docker. */
  stop(): Promise<void>;
  /** Starts it again after `stop`. */
  start(): Promise<void>;
}

/** Starts one, with all its files in a folder that goes with it. */
export async function startContainerEngine(): Promise<TestContainerEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'hangar-docker-'));
  const socketPath = join(folder, 'docker.sock');
  const docker = new Docker({ host: '', socketPath });
  let child: ChildProcess | null = null;
  let said = '';

  async function start(): Promise<void> {
    const daemon = spawn(
      'dockerd',
      [
        ...['-H', `unix://${socketPath}`, '-p', join(folder, 'pid')],
        ...['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    child = daemon;
    for (const stream of [daemon.stdout, daemon.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-8000)));
    }
    await until(
      'the container engine to answer',
      async () => {
        if (daemon.exitCode !== null) throw new Error(`dockerd ended with ${daemon.exitCode}. It said:\n${said}`);
        return existsSync(socketPath) && (await docker.ping().catch(() => null)) !== null;
      },
      { withinMs: START_MS, everyMs: 50 },
    );
  }

  async function stop(): Promise<void> {
    const daemon = child;
    child = null;
    if (daemon === null || daemon.exitCode !== null) return;
    const gone = once(daemon, 'close');
    daemon.kill('SIGTERM');
    await gone;
  }

  await start();
  return {
    host: `unix://${socketPath}`,
    docker,
    ours: () => docker.listContainers({ all: true, filters: { label: ['hangar.data'] } }),
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      // The namespace of the machine's own network, which it leaves mounted.
      spawnSync('umount', [join(folder, 'exec/netns/default')]);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
