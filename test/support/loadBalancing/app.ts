/**
 * The worker of a load-balancing endpoint in tests: an HTTP server that tells what it was asked, and does what the path
 * names.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';

// An import also loads the part of Node that fetches, which takes longer than the rest of the start.
const { createServer } = process.getBuiltinModule('node:http');

const { PORT, PORT_HEALTH, HEALTH_CHECK_PATH, RUNPOD_POD_ID, STARTS_WITH } = process.env;
let health = Number(STARTS_WITH ?? 200);
let event: (text: string) => void = () => undefined;
let wentAway = false;
/** Whether the connection of /open-refusal was closed. */
let refusedIsClosed = false;
/** How often each path was asked for. */
const requestCounts = new Map<string, number>();
/** How each WebSocket was closed, in the order of that. */
const closes: { code: number; reason: string }[] = [];
const sockets = new Set<WebSocket>();
/** Bytes of all answers of /bytes that this side could write so far. */
let writtenBytes = 0;

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

const numberOf = (query: URLSearchParams, name: string, otherwise: number): number =>
  Number(query.get(name) ?? otherwise);

const tell = (response: ServerResponse, what: unknown): void => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(what));
};

function sendBytes({ response, query }: Call): void {
  let left = numberOf(query, 'bytes', 1);
  const chunk = Buffer.alloc(65_536, 'x');
  if (query.get('declared') === 'true') response.setHeader('content-length', left);
  const more = (): void => {
    while (left > 0) {
      const part = chunk.subarray(0, Math.min(left, chunk.length));
      left -= part.length;
      writtenBytes += part.length;
      if (!response.write(part)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
}

const paths: Record<string, (call: Call) => void> = {
  '/become': ({ response, query }) => {
    health = numberOf(query, 'status', 200);
    response.end();
  },
  '/asked': ({ response, query }) => {
    tell(response, requestCounts.get(query.get('path') ?? '') ?? 0);
  },
  '/closes': ({ response }) => {
    tell(response, closes);
  },
  '/die': () => process.exit(7),
  // It lives on, and nothing listens any more.
  '/close': ({ response }) => {
    server.close();
    server.closeIdleConnections();
    response.shouldKeepAlive = false;
    response.end();
  },
  // Reads nothing either.
  '/never': () => undefined,
  '/hold': ({ response, query }) => {
    const file = query.get('until') ?? '';
    const looking = setInterval(() => {
      if (!existsSync(file)) return;
      clearInterval(looking);
      response.end('held');
    }, 5);
  },
  '/events': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    event = (text) => response.write(`data: ${text}\n\n`);
  },
  '/event': ({ response, query }) => {
    event(query.get('text') ?? '');
    response.end();
  },
  '/bytes': sendBytes,
  '/written': ({ response }) => {
    tell(response, writtenBytes);
  },
  // What has been sent on WebSockets and cannot be written yet.
  '/buffered': ({ response }) => {
    tell(
      response,
      [...sockets].reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0),
    );
  },
  '/pipe': ({ request, response }) => {
    response.flushHeaders();
    request.pipe(response);
  },
  '/half': ({ request, response, query }) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => (query.has('die') ? process.exit(9) : request.socket.destroy()));
  },
  '/gone': ({ request }) => {
    request.socket.on('close', () => (wentAway = true));
  },
  '/went-away': ({ response }) => {
    tell(response, wentAway);
  },
  '/refused-is-closed': ({ response }) => {
    tell(response, refusedIsClosed);
  },
  '/refuse': ({ response }) => {
    response.writeHead(422, 'Not Like This', { 'x-own': ['a', 'b'], connection: 'close, x-hop', 'x-hop': '1' });
    response.end('refused');
  },
  '/trailers': ({ response }) => {
    response.writeHead(200, { trailer: 'x-sum' });
    response.write('body');
    response.addTrailers({ 'x-sum': '42' });
    response.end();
  },
};

function answerWithAll(request: IncomingMessage, response: ServerResponse): void {
  let bytes = 0;
  const hash = createHash('sha1');
  request.on('data', (part: Buffer) => {
    bytes += part.length;
    hash.update(part);
  });
  request.on('end', () => {
    const { method, url, rawHeaders, trailers } = request;
    const sha1 = hash.digest('hex');
    tell(response, { method, url, rawHeaders, trailers, bytes, sha1, workerId: RUNPOD_POD_ID });
  });
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://worker');
  if (url.pathname === HEALTH_CHECK_PATH) {
    response.statusCode = health;
    response.end();
    return;
  }
  requestCounts.set(url.pathname, (requestCounts.get(url.pathname) ?? 0) + 1);
  const path = paths[url.pathname];
  if (path) path({ request, response, query: url.searchParams });
  else answerWithAll(request, response);
});

const upgrades = new WebSocketServer({
  noServer: true,
  perMessageDeflate: { threshold: 0 },
  handleProtocols: (offered) => [...offered].at(-1) ?? false,
  maxPayload: 2 * 1024 * 1024,
});

const hear: Record<string, (socket: WebSocket, query: URLSearchParams) => void> = {
  '/close': (socket, query) => {
    socket.close(numberOf(query, 'code', 1000), query.get('reason') ?? '');
  },
  '/flood': (socket, query) => {
    const part = Buffer.alloc(65_536);
    for (let left = numberOf(query, 'bytes', 0); left > 0; left -= part.length) socket.send(part);
  },
};

/** The answer that begins a WebSocket, made by hand. */
function switching({ headers }: IncomingMessage): string {
  const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
}

server.on('upgrade', (request, socket, head) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://worker');
  if (pathname === '/never') return;
  if (pathname === '/other-protocol') {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
    return;
  }
  if (pathname === '/no-socket') {
    socket.end('HTTP/1.1 403 No Socket\r\ncontent-length: 2\r\n\r\nno');
    return;
  }
  // It leaves the connection open, as servers that refuse a WebSocket often do.
  if (pathname === '/open-refusal') {
    socket.once('end', () => {
      refusedIsClosed = true;
      socket.end();
    });
    socket.resume().write('HTTP/1.1 403 No Socket\r\ncontent-length: 2\r\n\r\nno');
    return;
  }
  if (pathname === '/hasty') {
    socket.write(switching(request));
    // What has been sent by then is still read, as a server does that means its last word to arrive.
    socket.once('data', () => socket.end(Buffer.from([0x88, 2, 4010 >> 8, 4010 & 255])).resume());
    return;
  }
  upgrades.handleUpgrade(request, socket, head, (open) => {
    sockets.add(open);
    const { url, rawHeaders } = request;
    open.on('message', (data, isBinary) => {
      open.send(data as Buffer, { binary: isBinary });
    });
    open.on('error', () => undefined);
    open.on('close', (code, reason) => {
      sockets.delete(open);
      closes.push({ code, reason: reason.toString() });
    });
    if (pathname === '/tell') open.send(JSON.stringify({ url, rawHeaders, workerId: RUNPOD_POD_ID }));
    hear[pathname]?.(open, searchParams);
  });
});

server.listen(Number(PORT), '127.0.0.1');
if (PORT_HEALTH !== PORT) {
  createServer((request, response) => {
    response.statusCode = request.url === HEALTH_CHECK_PATH ? health : 404;
    response.end();
  }).listen(Number(PORT_HEALTH), '127.0.0.1');
}
