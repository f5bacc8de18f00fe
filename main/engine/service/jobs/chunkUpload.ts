/** Chunks as workers send them: one POST each, as the public worker does, or one open POST with a line each, as ours do. */
import { AppError, toAppError } from '#contract/core/errors.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import { checkChunk } from '../../domain/jobs/payload/chunkLog.ts';
import type { Logger } from '../../domain/core/ports.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import type { CommitCallback } from '../../domain/core/commits.ts';
import { INLINE_BYTES } from '../../domain/jobs/payload/payloadRef.ts';
import type { Worker } from '../../domain/jobs/workerRegistry.ts';
import type { BodyIntake } from '../http/bodyParser.ts';
import type { Call } from '../http/route.ts';
import { mayTakeLong } from '../http/connectionLimits.ts';
import { sendError, sendJson } from '../http/errorMapper.ts';
import { isBrief } from '../http/types.ts';

/** Bytes taken but not yet on disk, above which the worker is made to wait. */
const HIGH_MARK_BYTES = 1024 * 1024;
/** A large chunk comes in pieces of about 1 MB: a few at a time, so that no commit is long. */
const PIECES_AT_ONCE = 2;
/** So much of what arrives is taken at once: more would hold up others. */
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

/** Settles with the write, which is asked for at once. */
const written = (write: (settled: CommitCallback) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    write((error) => {
      if (error === null) resolve();
      else reject(error instanceof Error ? error : toAppError(error));
    });
  });

/** Appends what one chunk was split into. Rejects as `append` of the rules throws. */
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

/** Cut where lines end: as many lines at a time as are small together, and each that is large by itself. */
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

function receiveLines(call: Call, worker: Worker, job: Job, { jobs, texts, logger, limits }: ChunkIntakeOptions): void {
  const { response } = call;
  /** What still comes; a brief request is there already. */
  const request = isBrief(call.request) ? null : call.request;
  if (request) mayTakeLong(request);
  /** The beginning of a line that has not ended. */
  let rest: Buffer[] = [];
  let restBytes = 0;
  let unsettledBytes = 0;
  let ended = false;
  let failed = false;
  /** The last lines that wait for a large one before them, or are large themselves. */
  let waiting: Promise<void> | null = null;

  function fail(error: unknown): void {
    if (failed) return;
    failed = true;
    sendError(response, error, logger);
    // What the worker still sends has no place to go.
    response.on('finish', () => request?.destroy());
  }

  function settle(bytes: number, error: unknown): void {
    unsettledBytes -= bytes;
    if (error) fail(error);
    else if (ended && unsettledBytes === 0 && !failed) sendJson(response, 200, '{}');
    else if (unsettledBytes < HIGH_MARK_BYTES && request?.isPaused()) request.resume();
  }

  /** Throws what is wrong with a line; those before it are taken. */
  function append(lines: Buffer, settled: CommitCallback): void {
    const chunks: string[] = [];
    let refusal: unknown = null;
    try {
      for (const line of lines.toString('utf8').split('\n')) if (line.trim() !== '') chunks.push(checkChunk(line));
    } catch (error) {
      refusal = error;
    }
    if (chunks.length > 0) jobs.append(job, worker.id, chunks, settled);
    else settled(null);
    if (refusal) throw refusal as Error;
  }

  /** The small lines here, the large ones by the thread. */
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
    const mine = (waiting ?? Promise.resolve())
      .then(() => appendLarge(lines))
      .then(
        () => settle(bytes, null),
        (error: unknown) => settle(bytes, error),
      )
      .finally(() => {
        if (waiting === mine) waiting = null;
      });
    waiting = mine;
  }

  function receive(part: Buffer, last: boolean): void {
    if (failed) return;
    try {
      const end = last ? part.length : part.lastIndexOf(NEW_LINE) + 1;
      // A line without an end must not fill the memory.
      const { runsyncBodyBytes } = limits();
      if (restBytes + part.length > runsyncBodyBytes) {
        throw new AppError('TOO_LARGE', `One chunk is larger than ${runsyncBodyBytes} bytes.`);
      }
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
      if (complete && complete.length > 0) takeLines(complete);
    } catch (error) {
      fail(error);
    }
  }

  /** What came in during this turn of the event loop: a worker that sends each line by itself fills it with many. */
  let arrived: Buffer[] = [];
  let arrivedBytes = 0;
  const takeArrived = (): void => {
    if (arrivedBytes === 0) return;
    const part = arrived.length === 1 ? arrived[0]! : Buffer.concat(arrived, arrivedBytes);
    arrived = [];
    arrivedBytes = 0;
    // Workers send while their handler yields: that is a sign of life.
    if (jobs.workers.get(worker.id)) jobs.workers.touch(worker.id, worker.endpointId);
    receive(part, false);
  };

  const end = (last: Buffer): void => {
    receive(last, true);
    ended = true;
    settle(0, null);
  };
  if (isBrief(call.request)) {
    end(call.request.body);
    return;
  }
  call.request.on('data', (part: Buffer) => {
    if (arrived.length === 0) setImmediate(takeArrived);
    arrived.push(part);
    arrivedBytes += part.length;
    if (arrivedBytes >= AT_ONCE_BYTES) takeArrived();
  });
  call.request.on('end', () => {
    takeArrived();
    end(Buffer.alloc(0));
  });
}
