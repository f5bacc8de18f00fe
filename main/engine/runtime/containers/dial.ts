/** The client of a container engine's API: over a socket or a pipe, or over TCP as DOCKER_HOST and its companions say. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

export async function dial({ address, socketPath }: Place, surroundings: Surroundings): Promise<Docker> {
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
