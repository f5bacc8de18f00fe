/** Receives chunks of workers: one POST for each (the public worker), or one open POST with a line for each (ours). */
import { AppError, toAppError } from '#contract/core/errors.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import { checkChunk } from '../../domain/jobs/payload/chunkLog.ts';
import type { Logger } from '../../domain/core/ports.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import type { CommitCallback } from '../../domain/core/commits.ts';
import { INLINE_BYTES } from '../../domain/jobs/payload/payloadRef.ts';
import type { Worker } from '../../domain/jobs/workers/registry.ts';
import type { BodyIntake } from '../http/bodies/parser.ts';
import type { Call } from '../http/route.ts';
import { mayTakeLong } from '../http/connectionLimits.ts';
import { sendError, sendJson } from '../http/errorMapper.ts';
import { isBrief } from '../http/types.ts';

/** Bytes that are not on disk yet; above this the worker waits. */
const HIGH_MARK_BYTES = 1024 * 1024;
/** A large chunk comes in pieces of about 1 MB: a few at a time, so that no commit is long. */
const PIECES_AT_ONCE = 2;
/** Bytes that are taken in one step: more would delay other requests. */
const AT_ONCE_BYTES = 64 * 1024;
const NEW_LINE = 10;

export interface ChunkIntakeOptions {
  jobs: Jobs;
  intake: BodyIntake;
  texts: LargeTexts;
  logger: Logger;
  /** The limits in force. */
  limits(): LimitSettings;
}

export function receiveChunks(call: Call, worker: Worker, options: ChunkIntakeOptions): void {
  const job = options.jobs.find(call.endpoint.id, call.second);
  if (call.query?.get('ndjson') === '1') receiveLines(call, worker, job, options);
  else receiveOne(call, worker, job, options);
}

/** Starts the write, and settles with it. */
const written = (write: (settled: CommitCallback) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    write((error) => {
      if (error === null) resolve();
      else reject(error instanceof Error ? error : toAppError(error));
    });
  });

/** Appends the pieces of one chunk. Rejects with the error of `append`. */
async function appendPieces(jobs: Jobs, worker: Worker, job: Job, pieces: readonly string[]): Promise<void> {
  for (let from = 0; from < pieces.length; from += PIECES_AT_ONCE) {
    await written((settled) => jobs.append(job, worker.id, pieces.slice(from, from + PIECES_AT_ONCE), settled));
  }
}

function receiveOne(call: Call, worker: Worker, job: Job, { jobs, intake, logger }: ChunkIntakeOptions): void {
  const settled = (error: unknown): void => {
    if (error) sendError(call.response, error, logger);
    else sendJson(call.response, 200, '{}');
  };
  intake.chunk(call.request, (bodyError, pieces) => {
    try {
      if (!pieces) throw bodyError;
      if (pieces.length === 1) jobs.append(job, worker.id, pieces, settled);
      else appendPieces(jobs, worker, job, pieces).then(() => settled(null), settled);
    } catch (error) {
      settled(error);
    }
  });
}

/** Cuts at the ends of lines: small lines together, each large line by itself. */
function* runsOf(lines: Buffer): Generator<Buffer> {
  let from = 0;
  for (let at = 0, end = 0; at < lines.length; at = end) {
    end = lines.indexOf(NEW_LINE, at) + 1 || lines.length;
    if (end - from <= INLINE_BYTES) continue;
    if (at > from) yield lines.subarray(from, at);
    from = at;
  }
  yield lines.subarray(from);
}

/** Cuts bytes into whole lines. Returns null while a line goes on; throws TOO_LARGE for a line above `mostBytes`. */
function createLineSplitter(mostBytes: () => number): (part: Buffer, last: boolean) => Buffer | null {
  /** The begin of a line that has not ended. */
  let rest: Buffer[] = [];
  let restBytes = 0;
  return (part, last) => {
    const end = last ? part.length : part.lastIndexOf(NEW_LINE) + 1;
    // A line without an end must not fill the memory.
    const most = mostBytes();
    if (restBytes + part.length > most) throw new AppError('TOO_LARGE', `One chunk is larger than ${most} bytes.`);
    let complete: Buffer | null = null;
    if (end > 0 || last) {
      complete = restBytes > 0 ? Buffer.concat([...rest, part.subarray(0, end)]) : part.subarray(0, end);
      rest = [];
      restBytes = 0;
    }
    if (end < part.length) {
      rest.push(part.subarray(end));
      restBytes += part.length - end;
    }
    return complete && complete.length > 0 ? complete : null;
  };
}

