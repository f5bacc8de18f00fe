/** The client of a container engine's API: over a socket or a pipe, or over TCP as DOCKER_HOST and its companions say. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type Docker from 'dockerode';
import type { EngineSocket, Surroundings } from './sockets.ts';

const PLAIN_PORT = 2375;
const TLS_PORT = 2376;

/** The certificates by which both sides know each other, where Docker's own client keeps them. */
async function certificates({ env, home }: Surroundings): Promise<{ ca: Buffer; cert: Buffer; key: Buffer }> {
  const folder = env['DOCKER_CERT_PATH'] ?? join(home, '.docker');
  const [ca, cert, key] = await Promise.all(
    ['ca.pem', 'cert.pem', 'key.pem'].map((name) => readFile(join(folder, name))),
  );
  return { ca: ca!, cert: cert!, key: key! };
}

/** What is used of the part of the client that makes its requests. */
interface Requests {
  dial(request: ClientRequest, done: (error: Error | null, answer: unknown) => void): void;
}

interface ClientRequest {
  method?: string;
  /** The caller reads the answer itself. */
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
    return body;
  }
}

/** How often a question is asked whose connection broke, and the pause before each repetition, in milliseconds. */
const ATTEMPTS = 3;
const REPEAT_MS = 200;

const isBroken = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException | null)?.code ?? '');

/**
 * Makes a call reject whose answer breaks off. The client waits for the end of an answer only, so that a call would never settle
 * whose connection is lost in the middle of it: `wait` of a container answers its headers at once, and an engine may be killed.
 *
 * A call that only reads is made again where its connection broke: the connection may have been kept open from an earlier call and
 * have broken unnoticed, and the caller would take a container for lost that runs on.
 */
function hardenRequests(requests: Requests): void {
  const send = requests.dial.bind(requests);
  const sendWhole = (request: ClientRequest): Promise<unknown> =>
    new Promise((resolve, reject) => {
      send({ ...request, isStream: true }, (error, answer) => {
        if (error) reject(error);
        else whole(answer as Readable, request.abortSignal).then(resolve, reject);
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
      (error: unknown) => done(error as Error, null),
    );
  };
}

export async function dial(place: EngineSocket, surroundings: Surroundings): Promise<Docker> {
  const docker = await connect(place, surroundings);
  hardenRequests(docker.modem as Requests);
  return docker;
}

async function connect({ address, socketPath }: EngineSocket, surroundings: Surroundings): Promise<Docker> {
  // Loaded when there is an engine to talk to: it brings much that an engine without containers has no use for.
  const { default: Client } = await import('dockerode');
  // Without a host of its own it would take the one of DOCKER_HOST.
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
