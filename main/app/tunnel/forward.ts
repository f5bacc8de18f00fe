/** Passes requests and WebSockets of browsers on to an engine, with the key, as streams. */
import { request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, type Duplex } from 'node:stream';
import { POD_KEY_HEADER, POD_KEY_REFUSED_HEADER } from '#contract/api/podKey.ts';
import { CONNECTION_HEADERS } from '#contract/network/headers.ts';

/** Node sets the headers of the next connection itself. Trailers are not passed on, so none are announced. */
const NOT_FORWARDED = new Set([...CONNECTION_HEADERS, 'trailer']);

/** `name, value, name, value…` without the headers of one connection, unless `keepsUpgrade`, and without a key. */
function forwarded(rawHeaders: readonly string[], keepsUpgrade: boolean): string[] {
  const headers: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const lowerName = name.toLowerCase();
    if (lowerName === POD_KEY_HEADER) continue;
    if (keepsUpgrade || !NOT_FORWARDED.has(lowerName)) headers.push(name, value);
  }
  return headers;
}

/** A request of a browser on this machine, and where it goes. */
export interface ForwardedRequest {
  /** The base address of the engine. */
  engine: string;
  /** Null for an engine that asks for none. */
  key: string | null;
  incoming: IncomingMessage;
}

/** The request to the engine, not sent yet. It keeps the host name, by which the engine finds the Pod. */
function requestTo({ engine, key, incoming }: ForwardedRequest, isUpgrade: boolean) {
  const { protocol, hostname, port } = new URL(engine);
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  return send({
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    method: incoming.method,
    path: incoming.url,
    headers: [...forwarded(incoming.rawHeaders, isUpgrade), ...(key === null ? [] : [POD_KEY_HEADER, key])],
    setHost: false,
  });
}

const headOf = ({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string => {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
};

/**
 * Passes a request on, and its answer back.
 *
 * @param onRefused Called with 401 or 403 instead, if the engine refuses the key.
 * @param onFailed Called instead, if there is no answer.
 */
export function forwardRequest(
  forwardedRequest: ForwardedRequest,
  answer: ServerResponse,
  { onRefused, onFailed }: { onRefused(status: number): void; onFailed(error: Error): void },
): void {
  const { incoming } = forwardedRequest;
  const outgoing = requestTo(forwardedRequest, false);
  /** The rest of the body is read and dropped: closing the connection could lose the answer. */
  const dropBody = (): void => {
    incoming.unpipe(outgoing);
    incoming.resume();
  };
  outgoing.on('response', (response) => {
    if (response.headers[POD_KEY_REFUSED_HEADER] !== undefined) {
      dropBody();
      onRefused(response.statusCode ?? 401);
      outgoing.destroy();
      return;
    }
    answer.writeHead(response.statusCode ?? 502, response.statusMessage, forwarded(response.rawHeaders, false));
    pipeline(response, answer, () => undefined);
  });
  outgoing.on('error', (error) => {
    dropBody();
    if (!answer.headersSent) onFailed(error);
    else if (!answer.writableEnded) answer.destroy();
  });
  answer.on('close', () => outgoing.destroy());
  // A browser that has gone ends the request by the close of its answer.
  incoming.on('error', () => undefined);
  incoming.pipe(outgoing);
}

/**
 * Passes a WebSocket on: after the change of protocols, bytes go both ways.
 *
 * @param head The bytes behind the request.
 * @param on.onOpen Called with the connection to the engine once both are joined; `onEnd` once they have ended.
 * @param on.onFailed Called instead, if there is no answer.
 */
export function forwardUpgrade(
  forwardedRequest: ForwardedRequest,
  socket: Duplex,
  head: Buffer,
  on: { onOpen(far: Duplex): void; onEnd(far: Duplex): void; onFailed(error: Error): void },
): void {
  const outgoing = requestTo(forwardedRequest, true);
  outgoing.on('upgrade', (response, far, farHead) => {
    on.onOpen(far);
    socket.write(headOf(response));
    socket.write(farHead);
    far.write(head);
    pipeline(far, socket, far, () => on.onEnd(far));
  });
  outgoing.on('response', (response) => {
    socket.write(headOf(response));
    pipeline(response, socket, () => undefined);
  });
  outgoing.on('error', on.onFailed);
  socket.on('close', () => outgoing.destroy());
  outgoing.end();
}