/** Passes on the parts of one turn of the event loop together: a worker that sends line by line fills it with many. */
function createTurnBuffer(pass: (bytes: Buffer) => void): { add(part: Buffer): void; flush(): void } {
  let parts: Buffer[] = [];
  let bytes = 0;
  const flush = (): void => {
    const [first, ...others] = parts;
    if (first === undefined) return;
    const all = others.length === 0 ? first : Buffer.concat(parts, bytes);
    parts = [];
    bytes = 0;
    pass(all);
  };
  return {
    flush,
    add(part) {
      if (parts.length === 0) setImmediate(flush);
      parts.push(part);
      bytes += part.length;
      if (bytes >= AT_ONCE_BYTES) flush();
    },
  };
}

function receiveLines(call: Call, worker: Worker, job: Job, { jobs, texts, logger, limits }: ChunkIntakeOptions): void {
  const { response } = call;
  /** The request that still sends; null for a brief one, which is complete. */
  const request = isBrief(call.request) ? null : call.request;
  if (request) mayTakeLong(request);
  let unsettledBytes = 0;
  let ended = false;
  let failed = false;
  /** The last lines that wait for a large one before them, or are large themselves. */
  let waiting: Promise<void> | null = null;

  function fail(error: unknown): void {
    if (failed) return;
    failed = true;
    sendError(response, error, logger);
    // Nobody reads the rest of the request.
    response.on('finish', () => request?.destroy());
  }

  function settle(bytes: number, error: unknown): void {
    unsettledBytes -= bytes;
    if (error) fail(error);
    else if (ended && unsettledBytes === 0 && !failed) sendJson(response, 200, '{}');
    else if (unsettledBytes < HIGH_MARK_BYTES && request?.isPaused()) request.resume();
  }

  /** Appends the lines before the first bad one, and throws its error. */
  function append(lines: Buffer, settled: CommitCallback): void {
    const chunks: string[] = [];
    let refusal: AppError | null = null;
    try {
      for (const line of lines.toString('utf8').split('\n')) if (line.trim() !== '') chunks.push(checkChunk(line));
    } catch (error) {
      refusal = toAppError(error);
    }
    if (chunks.length > 0) jobs.append(job, worker.id, chunks, settled);
    else settled(null);
    if (refusal) throw refusal;
  }

  /** Checks small lines here and large ones in the thread. */
  async function appendLarge(lines: Buffer): Promise<void> {
    for (const run of runsOf(lines)) {
      if (failed) return;
      if (run.length > INLINE_BYTES) {
        const body = texts.gather();
        body.add(run);
        await appendPieces(jobs, worker, job, await texts.checkChunk(body));
      } else await written((settled) => append(run, settled));
    }
  }

  function takeLines(lines: Buffer): void {
    const bytes = lines.length;
    unsettledBytes += bytes;
    if (unsettledBytes >= HIGH_MARK_BYTES) request?.pause();
    if (!waiting && bytes <= INLINE_BYTES) {
      append(lines, (error) => settle(bytes, error));
      return;
    }
    const appended = (waiting ?? Promise.resolve())
      .then(() => appendLarge(lines))
      .then(
        () => settle(bytes, null),
        (error: unknown) => settle(bytes, error),
      )
      .finally(() => {
        if (waiting === appended) waiting = null;
      });
    waiting = appended;
  }

  const split = createLineSplitter(() => limits().runsyncBodyBytes);
  function receive(part: Buffer, last: boolean): void {
    if (failed) return;
    try {
      const lines = split(part, last);
      if (lines) takeLines(lines);
    } catch (error) {
      fail(error);
    }
  }

  const end = (last: Buffer): void => {
    receive(last, true);
    ended = true;
    settle(0, null);
  };
  if (isBrief(call.request)) {
    end(call.request.body);
    return;
  }
  const arrived = createTurnBuffer((bytes) => {
    // Workers send while their handler yields: that is a sign of life.
    if (jobs.workers.get(worker.id)) jobs.workers.touch(worker.id, worker.endpointId);
    receive(bytes, false);
  });
  call.request.on('data', (part: Buffer) => arrived.add(part));
  call.request.on('end', () => {
    arrived.flush();
    end(Buffer.alloc(0));
  });
}
