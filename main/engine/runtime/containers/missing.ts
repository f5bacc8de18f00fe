/** What keeps containers from running on this machine, and what to do about it, in words for a person. */
import type { Place, Surroundings } from './sockets.ts';

const GET: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Install and start Docker Desktop, or Podman with "podman machine init" and "podman machine start".',
  win32: 'Install and start Docker Desktop, or Podman with "podman machine init" and "podman machine start".',
};
const GET_ON_LINUX =
  'Install Docker (on Debian and Ubuntu: sudo apt-get install docker.io, then sudo usermod -aG docker $USER and log in ' +
  'again), or Podman with its socket (systemctl --user enable --now podman.socket).';

/** No engine was found at all. */
export function missing({ platform }: Surroundings): string {
  return (
    'No container engine was found on this machine, and images run in one. ' +
    `${GET[platform] ?? GET_ON_LINUX} An engine elsewhere is named by DOCKER_HOST.`
  );
}

/** An engine should be at `place`, and does not answer. */
export function refused({ address }: Place, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EACCES') {
    return (
      `The container engine at ${address} may not be used by you. Add yourself to its group ` +
      '(sudo usermod -aG docker $USER), log in again, and start Hangar again.'
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
