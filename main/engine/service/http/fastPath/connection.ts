/**
 * Takes connections before Node's HTTP does, and serves brief requests on them for as long as nothing else comes. With the
 * first request that is anything else the connection is Node's for good.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '#contract/core/limits.ts';
import { BRIEF_BYTES, POST, readBrief, type BriefRead, type KnownHeaders } from './parser.ts';
import { BriefResponse, KEEP_ALIVE_MS } from './response.ts';
import type { BriefRequest } from '../types.ts';

export interface BriefService<Path> {
  /** Whether requests to this host are served here; asked once for lines that come again and again. */
  isOwn(host: string): boolean;
  /** What is asked for, where such requests are served here; null for all others, which are Node's. */
  pathOf(url: string): Path | null;
  serve(request: BriefRequest, path: Path, response: BriefResponse, socket: Socket): void;
}

/** How long a connection may be quiet, milliseconds. */
export interface QuietTimes {
  /** How often it is looked at, and so how much later it may be noticed. */
  readonly checkEveryMs: number;
  readonly beforeFirstMs: number;
  readonly betweenMs: number;
}

const usualTimes: QuietTimes = {
  checkEveryMs: 5000,
  beforeFirstMs: limits.connection.headersMs,
  betweenMs: KEEP_ALIVE_MS,
};

/**
 * Puts itself before `server`, which has no other listener for connections yet. A connection on which nothing comes for too long
 * is told of as a `timeout` of the server, as Node does.
 */
export function attachFastPath<Path>(
  server: Server,
  service: BriefService<Path>,
  times: QuietTimes = usualTimes,
): void {
  const handOver = server.listeners('connection')[0]! as (this: Server, socket: Socket) => void;
  server.removeAllListeners('connection');
  // One timer for all of them: one each would be set again with every piece that comes or goes.
  const coalescedTurns = new Set<() => void>();
  let timer: NodeJS.Timeout | null = null;
  function checkAll(): void {
    timer = coalescedTurns.size > 0 ? setTimeout(checkAll, times.checkEveryMs) : null;
    for (const check of coalescedTurns) check();
  }
  server.on('connection', (socket: Socket) => {
    const checkQuiet = followConnection(socket, service, times, {
      onQuiet: () => server.emit('timeout', socket),
      onLeft() {
        coalescedTurns.delete(checkQuiet);
        if (coalescedTurns.size > 0 || timer === null) return;
        clearTimeout(timer);
        timer = null;
      },
      handOver: () => handOver.call(server, socket),
    });
    coalescedTurns.add(checkQuiet);
    timer ??= setTimeout(checkAll, times.checkEveryMs);
  });
}

interface Following {
  onQuiet(): void;
  /** The connection is closed, or handed over to Node. */
  onLeft(): void;
  handOver(): void;
}

/** Returns the check to call every `checkEveryMs`. */
function followConnection<Path>(
  socket: Socket,
  service: BriefService<Path>,
  times: QuietTimes,
  following: Following,
): () => void {
  /** The last parsed head of each method: a worker alternates between GET and POST, with different heads. */
  const headerCache: Record<BriefRequest['method'], KnownHeaders | null> = { GET: null, POST: null };
  let answering: BriefResponse | null = null;
  /** Bytes that came while an answer was under way. */
  let early: Buffer[] = [];
  let quietMs = 0;
  let mayBeQuietMs = times.beforeFirstMs;

  function leave(bytes: Buffer): void {
    socket
      .off('data', onData)
      .off('end', onEnd)
      .off('close', onClose)
      .off('error', onError)
      .off('timeout', following.onQuiet);
    socket.setTimeout(0);
    following.onLeft();
    // Whoever takes the connection reads what is put back before anything that comes now.
    socket.pause();
    socket.unshift(bytes);
    following.handOver();
    process.nextTick(() => socket.resume());
  }

  const served = ({ request, headers }: BriefRead): Path | null =>
    headers === headerCache[request.method] || service.isOwn(headers.host) ? service.pathOf(request.url) : null;

  function onData(bytes: Buffer): void {
    if (answering !== null) {
      early.push(bytes);
      socket.pause();
      return;
    }
    const read = readBrief(bytes, bytes[0] === POST ? headerCache.POST : headerCache.GET);
    const path = read && served(read);
    if (read === null || path === null) {
      leave(bytes);
      return;
    }
    const { request, headers } = read;
    headerCache[request.method] = headers;
    const response = new BriefResponse(request, socket, answered);
    answering = response;
    service.serve(request, path, response, socket);
  }

  function answered(): void {
    // Whoever has answered may still be at it.
    if (early.length > 0) process.nextTick(goOn);
    else goOn();
  }

  function goOn(): void {
    answering = null;
    if (socket.destroyed) return;
    quietMs = 0;
    mayBeQuietMs = times.betweenMs;
    // It was set where the answer was not read for a while.
    if (socket.timeout) socket.setTimeout(0);
    if (early.length === 0) return;
    const bytes = early.length === 1 ? early[0]! : Buffer.concat(early);
    early = [];
    socket.resume();
    if (bytes.length > BRIEF_BYTES) leave(bytes);
    else onData(bytes);
  }

  const onEnd = (): void => void socket.end();
  const onClose = (): void => {
    following.onLeft();
    answering?.close();
  };
  const onError = (): void => void socket.destroy();
  socket.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onError).on('timeout', following.onQuiet);
  return () => {
    // Waiting for an answer has no end of its own.
    if (answering !== null) return;
    // The first look may come right after the answer: the time that clients were told is theirs in full.
    if (quietMs >= mayBeQuietMs) following.onQuiet();
    quietMs += times.checkEveryMs;
  };
}
