/** The client for the API of a container engine: over a socket, a pipe, or TCP with the settings of DOCKER_HOST. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type Docker from 'dockerode';
import { systemCode } from '#contract/core/systemCode.ts';
import type { EngineSocket, Surroundings } from './sockets.ts';

const PLAIN_PORT = 2375;
const TLS_PORT = 2376;

/** The TLS certificates for a connection to the engine, from the folder of Docker's own client. */
async function certificates({ env, home }: Surroundings): Promise<{ ca: Buffer; cert: Buffer; key: Buffer }> {
  const folder = env['DOCKER_CERT_PATH'] ?? join(home, '.docker');
  const read = (name: string): Promise<Buffer> => readFile(join(folder, name));
  const [ca, cert, key] = await Promise.all([read('ca.pem'), read('cert.pem'), read('key.pem')]);
  return { ca, cert, key };
}

/** The used interface of the client's internal request layer. */
interface Requests {
  dial(request: ClientRequest, done: (error: unknown, answer: unknown) => void): void;
}

interface ClientRequest {
  path?: string;
  /** The fields of the query. */
  options?: object;
  statusCodes?: Record<number, boolean | string>;
  method?: string;
  /** Whether the caller reads the body itself. */
  isStream?: boolean;
  hijack?: boolean;
  openStdin?: boolean;
  abortSignal?: AbortSignal;
}

async function whole(answer: Readable, signal: AbortSignal | undefined): Promise<unknown> {
  const body = await text(signal ? addAbortSignal(signal, answer) : answer);
  try {
    return JSON.parse(body);
  } catch {
    // The body is not JSON: it is the answer.
    return body;
  }
}

/**
 * The number of attempts of a read request whose connection breaks, and the pause before each repetition, milliseconds.
 */
const ATTEMPTS = 3;
const REPEAT_MS = 200;

/** The codes of Node's errors for a connection that ended before the whole answer arrived. */
const BROKEN = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

/** Whether a request failed because its connection broke: the engine may have done what it was asked. */
const isBroken = (error: unknown): boolean => BROKEN.includes(systemCode(error) ?? '');

/**
 * Makes a request reject when its response breaks off. The client only waits for the end of a response, so a request
 * with a lost connection would never settle. An example is `wait` of a container: it sends its headers at once, and
 * then the engine may be killed.
 *
 * A read request is repeated when its connection breaks. A kept connection may have broken unnoticed since the last
 * request, and the caller would treat a running container as lost.
 */
function hardenRequests(requests: Requests): void {
  const send = requests.dial.bind(requests);
  const sendWhole = (request: ClientRequest): Promise<unknown> =>
    new Promise((resolve, reject) => {
      send({ ...request, isStream: true }, (error, answer) => {
        if (!error && answer instanceof Readable) whole(answer, request.abortSignal).then(resolve, reject);
        else
          reject(error instanceof Error ? error : new Error('The container engine gave no answer.', { cause: error }));
      });
    });
  const sendAgain = async (request: ClientRequest): Promise<unknown> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendWhole(request);
      } catch (error) {
        if (request.method !== 'GET' || !isBroken(error) || attempt === ATTEMPTS) throw error;
        await delay(REPEAT_MS, undefined, { signal: request.abortSignal });
      }
    }
  };
  requests.dial = (request, done) => {
    if (request.isStream || request.hijack || request.openStdin) return send(request, done);
    sendAgain(request).then(
      (value) => done(null, value),
      (error: unknown) => done(error, null),
    );
  };
}

// oxlint-disable-next-line typescript/consistent-type-assertions -- the package has no types for its modem
const requestsOf = ({ modem }: Pick<Docker, 'modem'>): Requests => modem as Requests;

/** Calls `request` with a signal that aborts it after `ms`. Its timer ends with the request. */
export async function within<T>(
  ms: number,
  request: (options: { abortSignal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), ms);
  try {
    return await request({ abortSignal: patience.signal });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads an answer of bytes piece by piece. The functions of the client read it as a whole, as text, which loses bytes.
 *
 * @param owner The client, or one of its containers.
 */
export function openBytes(
  owner: Pick<Docker, 'modem'>,
  path: string,
  options: object,
  abortSignal: AbortSignal,
): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const statusCodes = { 200: true, 404: 'no such container', 500: 'server error' };
    const request = { method: 'GET', path: `${path}?`, options, isStream: true, statusCodes, abortSignal };
    requestsOf(owner).dial(request, (error, answer) => {
      if (!error && answer instanceof Readable) resolve(addAbortSignal(abortSignal, answer));
      else reject(error instanceof Error ? error : new Error('The container engine gave no answer.', { cause: error }));
    });
  });
}

export async function dial(place: EngineSocket, surroundings: Surroundings): Promise<Docker> {
  const docker = await connect(place, surroundings);
  hardenRequests(requestsOf(docker));
  return docker;
}

async function connect({ address, socketPath }: EngineSocket, surroundings: Surroundings): Promise<Docker> {
  // Loaded on demand: the module is large, and an engine without containers does not need it.
  const { default: Client } = await import('dockerode');
  // Without an empty host, the client would use that of DOCKER_HOST.
  if (socketPath !== null) return new Client({ host: '', socketPath });
  const { protocol, hostname, port } = new URL(address);
  const tls = protocol === 'https:' || port === String(TLS_PORT) || Boolean(surroundings.env['DOCKER_TLS_VERIFY']);
  return new Client({
    host: hostname,
    port: Number(port) || (tls ? TLS_PORT : PLAIN_PORT),
    protocol: tls ? 'https' : 'http',
    ...(tls ? await certificates(surroundings) : {}),
  });
}
