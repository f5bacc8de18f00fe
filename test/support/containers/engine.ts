import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Docker, { type ContainerInfo } from 'dockerode';
import { expectCode } from '#contract/core/systemCode.ts';
import { makeGround, whyNoGround } from './bridge.ts';
import { until } from '../core/until.ts';
import type { OwnNetwork } from './network.ts';

/** Why no container engine can be started here for the tests; null when one can. */
export function whyNoContainers(): string | null {
  if (process.platform !== 'linux') return 'the tests start a container engine of their own on Linux only';
  if (process.getuid?.() !== 0) return 'only root can start the container engine that the tests use (dockerd)';
  const missing = ['dockerd', 'busybox'].filter((name) => spawnSync('which', [name]).status !== 0);
  if (missing.length === 0) return whyNoGround();
  return (
    `${missing.join(' and ')} cannot be found. On Debian: apt-get update && ` +
    'apt-get install -y --no-install-recommends docker.io busybox-static'
  );
}

/** Why no container engine can have a network of its own here, with its rules; null when one can. */
export function whyNoOwnNetwork(): string | null {
  const noContainers = whyNoContainers();
  if (noContainers !== null) return noContainers;
  const { error, status, stderr } = spawnSync('unshare', ['--net', 'iptables', '-S'], { encoding: 'utf8' });
  if (status === 0) return null;
  return `the rules of a network cannot be set here: ${(error?.message ?? stderr).trim()}`;
}

/**
 * Containers reach the machine at the bridge; nothing else is wanted of the machine's network, and its rules are left
 * alone.
 */
const NO_RULES = ['--iptables=false', '--ip6tables=false', '--ip-forward=false', '--ip-masq=false'];

/** A real Docker engine of the test's own, with nothing in it. */
export interface TestContainerEngine extends AsyncDisposable {
  /** As DOCKER_HOST takes it. */
  readonly host: string;
  readonly docker: Docker;
  /** The containers that engines of ours have made, running or not. */
  ours(): Promise<ContainerInfo[]>;
  /** Ends it, as a person would who stops Docker. */
  stop(): Promise<void>;
  /** Ends it abruptly: connections to it break off, and its containers run on without it. */
  kill(): Promise<void>;
  /** Starts it again after `stop` or `kill`. */
  start(): Promise<void>;
  /** Ends it for good once the tests are over, and fails where they have left containers. */
  closeEmpty(): Promise<void>;
}

/** What the engine is told beyond where its files are. */
export interface ContainerEngineOptions {
  /** Where its images and containers go. */
  dataRoot?: string;
  /**
   * The network that it runs in, with the bridge (docker0) and the rules that it makes for itself, as a stock Docker does. Left
   * out: the machine's own network, with a bridge that is made for it, and without rules.
   */
  network?: Pick<OwnNetwork, 'under'>;
  /** A folder of programs that it finds before those of the system. */
  programs?: string;
}

/** Below its folder; written by dockerd. */
const CONTAINERD_PID = 'exec/containerd/containerd.pid';

/** Whether the process whose id is in this file runs. One that ended and that nobody waits for does not. */
function isRunning(pidFile: string): boolean {
  if (!existsSync(pidFile)) return false;
  try {
    const [, state] = /\) (\w)/.exec(readFileSync(`/proc/${readFileSync(pidFile, 'utf8').trim()}/stat`, 'utf8')) ?? [];
    return state !== 'Z';
  } catch (error) {
    expectCode(error, 'ENOENT', 'ESRCH');
    return false;
  }
}

/**
 * The address of this machine towards the containers of a container engine. It is there for as long as that engine is:
 * any other address of this machine may belong to the bridge of another test, and go with it.
 */
export async function bridgeAddressOf({ docker }: Pick<TestContainerEngine, 'docker'>): Promise<string> {
  const { IPAM } = (await docker.getNetwork('bridge').inspect()) as {
    IPAM: { Config: { Gateway?: string; Subnet: string }[] };
  };
  // It tells the gateway only where that was not its own choice: it chooses the first address.
  const { Gateway, Subnet } = IPAM.Config[0]!;
  return Gateway ?? Subnet.replace(/0\/\d+$/, '1');
}

/** Starts one, with all its files in a folder that goes with it. */
export async function startContainerEngine(options: ContainerEngineOptions = {}): Promise<TestContainerEngine> {
  const { folder, bridge, clear } = makeGround();
  const [program, ...args] = [...(options.network?.under ?? []), 'dockerd'] as [string, ...string[]];
  const socketPath = join(folder, 'docker.sock');
  const docker = new Docker({ host: '', socketPath });
  let child: ChildProcess | null = null;
  let output = '';

  async function start(): Promise<void> {
    const daemon = spawn(
      program,
      [
        ...args,
        '-H',
        `unix://${socketPath}`,
        '-p',
        join(folder, 'pid'),
        '--data-root',
        options.dataRoot ?? join(folder, 'data'),
        '--exec-root',
        join(folder, 'exec'),
        ...(options.network ? [] : ['--bridge', bridge, ...NO_RULES]),
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
        ...(options.programs !== undefined && {
          env: { ...process.env, PATH: `${options.programs}:${process.env['PATH'] ?? ''}` },
        }),
      },
    );
    child = daemon;
    for (const stream of [daemon.stdout, daemon.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-8000)));
    }
    await until('the container engine to answer', async () => {
      if (daemon.exitCode !== null) throw new Error(`dockerd ended with ${daemon.exitCode}. It said:\n${output}`);
      return existsSync(socketPath) && (await docker.ping().catch(() => null)) !== null;
    });
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const daemon = child;
    child = null;
    if (daemon === null || daemon.exitCode !== null) return;
    // Not `close`: what it started holds its output open while that runs on.
    const gone = once(daemon, 'exit');
    daemon.kill(signal);
    await gone;
    // The system kills it with its parent, but a loaded machine takes a while for it. A new daemon would use it.
    await until('the containerd of the container engine to end', () => !isRunning(join(folder, CONTAINERD_PID)));
    // A daemon that finds its id would wait for it, also where it has ended and its parent did not fetch its end yet.
    rmSync(join(folder, CONTAINERD_PID), { force: true });
  }

  async function close(): Promise<void> {
    try {
      // Those that a failed test has left would be given time to end by themselves.
      const left = child === null ? [] : await docker.listContainers({ all: true });
      // One that is being removed by somebody else goes as well.
      await Promise.allSettled(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true })));
    } finally {
      // Nothing of it is kept, so that it need not take the time to end well.
      const gone = child === null || child.exitCode !== null ? null : once(child, 'close');
      child?.kill('SIGKILL');
      clear();
      await gone;
    }
  }

  async function closeEmpty(): Promise<void> {
    let left: ContainerInfo[];
    try {
      left = await docker.listContainers({ all: true });
    } finally {
      await close();
    }
    if (left.length > 0)
      throw new Error(`Containers left after the tests: ${left.flatMap(({ Names }) => Names).join(', ')}`);
  }

  try {
    await start();
  } catch (error) {
    clear();
    throw error;
  }
  return {
    host: `unix://${socketPath}`,
    docker,
    ours: () => docker.listContainers({ all: true, filters: { label: ['hangar.data'] } }),
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    closeEmpty,
    [Symbol.asyncDispose]: close,
  };
}
