/** Passes a WebSocket through: after the change of protocols, bytes go from one connection to the other. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Cancel } from '../../domain/core/ports.ts';
import { headersBack } from './headers.ts';
import { awaitAnswer, passOn, type ProxyExchange, type ProxyTools } from './request.ts';

/** Two joined connections, until one of them ends. */
export interface Tunnel {
  close(): void;
}

/** Closes the connection to a reader that reads nothing, as with any other answer. */
function watchReading(socket: Socket): void {
  socket.on('timeout', () => {
    if (socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(0);
  });
}

function join(one: Socket, other: Socket, onEnd: () => void): void {
  one.pipe(other);
  // Reads and drops the bytes for a side that has ended: closing a connection with unread bytes would lose the last
  // ones, such as the reason why a WebSocket was closed.
  other.on('unpipe', () => one.resume());
  one.once('end', onEnd);
  one.once('error', () => one.destroy());
  one.once('close', () => {
    if (!one.readableEnded) other.destroySoon();
    onEnd();
  });
  one.setNoDelay(true);
  one.setTimeout(0);
}

/** Bytes that a caller may send before its request is answered. More of them stay unread until then. */
const EARLY_BYTES = 64 * 1024;

/**
 * Reads the bytes that the caller sends before the answer. A caller that ends its side by then has gone; Node does not
 * watch a connection that asks for an upgrade.
 *
 * @returns A function that stops the reading and returns the bytes, `head` first.
 */
function readEarly(socket: Socket, head: Buffer): () => Buffer {
  const parts = [head];
  let bytes = head.length;
  const onData = (part: Buffer): void => {
    parts.push(part);
    bytes += part.length;
    if (bytes > EARLY_BYTES) socket.pause();
  };
  const onEnd = (): void => void socket.destroy();
  if (socket.readableEnded) onEnd();
  else socket.on('data', onData).on('end', onEnd).resume();
  return () => {
    socket.off('data', onData).off('end', onEnd).pause();
    return Buffer.concat(parts);
  };
}

/**
 * Passes a WebSocket to its worker. `head`: the bytes behind the request. Calls `onOpen` and `onEnd` with the tunnel.
 */
export function passSocket(
  passing: ProxyExchange,
  head: Buffer,
  tools: ProxyTools,
  { onOpen, onEnd }: { onOpen(tunnel: Tunnel): void; onEnd(tunnel: Tunnel): void },
): void {
  const { request, response, lease, who, workerId } = passing;
  const socket = request.socket;
  const takeEarly = readEarly(socket, head);
  const outgoing = passOn(passing, tools.agents, request.headers.upgrade ?? '');
  const { cut, refuse, answered } = awaitAnswer(passing, outgoing, tools, (answer) => {
    // No change of protocols: most often a refusal.
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', headersBack(answer, workerId));
    answer.once('close', () => {
      if (!answer.complete) cut(`${who} broke its answer off.`);
    });
    answer.pipe(response);
  });
  outgoing.on('upgrade', (answer: IncomingMessage, upstream: Socket, first: Buffer) => {
    answered();
    if (socket.destroyed) {
      upstream.destroy();
      return;
    }
    // A server may only change to the requested protocol (RFC 9110, section 15.2.2). Otherwise the next bytes of the
    // caller would reach a worker that still reads requests.
    if (answer.headers.upgrade?.toLowerCase() !== request.headers.upgrade?.toLowerCase()) {
      upstream.destroy();
      refuse(new AppError('UPSTREAM', `${who} changed to a protocol that it was not asked for.`));
      return;
    }
    const lines = headersBack(answer, workerId, true);
    let text = `HTTP/1.1 101 ${answer.statusMessage ?? ''}\r\nConnection: Upgrade\r\nUpgrade: ${answer.headers.upgrade ?? ''}\r\n`;
    for (let at = 0; at < lines.length; at += 2) text += `${lines[at]}: ${lines[at + 1]}\r\n`;
    socket.write(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), first]));
    const early = takeEarly();
    if (early.length > 0) upstream.write(early);
    let closing: Cancel | null = null;
    let over = false;
    const tunnel: Tunnel = {
      close() {
        socket.destroy();
        upstream.destroy();
      },
    };
    // After the end of one side, the other has a moment to end too.
    const end = (): void => {
      if (over) return;
      closing ??= tools.clock.after(limits.balancing.closingMs, tunnel.close);
      if (!socket.destroyed || !upstream.destroyed) return;
      over = true;
      closing();
      onEnd(tunnel);
    };
    // The worker's connection ends with the worker; its last bytes go out first.
    lease.onLost = end;
    join(socket, upstream, end);
    join(upstream, socket, end);
    socket.setTimeout(0);
    watchReading(socket);
    onOpen(tunnel);
  });
  outgoing.end();
}
