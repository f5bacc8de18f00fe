import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * A registry of images on loopback, which asks for a name and a password. It speaks what push and pull need of the
 * distribution API.
 */
export interface ImageRegistry extends AsyncDisposable {
  readonly port: number;
  /** From now on, the second half of a layer is sent byte by byte. */
  slowDown(): void;
  /** Ends `slowDown`: the rest of each layer is sent at once. */
  speedUp(): void;
  /** How many layers are being sent so. */
  readonly slow: number;
  /** Requests so far that came with another name or password. */
  readonly refused: number;
}

/** Of a layer at least; what describes an image is smaller. */
const LAYER_BYTES = 100_000;

const UNKNOWN = JSON.stringify({ errors: [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }] });
const digestOf = (data: Buffer): string => `sha256:${createHash('sha256').update(data).digest('hex')}`;

export async function startImageRegistry(credentials: { username: string; password: string }): Promise<ImageRegistry> {
  const blobs = new Map<string, Buffer>();
  const uploads = new Map<string, Buffer>();
  const manifests = new Map<string, { type: string; data: Buffer }>();
  let slowed = false;
  let slow = 0;
  let refused = 0;
  const basic = `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers } = request;
    const body = await buffer(request);
    const url = new URL(request.url!, 'http://registry');
    const answer = (status: number, extra: Record<string, string> = {}, data: Buffer | string = ''): void => {
      response.writeHead(status, { 'content-length': String(Buffer.byteLength(data)), ...extra });
      response.end(method === 'HEAD' ? '' : data);
    };
    if (headers.authorization !== basic) {
      if (headers.authorization !== undefined) refused++;
      const refusal = JSON.stringify({ errors: [{ code: 'UNAUTHORIZED', message: 'authentication required' }] });
      answer(401, { 'www-authenticate': 'Basic realm="test"', 'content-type': 'application/json' }, refusal);
      return;
    }
    if (url.pathname === '/v2/') {
      answer(200);
      return;
    }
    const [, name, kind, reference] = /^\/v2\/(.+)\/(blobs\/uploads|blobs|manifests)\/?(.*)$/.exec(url.pathname) ?? [];
    if (kind === 'blobs/uploads' && method === 'POST') {
      const id = randomUUID();
      uploads.set(id, Buffer.alloc(0));
      answer(202, { location: `/v2/${name}/blobs/uploads/${id}`, range: '0-0' });
    } else if (kind === 'blobs/uploads') {
      const data = Buffer.concat([uploads.get(reference!) ?? Buffer.alloc(0), body]);
      uploads.set(reference!, data);
      const digest = url.searchParams.get('digest');
      if (method === 'PUT' && digest !== null) {
        blobs.set(digest, data);
        answer(201, { location: `/v2/${name}/blobs/${digest}`, 'docker-content-digest': digest });
      } else {
        answer(202, { location: `/v2/${name}/blobs/uploads/${reference}`, range: `0-${Math.max(0, data.length - 1)}` });
      }
    } else if (kind === 'blobs') {
      const data = blobs.get(reference!);
      if (data && slowed && method === 'GET' && data.length > LAYER_BYTES) {
        slow++;
        let sent = Math.floor(data.length / 2);
        response.writeHead(200, { 'docker-content-digest': reference!, 'content-length': String(data.length) });
        response.write(data.subarray(0, sent));
        const sending = setInterval(() => {
          if (slowed) {
            response.write(data.subarray(sent, ++sent));
            return;
          }
          // Its reader may take longer than the next turn, and nothing may be written after the end.
          clearInterval(sending);
          response.end(data.subarray(sent));
        }, 20);
        response.once('close', () => {
          clearInterval(sending);
          slow--;
        });
      } else if (data)
        answer(200, { 'docker-content-digest': reference!, 'content-length': String(data.length) }, data);
      else answer(404);
    } else if (kind === 'manifests' && method === 'PUT') {
      const manifest = { type: headers['content-type'] ?? '', data: body };
      manifests.set(`${name}:${reference}`, manifest);
      manifests.set(`${name}:${digestOf(body)}`, manifest);
      answer(201, { 'docker-content-digest': digestOf(body) });
    } else {
      const manifest = manifests.get(`${name}:${reference}`);
      if (!manifest) answer(404, { 'content-type': 'application/json' }, UNKNOWN);
      else {
        const { type, data } = manifest;
        answer(
          200,
          { 'content-type': type, 'docker-content-digest': digestOf(data), 'content-length': String(data.length) },
          data,
        );
      }
    }
  }

  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    slowDown: () => {
      slowed = true;
    },
    speedUp: () => {
      slowed = false;
    },
    get slow() {
      return slow;
    },
    get refused() {
      return refused;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
