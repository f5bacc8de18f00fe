/**
 * Takes connections before Node's HTTP does, and serves brief requests on them. The first other request hands the
 * connection to Node for good.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '#contract/core/limits.ts';
import { requireValue } from '#contract/core/requireValue.ts';
import { BRIEF_BYTES, POST, readBrief, type BriefRead, type KnownHeaders } from './parser.ts';
import { BriefResponse, KEEP_ALIVE_MS } from './response.ts';
import type { BriefRequest } from '../types.ts';

export interface BriefService<Path> {
  /** Whether requests to this host are served here. The answer counts for all requests with the same header lines. */
  isOwn(host: string): boolean;
  /** The path of a request that is served here; null for a request that Node serves. */
  pathOf(url: string): Path | null;
  serve(request: BriefRequest, path: Path, response: BriefResponse, socket: Socket): void;
}

/** The times for which a connection may be idle, in milliseconds. */
export interface QuietTimes {
  /** The interval of the checks; an idle connection may last longer by as much. */
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
 * Takes the connections of `server` in place of Node. Call it before any other listener is added. An idle connection
 * causes a `timeout` event of the server, as with Node.
 */
export function attachFastPath<Path>(
  server: Server,
  service: BriefService<Path>,
  times: QuietTimes = usualTimes,
): void {
  const handOver = requireValue(server.listeners('connection')[0], 'the listener of Node for connections');
  server.removeAllListeners('connection');
  // One timer for all connections: a timer of each would be set again with every packet.
  const checks = new Set<() => void>();
  let timer: NodeJS.Timeout | null = null;
  function checkAll(): void {
    timer = checks.size > 0 ? setTimeout(checkAll, times.checkEveryMs) : null;
    for (const check of checks) check();
  }
  server.on('connection', (socket: Socket) => {
    const checkQuiet = followConnection(socket, service, times, {
      onQuiet: () => server.emit('timeout', socket),
      onLeft() {
        checks.delete(checkQuiet);
        if (checks.size > 0 || timer === null) return;
        clearTimeout(timer);
        timer = null;
      },
      handOver: () => void Reflect.apply(handOver, server, [socket]),
    });
    checks.add(checkQuiet);
    timer ??= setTimeout(checkAll, times.checkEveryMs);
  });
}

interface Following {
  onQuiet(): void;
  /** The connection is closed, or Node has it. */
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
  /** Bytes that arrived before the answer to the request before them. */
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
    // Node reads the bytes that are put back before those that come now.
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
    // The caller of `end` may still be at work in this turn.
    if (early.length > 0) process.nextTick(goOn);
    else goOn();
  }

  function goOn(): void {
    answering = null;
    if (socket.destroyed) return;
    quietMs = 0;
    mayBeQuietMs = times.betweenMs;
    // connectionLimits.ts sets it while an answer is not read.
    if (socket.timeout) socket.setTimeout(0);
    const [first, ...others] = early;
    if (first === undefined) return;
    const bytes = others.length === 0 ? first : Buffer.concat(early);
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
    // A request may wait for its answer without a limit.
    if (answering !== null) return;
    // The first check may come right after the answer, so it counts as zero.
    if (quietMs >= mayBeQuietMs) following.onQuiet();
    quietMs += times.checkEveryMs;
  };
}
