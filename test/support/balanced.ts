/** An HTTP server as the worker of a load-balancing endpoint, and what tests send to it. */
import type { Endpoint } from '#contract/resources.ts';
import type { TestEngine } from './engine.ts';
import { makeEndpoint } from './resources.ts';

/** Tells what it was asked, and does what the path names. Plain Node: it runs as a person's own program would. */
const APP = `
import { createServer } from 'node:http';
import { createHash } from 'node:crypto';
const { PORT, PORT_HEALTH, HEALTH_CHECK_PATH, RUNPOD_POD_ID, STARTS_WITH } = process.env;
let health = Number(STARTS_WITH ?? 200);
let paused = null;
const accept = (key) =>
  createHash('sha1').update(key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://worker');
  const number = (name, otherwise) => Number(url.searchParams.get(name) ?? otherwise);
  switch (url.pathname) {
    case HEALTH_CHECK_PATH:
      response.statusCode = health;
      response.end();
      return;
    case '/become':
      health = number('status', 200);
      response.end();
      return;
    case '/die':
      process.exit(7);
    case '/never':
      return;
    case '/late':
      setTimeout(() => response.end('late'), number('ms', 1000));
      return;
    case '/events':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      request.socket.on('close', () => undefined);
      globalThis.event = (text) => response.write('data: ' + text + '\\n\\n');
      return;
    case '/event':
      globalThis.event(url.searchParams.get('text'));
      response.end();
      return;
    case '/bytes': {
      let left = number('bytes', 1);
      const chunk = Buffer.alloc(65536, 120);
      const declared = url.searchParams.get('declared') === 'true';
      if (declared) response.setHeader('content-length', left);
      const more = () => {
        while (left > 0) {
          const part = chunk.subarray(0, Math.min(left, chunk.length));
          left -= part.length;
          if (!response.write(part)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
      return;
    }
    case '/half':
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => (url.searchParams.has('die') ? process.exit(9) : request.socket.destroy()));
      return;
    case '/gone':
      request.socket.on('close', () => (globalThis.wentAway = true));
      return;
    case '/went-away':
      response.end(String(globalThis.wentAway ?? false));
      return;
    case '/refuse':
      response.writeHead(422, 'Not Like This', { 'x-own': ['a', 'b'], connection: 'close, x-hop', 'x-hop': '1' });
      response.end('refused');
      return;
    case '/trailers':
      response.writeHead(200, { trailer: 'x-sum' });
      response.write('body');
      response.addTrailers({ 'x-sum': '42' });
      response.end();
      return;
  }
  let bytes = 0;
  const hash = createHash('sha1');
  request.on('data', (part) => {
    bytes += part.length;
    hash.update(part);
  });
  request.on('end', () => {
    const { method, url, rawHeaders, trailers } = request;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        method, url, rawHeaders, trailers, bytes, sha1: hash.digest('hex'), pid: process.pid, workerId: RUNPOD_POD_ID,
      }),
    );
  });
});
server.on('upgrade', (request, socket, head) => {
  if (request.url === '/no-socket') {
    socket.end('HTTP/1.1 403 No Socket\\r\\ncontent-length: 2\\r\\n\\r\\nno');
    return;
  }
  socket.setNoDelay(true);
  socket.write(
    'HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n' +
      'Sec-WebSocket-Accept: ' + accept(request.headers['sec-websocket-key']) + '\\r\\n\\r\\n',
  );
  socket.on('error', () => undefined);
  socket.on('end', () => socket.end());
  // Echoes frames: the mask bit goes, the bytes are unmasked.
  let rest = head;
  const echo = () => {
    for (;;) {
      if (rest.length < 6) return;
      const short = rest[1] & 127;
      const at = short === 126 ? 4 : 2;
      if (rest.length < at + 4) return;
      const length = short === 126 ? rest.readUInt16BE(2) : short;
      if (rest.length < at + 4 + length) return;
      const mask = rest.subarray(at, at + 4);
      const data = Buffer.from(rest.subarray(at + 4, at + 4 + length));
      for (let i = 0; i < length; i++) data[i] ^= mask[i % 4];
      const frame = Buffer.from(rest.subarray(0, at));
      frame[1] &= 127;
      socket.write(Buffer.concat([frame, data]));
      rest = rest.subarray(at + 4 + length);
      if ((frame[0] & 15) === 8) return void socket.end();
    }
  };
  socket.on('data', (part) => {
    rest = Buffer.concat([rest, part]);
    echo();
  });
  echo();
});
server.listen(Number(PORT), '127.0.0.1');
if (PORT_HEALTH !== PORT) {
  createServer((request, response) => {
    response.statusCode = request.url === HEALTH_CHECK_PATH ? health : 404;
    response.end();
  }).listen(Number(PORT_HEALTH), '127.0.0.1');
}
`;

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly trailers: Readonly<Record<string, string>>;
  readonly bytes: number;
  readonly sha1: string;
  readonly pid: number;
  readonly workerId: string;
}

/** A load-balancing endpoint whose workers run the app above. */
export async function makeBalanced(
  engine: TestEngine,
  { endpoint = {}, env = {}, app = APP }: { endpoint?: object; env?: Record<string, string>; app?: string } = {},
): Promise<Endpoint> {
  const made = await makeEndpoint(
    engine,
    { 'app.mjs': app },
    {
      template: { dockerStartCmd: [process.execPath, 'app.mjs'], env },
      endpoint: { type: 'LB', workersMax: 1, idleTimeout: 60, ...endpoint },
    },
  );
  return made.endpoint;
}

/** The headers that a worker was sent, by lower-case name. */
export const headersSeen = ({ rawHeaders }: Seen): Record<string, string> =>
  Object.fromEntries(
    rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? '']] : [])),
  );
