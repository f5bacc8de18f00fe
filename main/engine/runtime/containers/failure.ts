/** Why a container could not be started, for a person: what the container engine said, and what to do about it. */
import { registryOf } from './imageName.ts';

export interface Wanted {
  image: string;
  /** Whether credentials were sent along. */
  credentials: boolean;
  gpus: boolean;
  engine: 'Docker' | 'Podman';
}

/** What an engine says → what it means. The first that fits counts. */
const meanings: [RegExp, (wanted: Wanted, said: string) => string][] = [
  [
    /no basic auth|unauthorized|authentication required|denied|incorrect username|403 Forbidden|401 Unauthorized/i,
    ({ image, credentials }) =>
      credentials
        ? `The image ${image} could not be pulled: the registry refused the credentials of the template, or there is no such image. Check the container registry auth of the template.`
        : `The image ${image} could not be pulled: there is no such image, or it is private. Check its name; for a private one make a container registry auth and name it in the template.`,
  ],
  [
    /manifest .*(unknown|not found)|not found: manifest|repository .*not found|name unknown|no such image|failed to resolve reference|invalid reference format|invalid tag|manifest unknown/i,
    ({ image }) =>
      `There is no image ${image}, neither on this machine nor in its registry. Check the template's imageName.`,
  ],
  [
    /no matching manifest/i,
    ({ image }) =>
      `The image ${image} was not made for this kind of processor. Build it for this machine's, or choose another.`,
  ],
  [
    /dial tcp|no such host|lookup .*: |i\/o timeout|TLS handshake|connection refused|network is unreachable|context deadline|Client\.Timeout/i,
    ({ image }, said) =>
      `The image ${image} is not on this machine, and its registry ${registryOf(image)} could not be reached: ${said}. Connect to the network, or pull the image beforehand.`,
  ],
  [
    /no space left on device|disk quota/i,
    ({ image }) =>
      `There is no room on the disk for the image ${image}. Make room (docker system prune), then try again.`,
  ],
  [
    /could not select device driver|nvidia-container|unresolvable CDI|CDI device/i,
    ({ engine }, said) =>
      `${engine} cannot give GPUs to containers: ${said}. Install the NVIDIA Container Toolkit and set it up for ${engine} (nvidia-ctk).`,
  ],
  [
    /executable file not found|no such file or directory.*exec|exec format error|OCI runtime create failed/i,
    ({ image }, said) =>
      `The command of the container could not be started from the image ${image}: ${said}. Check dockerEntrypoint and dockerStartCmd of the template.`,
  ],
  [/no command specified/i, ({ image }) => `The image ${image} names no command. Give the template a dockerStartCmd.`],
  [
    /invalid mount|bind source path does not exist|mounts? denied|not shared from the host/i,
    ({ engine }, said) =>
      `${engine} may not use a folder that the worker is to see: ${said}. Share it in the settings of ${engine}.`,
  ],
];

/** What docker's client puts around the words of the engine. */
const bare = (error: Error): string =>
  error.message
    .replace(/^\(HTTP code \d+\) [^-]* - /, '')
    .trim()
    .replace(/\.$/, '');

export function startFailure(error: Error & { code?: string }, wanted: Wanted): string {
  const said = bare(error);
  if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT' || error.code === 'ECONNRESET') {
    return `${wanted.engine} stopped answering while the container was being started. It is tried again.`;
  }
  const meaning = meanings.find(([pattern]) => pattern.test(said));
  return meaning
    ? meaning[1](wanted, said)
    : `${wanted.engine} could not start a container of ${wanted.image}: ${said}.`;
}
