/**
 * A plain HTTP server that answers each request with the token of its address, and misbehaves as the address names.
 * Whatever it is sent as a request without having been sent as one by a caller shows by its path.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const { PORT, HEALTH_CHECK_PATH } = process.env;
/** The paths of requests that were hidden in the body of another. */
const smuggled: string[] = [];

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly token: string;
}

/** Every answer says whose it is, and how its request arrived. */
const answerOf = ({ request, token }: Call): string => `<${token} ${request.method}>`;

/** What is written past the end of an answer that has been announced. */
const past = (token: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${token.length + 8}\r\n\r\n<${token} past>`;

const ways: Record<string, (call: Call) => void> = {
  whole: (call) => {
    call.request.resume().once('end', () => call.response.end(answerOf(call)));
  },
  early: (call) => {
    call.response.end(answerOf(call));
  },
  earlyAndClosed: (call) => {
    call.response.shouldKeepAlive = false;
    call.response.end(answerOf(call));
  },
  informed: (call) => {
    call.response.writeProcessing();
    call.response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => ways['whole']?.(call));
  },
  trailers: (call) => {
    call.response.writeHead(200, { trailer: 'x-sum' });
    call.response.write(answerOf(call));
    call.response.addTrailers({ 'x-sum': '1', 'content-length': '7' });
    call.response.end();
  },
  empty: (call) => {
    call.response.writeHead(204);
    call.response.end();
  },
  unchanged: (call) => {
    call.response.writeHead(304, { 'content-length': '100' });
    call.response.end();
  },
  switching: ({ request, token }) => {
    request.socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n${past(token)}`,
    );
  },
  pastItsEnd: ({ request, token }) => {
    request.socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok${past(token)}`);
  },
  bodyOfNone: ({ request, token }) => {
    request.socket.write(`HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n${past(token)}`);
  },
  twoLengths: ({ request, token }) => {
    request.socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok${past(token)}`);
  },
  lengthAndChunks: ({ request, token }) => {
    request.socket.write(
      `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${past(token)}`,
    );
  },
  otherCoding: ({ request }) => {
    request.socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n');
  },
  hidesLength: (call) => {
    const text = answerOf(call);
    call.response.writeHead(200, { connection: 'content-length', 'content-length': text.length });
    call.response.end(text);
  },
  brokenOff: ({ request }) => {
    request.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
  },
  silent: ({ request }) => {
    request.socket.destroy();
  },
};

/** The names of the ways to answer, for whoever asks. */
export const WAYS: readonly string[] = Object.keys(ways);

if (PORT !== undefined) {
  // A caller that goes away in the middle of an answer must not end the worker of the others.
  process.on('uncaughtException', (error) => console.error(error));
  createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://worker');
    request.on('error', () => undefined);
    if (url.pathname === HEALTH_CHECK_PATH) {
      response.end();
      return;
    }
    if (url.pathname === '/smuggled') {
      response.end(JSON.stringify(smuggled));
      return;
    }
    if (url.pathname === '/hidden') smuggled.push(url.search);
    const token = url.searchParams.get('token') ?? 'none';
    (ways[url.searchParams.get('way') ?? 'whole'] ?? ways['whole'])?.({ request, response, token });
  }).listen(Number(PORT), '127.0.0.1');
}
