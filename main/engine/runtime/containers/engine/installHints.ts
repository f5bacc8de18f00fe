/** Reasons why this machine cannot run containers, and the remedies, for a person. */
import { existsSync } from 'node:fs';
import { messageOf } from '#contract/core/errors.ts';
import { systemCode } from '#contract/core/systemCode.ts';
import { findProgram } from '../../host/findProgram.ts';
import { namedBy, places, type EngineSocket, type Surroundings } from './sockets.ts';

const GET: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Install and start Docker Desktop, or Podman with "podman machine init" and "podman machine start".',
  win32: 'Install and start Docker Desktop, or Podman with "podman machine init" and "podman machine start".',
};
/** The page shows a sentence that ends with a command as a step of its own. */
const GET_ON_LINUX =
  'Install Docker on Debian or Ubuntu: sudo apt-get install docker.io. ' +
  'Then allow yourself to use it, and log in again: sudo usermod -aG docker $USER. ' +
  'Or, where Podman is installed, start its socket: systemctl --user enable --now podman.socket.';

type EngineName = 'Docker' | 'Podman';

/** Where installers put these programs. PATH may lack them: that of a desktop program, or of a user who is not root. */
const FOLDERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin'],
  darwin: ['/opt/homebrew/bin', '/usr/local/bin', '/opt/podman/bin'],
  win32: ['C:\\Program Files\\Docker\\Docker\\resources\\bin', 'C:\\Program Files\\RedHat\\Podman'],
};
const DOCKER_DESKTOP = '/Applications/Docker.app';

/**
 * The engine that is installed: Docker before Podman; null without either. On Linux, Docker is its daemon: its client
 * alone runs nothing.
 */
function installedEngine({
  platform,
  env,
  programFolders = FOLDERS[platform] ?? [],
}: Pick<Surroundings, 'platform' | 'env' | 'programFolders'>): EngineName | null {
  const has = (program: string): boolean => findProgram(program, env, programFolders) !== null;
  const hasDocker =
    platform === 'darwin' ? existsSync(DOCKER_DESKTOP) : has(platform === 'linux' ? 'dockerd' : 'docker');
  if (hasDocker) return 'Docker';
  return has('podman') ? 'Podman' : null;
}

const START_MACHINE =
  'Podman is installed on this machine, but its virtual machine is not running. Start it: podman machine start.';
const DESKTOP_STOPPED = 'Docker Desktop is installed on this machine, but it is not running. Start Docker Desktop.';
/** The message for an engine that is installed and does not run. */
const START: Partial<Record<NodeJS.Platform, Record<EngineName, string>>> = {
  linux: {
    Docker:
      'Docker is installed on this machine, but it is not running. ' +
      'Start it now and at each start of the machine: sudo systemctl enable --now docker. ' +
      'Or, on a system without systemd: sudo service docker start.',
    Podman:
      'Podman is installed on this machine, but its socket is not there. ' +
      'Start it now and at each login: systemctl --user enable --now podman.socket.',
  },
  darwin: { Docker: DESKTOP_STOPPED, Podman: START_MACHINE },
  win32: { Docker: DESKTOP_STOPPED, Podman: START_MACHINE },
};

/** Whether an engine is installed that does not run, and no variable names another one. */
export const isStopped = (surroundings: Surroundings): boolean =>
  namedBy(surroundings) === null &&
  installedEngine(surroundings) !== null &&
  START[surroundings.platform] !== undefined;

/** The message when no engine answers. */
export function missing(surroundings: Surroundings): string {
  const { platform } = surroundings;
  const variable = namedBy(surroundings);
  const [named] = places(surroundings);
  if (variable !== null && named) {
    return (
      `No container engine is at ${named.address}, which ${variable} names. ` +
      `Start it, or correct ${variable}; without it, Docker and Podman are looked for where they usually are.`
    );
  }
  const installed = installedEngine(surroundings);
  const start = installed === null ? undefined : START[platform]?.[installed];
  if (start !== undefined) return start;
  return (
    'No container engine was found on this machine: Pods and images need Docker or Podman. ' +
    `${GET[platform] ?? GET_ON_LINUX} To use one on another machine, set DOCKER_HOST.`
  );
}

/** Why an address in DOCKER_HOST is unsupported; null for a supported one. */
export function unsupportedSocket({ address, socketPath }: EngineSocket): string | null {
  if (socketPath !== null || (/^(tcp|https?):\/\//.test(address) && URL.canParse(address))) return null;
  if (address.startsWith('ssh://')) {
    return (
      `DOCKER_HOST is ${address}, and container engines are not reached through SSH: their containers could not reach this machine. ` +
      'Run Hangar there ("npm run serve") and add it as an account, or unset DOCKER_HOST.'
    );
  }
  return (
    `DOCKER_HOST is ${address}, which is no address of a container engine. ` +
    'Write unix:///path/of/the.sock, npipe:////./pipe/name or tcp://host:port, or unset it.'
  );
}

/** The message when the engine at `place` does not answer. `group`: its members may use the socket. */
export function refused({ address }: EngineSocket, error: unknown, group: string | null): string {
  const code = systemCode(error);
  if (code === 'EACCES' && (group === null || group === 'root')) {
    return (
      `The container engine at ${address} is for root only. Use one of your own, such as Podman: ` +
      'systemctl --user enable --now podman.socket. Name it by DOCKER_HOST if it is not found.'
    );
  }
  if (code === 'EACCES') {
    return (
      `The container engine at ${address} may be used by the group ${group}, which you are not in. Add yourself, ` +
      `log in again and start Hangar again: sudo usermod -aG ${group} $USER.`
    );
  }
  if (code === 'ECONNREFUSED' || code === 'ENOENT') {
    return `No container engine answers at ${address}. Start Docker or Podman; where DOCKER_HOST names another address, correct it.`;
  }
  if (code === 'ABORT_ERR' || code === 'ERR_CANCELED') {
    return `The container engine at ${address} takes the connection, but does not answer. It may be starting; otherwise start it again.`;
  }
  return `The container engine at ${address} cannot be used: ${messageOf(error).trim()}`;
}
