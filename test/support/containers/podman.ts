import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Docker, { type ContainerInfo } from 'dockerode';
import { makeGround } from './bridge.ts';
import { whyNoOwnNetwork } from './engine.ts';
import { until } from '../core/until.ts';
import type { OwnNetwork } from './network.ts';

/** Why no Podman can be started here for the tests; null when one can. */
export function whyNoPodman(): string | null {
  const missing = ['podman', 'runc'].filter((name) => spawnSync('which', [name]).status !== 0);
  if (missing.length === 0) return whyNoOwnNetwork();
  return (
    `${missing.join(' and ')} cannot be found. On Debian: apt-get update && ` +
    'apt-get install -y --no-install-recommends podman netavark runc'
  );
}

/** A real Podman with root, with nothing in it, and its socket. */
export interface TestPodman {
  /** As DOCKER_HOST takes it. */
  readonly host: string;
  readonly docker: Docker;
  /** The containers that engines of ours have made, running or not. */
  ours(): Promise<ContainerInfo[]>;
  /** Ends it and removes what is in it. */
  close(): Promise<void>;
}

/**
 * It asks no systemd for control groups. Without limits of its own, it asks for more open files than may be had here.
 */
const configuration = (folder: string): string => `
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[network]
network_backend = "netavark"
network_config_dir = "${folder}/networks"
`;

/** Starts one in a network of its own: the bridge that it makes with its first container is nobody else's. */
export async function startPodman(network: OwnNetwork): Promise<TestPodman> {
  const { folder, clear } = makeGround();
  const socketPath = join(folder, 'podman.sock');
  const conf = join(folder, 'containers.conf');
  writeFileSync(conf, configuration(folder));
  mkdirSync(join(folder, 'networks'));
  const [program, ...args] = network.under;
  const storage = ['--root', join(folder, 'data'), '--runroot', join(folder, 'run'), '--tmpdir', join(folder, 'tmp')];
  const podman = ['podman', ...storage, '--storage-driver', 'vfs'];
  const service = spawn(program, [...args, ...podman, 'system', 'service', '--time=0', `unix://${socketPath}`], {
    env: { ...process.env, CONTAINERS_CONF: conf },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let output = '';
  service.stderr.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-8000)));
  const docker = new Docker({ host: '', socketPath });
  async function close(): Promise<void> {
    const left = await docker.listContainers({ all: true }).catch(() => []);
    await Promise.allSettled(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true })));
    const gone = service.exitCode === null ? once(service, 'close') : null;
    service.kill('SIGKILL');
    clear();
    await gone;
  }
  try {
    await until('Podman to answer', async () => {
      if (service.exitCode !== null) throw new Error(`podman ended with ${service.exitCode}. It said:\n${output}`);
      return existsSync(socketPath) && (await docker.ping().catch(() => null)) !== null;
    });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    host: `unix://${socketPath}`,
    docker,
    ours: () => docker.listContainers({ all: true, filters: { label: ['hangar.data'] } }),
    close,
  };
}
