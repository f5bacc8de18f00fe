/** The client of a container engine's API: over a socket or a pipe, or over TCP as DOCKER_HOST and its companions say. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type Docker from 'dockerode';
import type { Place, Surroundings } from './sockets.ts';

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
  dial(request: ClientRequest, done: (error: unknown, answer: unknown) => void): void;
}

interface ClientRequest {
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

/**
 * Makes a call reject whose answer breaks off. The client waits for the end of an answer only, so that a call would never settle
 * whose connection is lost in the middle of it: `wait` of a container answers its headers at once, and an engine may be killed.
 */
function rejectBrokenAnswers(requests: Requests): void {
  const make = requests.dial.bind(requests);
  requests.dial = (request, done) => {
    if (request.isStream || request.hijack || request.openStdin) return make(request, done);
    const { abortSignal } = request;
    make({ ...request, isStream: true }, (error, answer) => {
      if (error) done(error, null);
      else
        whole(answer as Readable, abortSignal).then(
          (value) => done(null, value),
          (broken: unknown) => done(broken, null),
        );
    });
  };
}

export async function dial(place: Place, surroundings: Surroundings): Promise<Docker> {
  const docker = await connect(place, surroundings);
  rejectBrokenAnswers(docker.modem as Requests);
  return docker;
}

async function connect({ address, socketPath }: Place, surroundings: Surroundings): Promise<Docker> {
  // Loaded when there is an engine to talk to: it brings much that an engine without containers has no use for.
  const { default: Client } = await import('dockerode');
  // Without a host of its own it would take the one of DOCKER_HOST.
  if (socketPath !== null) return new Client({ host: '', socketPath });
  const { protocol, hostname, port } = new URL(address);
  const tls = protocol === 'https:' || port === String(TLS_PORT) || Boolean(surroundings.env['DOCKER_TLS_VERIFY']);
  return new Client({
    ...{ host: hostname, port: Number(port) || (tls ? TLS_PORT : PLAIN_PORT), protocol: tls ? 'https' : 'http' },
    ...(tls ? await certificates(surroundings) : {}),
  });
}
