/** What keeps containers from running on this machine, and what to do about it, in words for a person. */
import { namedBy, places, type EngineSocket, type Surroundings } from './sockets.ts';

const GET: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Install and start Docker Desktop, or Podman with "podman machine init" and "podman machine start".',
  win32: 'Install and start Docker Desktop, or Podman with "podman machine init" and "podman machine start".',
};
const GET_ON_LINUX =
  'Install Docker (on Debian and Ubuntu: sudo apt-get install docker.io, then sudo usermod -aG docker $USER and log in ' +
  'again), or Podman with its socket (systemctl --user enable --now podman.socket).';

/** No engine was found at all. */
export function missing(surroundings: Surroundings): string {
  const { platform } = surroundings;
  const variable = namedBy(surroundings);
  if (variable !== null) {
    return (
      `No container engine is at ${places(surroundings)[0]!.address}, which ${variable} names. ` +
      `Start it, or correct ${variable}; without it, Docker and Podman are looked for where they usually are.`
    );
  }
  return (
    'No container engine was found on this machine, and images run in one. ' +
    `${GET[platform] ?? GET_ON_LINUX} An engine elsewhere is named by DOCKER_HOST.`
  );
}

/** Why nobody is asked at an address that DOCKER_HOST names; null where somebody is. */
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

/** An engine should be at `place`, and does not answer. `group`: whose members may use its socket. */
export function refused(
  { address }: EngineSocket,
  { code, message }: NodeJS.ErrnoException,
  group: string | null,
): string {
  if (code === 'EACCES' && (group === null || group === 'root')) {
    return (
      `The container engine at ${address} is for root only. Use one of your own, such as Podman ` +
      '(systemctl --user enable --now podman.socket), and name it by DOCKER_HOST if it is not found.'
    );
  }
  if (code === 'EACCES') {
    return (
      `The container engine at ${address} may be used by the group ${group}, which you are not in. Add yourself ` +
      `(sudo usermod -aG ${group} $USER), log in again, and start Hangar again.`
    );
  }
  if (code === 'ECONNREFUSED' || code === 'ENOENT') {
    return `No container engine answers at ${address}. Start Docker or Podman; where DOCKER_HOST names another address, correct it.`;
  }
  if (code === 'ABORT_ERR' || code === 'ERR_CANCELED') {
    return `The container engine at ${address} takes the connection, but does not answer. It may be starting; otherwise start it again.`;
  }
  return `The container engine at ${address} cannot be used: ${message.trim()}`;
}
