/**
 * Takes connections before Node's HTTP does, and serves brief requests on them for as long as nothing else comes. With the
 * first request that is anything else the connection is Node's for good.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '#contract/limits.ts';
import { BRIEF_BYTES, POST, readBrief, type BriefRead, type KnownHeaders } from './briefRequest.ts';
import { BriefResponse, KEEP_ALIVE_MS } from './briefResponse.ts';
import type { BriefRequest } from './exchange.ts';

export interface BriefService {
  /** Whether requests to this host are served here; asked once for lines that come again and again. */
  isOwn(host: string): boolean;
  /** Whether requests for this path are; all others are Node's. */
  takes(url: string): boolean;
  serve(request: BriefRequest, response: BriefResponse, socket: Socket): void;
}

/** Puts itself before `server`, which has no other listener for connections yet. */
export function serveBriefly(server: Server, service: BriefService): void {
  const handOver = server.listeners('connection')[0]! as (this: Server, socket: Socket) => void;
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    followConnection(socket, service, server, () => handOver.call(server, socket));
  });
}

function followConnection(socket: Socket, service: BriefService, server: Server, handOver: () => void): void {
  /** The newest that were served, by method: who asks and tells in turn sends different ones. */
  const known: Record<BriefRequest['method'], KnownHeaders | null> = { GET: null, POST: null };
  let answering: BriefResponse | null = null;
  /** What came while an answer was under way. */
  let early: Buffer[] = [];

  function leave(bytes: Buffer): void {
    socket.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError).off('timeout', onTimeout);
    socket.setTimeout(0);
    // Whoever takes the connection reads what is put back before anything that comes now.
    socket.pause();
    socket.unshift(bytes);
    handOver();
    process.nextTick(() => socket.resume());
  }

  function isServed({ request, headers }: BriefRead): boolean {
    return (headers === known[request.method] || service.isOwn(headers.host)) && service.takes(request.url);
  }

  function onData(bytes: Buffer): void {
    if (answering !== null) {
      early.push(bytes);
      socket.pause();
      return;
    }
    const read = readBrief(bytes, bytes[0] === POST ? known.POST : known.GET);
    if (read === null || !isServed(read)) {
      leave(bytes);
      return;
    }
    const { request, headers } = read;
    known[request.method] = headers;
    const response = new BriefResponse(request, socket, answered);
    answering = response;
    service.serve(request, response, socket);
  }

  function answered(): void {
    answering = null;
    if (socket.destroyed) return;
    // Waiting for an answer has no end of its own; waiting for a request has.
    if (socket.timeout !== KEEP_ALIVE_MS) socket.setTimeout(KEEP_ALIVE_MS);
    if (early.length === 0) return;
    const bytes = early.length === 1 ? early[0]! : Buffer.concat(early);
    early = [];
    socket.resume();
    if (bytes.length > BRIEF_BYTES) leave(bytes);
    else onData(bytes);
  }

  const onEnd = (): void => void socket.end();
  const onClose = (): void => answering?.close();
  const onError = (): void => void socket.destroy();
  const onTimeout = (): void => void server.emit('timeout', socket);
  socket.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onError).on('timeout', onTimeout);
  socket.setTimeout(limits.connection.headersMs);
}
