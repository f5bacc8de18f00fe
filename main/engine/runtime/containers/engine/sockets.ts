/** The addresses where a container engine may listen on this machine: DOCKER_HOST, or else the usual places. */
import { posix, win32 } from 'node:path';

/** `socketPath` is null where DOCKER_HOST names a host instead of a socket or pipe. */
export interface EngineSocket {
  /** In the format of DOCKER_HOST. */
  address: string;
  socketPath: string | null;
}

export interface Surroundings {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
  /** Null on Windows. */
  uid: number | null;
  /** Folders with programs that are searched after PATH; those of the system when left out. */
  programFolders?: readonly string[];
}

/** A socket or pipe. The prefix is part of the syntax of DOCKER_HOST. */
const unix = (socketPath: string): EngineSocket => ({ address: `unix://${socketPath}`, socketPath });
const pipe = (name: string): EngineSocket => ({ address: `npipe:////./pipe/${name}`, socketPath: `//./pipe/${name}` });

function named(address: string): EngineSocket {
  if (address.startsWith('unix://')) return unix(address.slice('unix://'.length));
  if (address.startsWith('npipe://')) return { address, socketPath: address.slice('npipe://'.length) };
  return { address: address.includes('://') ? address : `tcp://${address}`, socketPath: null };
}

/** The host of an address like tcp://box:2375; null for a socket and for an invalid address. */
export function hostOf({ address, socketPath }: EngineSocket): string | null {
  return socketPath === null && URL.canParse(address) ? new URL(address).hostname : null;
}

/** The environment variable that names an engine; null without one. */
export const namedBy = ({ env }: Pick<Surroundings, 'env'>): 'DOCKER_HOST' | 'CONTAINER_HOST' | null =>
  (['DOCKER_HOST', 'CONTAINER_HOST'] as const).find((name) => (env[name] ?? '') !== '') ?? null;

/** The sockets in the order of the search. DOCKER_HOST replaces all of them. */
export function places({ platform, env, home, uid }: Surroundings): EngineSocket[] {
  const variable = namedBy({ env });
  if (variable !== null) return [named(env[variable] ?? '')];
  if (platform === 'win32') return ['docker_engine', 'dockerDesktopLinuxEngine', 'podman-machine-default'].map(pipe);
  const below = (...parts: string[]): string => posix.join(home, ...parts);
  if (platform === 'darwin') {
    const temporary = env['TMPDIR'] ?? '/tmp';
    return [
      below('.docker/run/docker.sock'),
      '/var/run/docker.sock',
      below('.orbstack/run/docker.sock'),
      below('.colima/default/docker.sock'),
      below('.rd/docker.sock'),
      posix.join(temporary, 'podman/podman-machine-default-api.sock'),
      below('.local/share/containers/podman/machine/podman.sock'),
    ].map(unix);
  }
  const runtime = env['XDG_RUNTIME_DIR'] ?? `/run/user/${uid ?? 0}`;
  return [
    '/var/run/docker.sock',
    posix.join(runtime, 'docker.sock'),
    below('.docker/desktop/docker.sock'),
    below('.docker/run/docker.sock'),
    below('.rd/docker.sock'),
    posix.join(runtime, 'podman/podman.sock'),
    '/run/podman/podman.sock',
  ].map(unix);
}

/** Whether a path is a named pipe of Windows. The file system does not tell whether a pipe exists. */
export const isPipe = (socketPath: string): boolean => win32.normalize(socketPath).startsWith('\\\\.\\pipe\\');
