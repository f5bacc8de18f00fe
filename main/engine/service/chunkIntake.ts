/** Chunks as workers send them: one POST each, as the public worker does, or one open POST with a line each, as ours do. */
import { StringDecoder } from 'node:string_decoder';
import { AppError } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { Job } from '../domain/job.ts';
import type { Jobs } from '../domain/jobs.ts';
import { checkChunk } from '../domain/jobStream.ts';
import type { Logger } from '../domain/ports.ts';
import type { Worker } from '../domain/workers.ts';
import type { BodyIntake } from './bodyIntake.ts';
import type { Call } from './call.ts';
import { sendError, sendJson } from './errors.ts';

/** Bytes taken but not yet on disk, above which the worker is made to wait. */
const HIGH_MARK_BYTES = 1024 * 1024;
const PIECES_AT_ONCE = 2;

export function receiveChunks(call: Call, jobs: Jobs, worker: Worker, intake: BodyIntake, logger: Logger): void {
  const job = jobs.find(call.endpoint.id, call.second);
  if (call.query?.get('ndjson') === '1') receiveLines(call, jobs, worker, job, logger);
  else receiveOne(call, jobs, worker, job, intake, logger);
}

function receiveOne(call: Call, jobs: Jobs, worker: Worker, job: Job, intake: BodyIntake, logger: Logger): void {
  intake.chunk(call.request, (bodyError, chunks) => {
    const append = (from: number): void => {
      if (!chunks) throw bodyError;
      // A large chunk comes in pieces of about 1 MB: a few at a time, so that no commit is long.
      const to = from + PIECES_AT_ONCE;
      jobs.append(job, worker.id, chunks.slice(from, to), (error) => {
        if (error) sendError(call.response, error, logger);
        else if (to < chunks.length) attempt(to);
        else sendJson(call.response, 200, '{}');
      });
    };
    const attempt = (from: number): void => {
      try {
        append(from);
      } catch (error) {
        sendError(call.response, error, logger);
      }
    };
    attempt(0);
  });
}

function receiveLines(call: Call, jobs: Jobs, worker: Worker, job: Job, logger: Logger): void {
  const { request, response } = call;
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let unsettledBytes = 0;
  let ended = false;
  let failed = false;

  function fail(error: unknown): void {
    if (failed) return;
    failed = true;
    sendError(response, error, logger);
    // What the worker still sends has no place to go.
    response.once('finish', () => request.destroy());
  }

  function settle(bytes: number, error: unknown): void {
    unsettledBytes -= bytes;
    if (error) fail(error);
    else if (ended && unsettledBytes === 0 && !failed) sendJson(response, 200, '{}');
    else if (unsettledBytes < HIGH_MARK_BYTES && request.isPaused()) request.resume();
  }

  function append(text: string): void {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length === 0) return;
    unsettledBytes += text.length;
    jobs.append(job, worker.id, lines.map(checkChunk), (error) => settle(text.length, error));
    if (unsettledBytes >= HIGH_MARK_BYTES) request.pause();
  }

  function receive(text: string, last: boolean): void {
    if (failed) return;
    try {
      const end = last ? text.length : text.lastIndexOf('\n') + 1;
      // A line without an end must not fill the memory.
      if (rest.length + text.length > limits.runsyncBodyBytes) {
        throw new AppError('TOO_LARGE', `One chunk is larger than ${limits.runsyncBodyBytes} bytes.`);
      }
      if (end === 0 && !last) {
        rest += text;
        return;
      }
      const complete = rest + text.slice(0, end);
      rest = text.slice(end);
      append(complete);
    } catch (error) {
      fail(error);
    }
  }

  request.on('data', (part: Buffer) => {
    // Workers send while their handler yields: that is a sign of life.
    if (jobs.workers.get(worker.id)) jobs.workers.seen(worker.id, worker.endpointId);
    receive(decoder.write(part), false);
  });
  request.on('end', () => {
    receive(decoder.end(), true);
    ended = true;
    settle(0, null);
  });
}
