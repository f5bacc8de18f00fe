/**
 * Messages for a person about a failed pull or start of a container: the error of the container engine, and the remedy.
 */
import { messageOf } from '#contract/core/errors.ts';
import { systemCode } from '#contract/core/systemCode.ts';
import { registryOf } from '../images/imageName.ts';

export interface StartContext {
  /** The step that failed. */
  phase: 'pull' | 'start';
  image: string;
  /** What names the image: the resource that defines the container, or a pull that a person asked for. */
  of: 'template' | 'Pod' | 'pull';
  /** Whether the pull used credentials. */
  credentials: boolean;
  engine: 'Docker' | 'Podman';
}

/** A pattern of an engine's error text, and the message for a person. */
type Meaning = [pattern: RegExp, means: (context: StartContext, text: string) => string];

const noRoom: Meaning = [
  /no space left on device|disk quota/i,
  ({ phase, image, engine, of }) =>
    `There is no room on the disk ${phase === 'pull' ? `for the image ${image}` : `to start a container of ${image}`}. ` +
    (of === 'pull'
      ? 'Make room, for example remove unused images (Resources, Container images), then try again.'
      : `Make room (${engine.toLowerCase()} system prune removes what no container uses), then try again.`),
];

const otherProcessor = (image: string): string =>
  `The image ${image} was not made for this kind of processor. Build it for this machine's, or choose another.`;

/**
 * How long a pull with refused credentials is not repeated, minutes: registries lock accounts after wrong passwords.
 */
export const REFUSED_MINUTES = 15;

const refusedCredentials: Meaning = [
  /no basic auth|unauthorized|authentication required|denied|incorrect username|403 Forbidden|invalid username/i,
  ({ image, credentials, of }) =>
    credentials
      ? `The image ${image} could not be pulled: the registry refused the credentials of the ${of}, or there is no such image. Check the container registry auth of the ${of}: with the same credentials, the registry is not asked again for ${REFUSED_MINUTES} minutes.`
      : `The image ${image} could not be pulled: there is no such image, or it is private. Check its name; for a private one make a container registry auth and ${of === 'pull' ? 'choose it for the pull' : `name it in the ${of}`}.`,
];

/** The first match counts, because a specific message may contain the words of a general one. */
const ofPulls: Meaning[] = [
  noRoom,
  [
    /no matching manifest|no match for platform|no image found .* for architecture/i,
    ({ image }) => otherProcessor(image),
  ],
  [
    /toomanyrequests|rate limit|429 Too Many/i,
    ({ image, credentials, of }) =>
      `The registry ${registryOf(image)} takes no more pulls just now. Wait, or ` +
      `${credentials ? 'use other credentials' : `give the ${of} a container registry auth: accounts have more of them`}.`,
  ],
  [
    /dial tcp|no such host|lookup .*: |i\/o timeout|TLS handshake|x509|connection re(fused|set)|network is unreachable|context deadline|Client\.Timeout|pinging container registry/i,
    ({ image, of }, text) =>
      of === 'pull'
        ? `The registry ${registryOf(image)} of the image ${image} could not be reached: ${text}. Check its name and the connection to the network, then try again.`
        : `The image ${image} is not on this machine, and its registry ${registryOf(image)} could not be reached: ${text}. Connect to the network, or pull the image beforehand.`,
  ],
  refusedCredentials,
  [
    /manifest .*(unknown|not found)|not found|name unknown|no such image|failed to resolve reference|invalid reference format|invalid tag/i,
    ({ image, of }) =>
      `There is no image ${image}, neither on this machine nor in its registry. Check ${of === 'pull' ? 'its name' : `the ${of}'s imageName`}.`,
  ],
];

/** The program that a container was to start, as runc and crun name it; null without such a name. */
const nameOfProgram = (text: string): string | null =>
  /\bexec(?:utable file)?:? ["`]([^"`]+)["`]/.exec(text)?.[1] ?? null;

function programIn(text: string): string {
  const name = nameOfProgram(text);
  return name === null ? 'The command of the container' : `The program "${name}"`;
}

const ofStarts: Meaning[] = [
  noRoom,
  [/exec format error/i, ({ image }) => otherProcessor(image)],
  [
    /could not select device driver|nvidia-container|unresolvable CDI|CDI device|nvml/i,
    ({ engine }, text) =>
      `${engine} cannot give GPUs to containers: ${text}. Install the NVIDIA Container Toolkit and set it up for ${engine} (nvidia-ctk).`,
  ],
  [
    /invalid mount|bind source path does not exist|mounts? denied|not shared from the host|error mounting/i,
    ({ engine, of }, text) =>
      `${engine} may not use a folder that ${of === 'Pod' ? 'the Pod' : 'a worker'} is to see: ${text}. Share it in the settings of ${engine}.`,
  ],
  [
    /executable file .*not found|exec: .*no such file or directory/i,
    ({ image, of }, text) =>
      `${programIn(text)} is not in the image ${image}. Check dockerEntrypoint and dockerStartCmd of the ${of}.`,
  ],
  [
    /permission denied|is a directory/i,
    ({ image, of }, text) =>
      `${programIn(text)} cannot be executed in the image ${image}${nameOfProgram(text) === null ? `: ${text}` : ''}. Check dockerEntrypoint and dockerStartCmd of the ${of}, and that the file may be executed.`,
  ],
  [/no command specified/i, ({ image, of }) => `The image ${image} names no command. Give the ${of} a dockerStartCmd.`],
  [
    /cannot allocate memory/i,
    ({ image }) => `There is not enough memory on this machine to start a container of ${image}. Close other programs.`,
  ],
];

/** The HTTP status of the engine's response; null for an error without a response. */
export const statusOf = (error: unknown): number | null =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null;

/** Whether the engine answered with one of these HTTP statuses. */
export function isStatus(error: unknown, ...statuses: number[]): boolean {
  const status = statusOf(error);
  return status !== null && statuses.includes(status);
}

/** The text of the engine without the client's prefix and without a full stop. */
export const bare = (error: unknown): string =>
  messageOf(error)
    .replace(/^\(HTTP code \d+\) [^-]* - /, '')
    .trim()
    .replace(/\.$/, '');

/** Whether a registry refused the credentials of a pull, or required some. */
export const isRefusal = (error: unknown): boolean =>
  ofPulls.find(([pattern]) => pattern.test(bare(error))) === refusedCredentials;

const LOST_CONNECTION: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
]);
/** Whether the connection to the engine broke, or the engine is gone. */
export const isConnectionLost = (error: unknown): boolean => LOST_CONNECTION.has(systemCode(error));

/** The message for a failed pull or start, as sentences for a person. */
export function startFailure(error: unknown, context: StartContext): string {
  const { phase, engine, image } = context;
  if (isConnectionLost(error)) {
    return `${engine} stopped answering while the container was being started. It is tried again.`;
  }
  const text = bare(error);
  const meaning = (phase === 'pull' ? ofPulls : ofStarts).find(([pattern]) => pattern.test(text));
  if (meaning) return meaning[1](context, text);
  return phase === 'pull'
    ? `${engine} could not pull the image ${image}: ${text}.`
    : `${engine} could not start a container of ${image}: ${text}.`;
}
