/**
 * /v2/{endpoint}/openai/*: any request of an OpenAI client, as a job whose handler knows the path; its answer as the client
 * expects it. Nothing here knows one path from another. The connection is the job's only reader: when it goes, so does the job.
 */
import { StringDecoder } from 'node:string_decoder';
import { AppError } from '#contract/errors.ts';
import { isTerminal } from '#contract/job.ts';
import { limits } from '#contract/limits.ts';
import type { ChunkLog, Job } from '../domain/job.ts';
import type { Jobs } from '../domain/jobs.ts';
import { openaiJobWithoutInput, type OpenaiRequest } from '../domain/openaiRequest.ts';
import type { Cancel, Clock, LargeTexts, Logger } from '../domain/ports.ts';
import { cut, isStored, type StoredText } from '../domain/storedText.ts';
import type { BodyIntake } from './bodyIntake.ts';
import type { Call, Route } from './call.ts';
import { sendError } from './errors.ts';
import { createEventStream } from './eventStream.ts';
import { outputOf, sendValue, wholeAnswer } from './openaiAnswer.ts';
import * as failures from './openaiErrors.ts';
import type { OpenaiError } from './openaiErrors.ts';
import { sendParts } from './sendParts.ts';

export interface OpenaiRoutesOptions {
  clock: Clock;
  jobs: Jobs;
  intake: BodyIntake;
  texts: LargeTexts;
  logger: Logger;
}

export interface OpenaiRoutes {
  readonly routes: Record<string, Route>;
  /** Tells every open request that the engine stops, and ends it. */
  stop(): void;
}

/** Chunks read from the store at a time: what a slow reader holds in memory is about this and one chunk. */
const READ_BYTES = 256 * 1024;

export function createOpenaiRoutes(options: OpenaiRoutesOptions): OpenaiRoutes {
  const { clock, jobs, intake, texts, logger } = options;
  const open = new Set<(error: OpenaiError) => void>();

  function sendWhole(call: Call, status: number, type: string, text: string): void {
    if (call.response.destroyed || call.response.headersSent) return;
    call.response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
    call.response.end(text);
  }

  function sendFailure(call: Call, { status, body, mayRetry }: OpenaiError): void {
    // The official clients send a request again after a 409 and any 5xx unless they are told not to.
    if (!mayRetry && !call.response.headersSent) call.response.setHeader('x-should-retry', 'false');
    sendWhole(call, status, 'application/json', body);
  }

  /** Nobody waits for the job any more, and nobody else knows of it. */
  function abandon(job: Job): void {
    if (job.removed || isTerminal(job.status)) return;
    jobs.cancel(job, (error) => {
      if (error) logger.error({ err: error, jobId: job.id }, 'a job without a caller could not be cancelled');
    });
  }

  /**
   * Stays with the job until the request is answered. `look` is called after each change and answers whether it is over;
   * `fail` tells an error. A caller who goes away takes the job along.
   */
  function stayWith(call: Call, job: Job, look: () => boolean, fail: (error: OpenaiError) => void): void {
    const { response } = call;
    const leave = (): void => {
      open.delete(refuse);
      unwatch();
      response.off('close', leave);
      response.off('drain', step);
      abandon(job);
    };
    const refuse = (error: OpenaiError): void => {
      leave();
      fail(error);
    };
    const step = (): void => {
      if (!open.has(refuse)) return;
      try {
        if (job.removed) refuse(failures.jobRemoved());
        else if (look()) leave();
      } catch (error) {
        logger.error({ err: error, jobId: job.id }, 'an answer could not be sent');
        refuse(failures.errorOfWorker('Something went wrong inside Hangar. The log has the details.'));
      }
    };
    open.add(refuse);
    const unwatch = jobs.watch(job, step);
    response.on('close', leave);
    response.on('drain', step);
    step();
  }

  const settledEnd = (job: Job): boolean => job.unsettled === 0 && isTerminal(job.status);

  /** Every value the job has yielded, or the one it returned; an error where there is none, or too much. */
  function valuesOf(job: Job): string[] | StoredText | OpenaiError {
    const position = { index: 0, row: job.chunks?.firstRow ?? 0 };
    const values: string[] = [];
    let length = 0;
    for (;;) {
      const texts = jobs.readFrom(job, position, READ_BYTES);
      if (texts.length === 0) break;
      for (const text of texts) {
        values.push(outputOf(text));
        length += text.length;
      }
      if (length > limits.runsyncBodyBytes) return failures.answerTooLarge(limits.runsyncBodyBytes);
    }
    if (values.length > 0) return values;
    const output = jobs.output(job);
    if (isStored(output)) return output;
    return output === null || output === 'null' ? failures.noAnswer() : [output];
  }

  /** A text from a file, whole. Rejects where it cannot be read. */
  async function readWhole(text: StoredText): Promise<string> {
    const decoder = new StringDecoder('utf8');
    let whole = '';
    // A piece is good until the next one is asked for.
    for await (const piece of texts.read(text))
      whole += decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
    return whole + decoder.end();
  }

  /** A large result that was returned: an object goes from its file to the caller as it is, a text is decoded. */
  async function sendStored(call: Call, output: StoredText): Promise<void> {
    const { start } = output.part;
    if ((await readWhole(cut(output, start, start + 1))) !== '"') {
      await sendParts(call.response, 200, [output], texts, logger);
      return;
    }
    const answer = wholeAnswer([await readWhole(output)]);
    if ('body' in answer) sendFailure(call, answer);
    else sendWhole(call, 200, answer.type, answer.text);
  }

  function answerWhole(call: Call, job: Job): void {
    const fail = (error: OpenaiError): void => sendFailure(call, error);
    const look = (): boolean => {
      if (!settledEnd(job)) return false;
      const values = failures.errorOfJob(job) ?? valuesOf(job);
      const answer = Array.isArray(values) ? wholeAnswer(values) : values;
      if ('file' in answer) {
        sendStored(call, answer).catch((error: unknown) => sendError(call.response, error, logger));
      } else if ('body' in answer) fail(answer);
      else sendWhole(call, 200, answer.type, answer.text);
      return true;
    };
    stayWith(call, job, look, fail);
  }

  function answerStream(call: Call, job: Job): void {
    const stream = createEventStream(call.response);
    let log: ChunkLog | null = null;
    const position = { index: 0, row: 0 };
    let sentAt = clock.elapsed();

    function fail(error: OpenaiError): void {
      silence();
      if (!stream.begun()) {
        sendFailure(call, error);
        return;
      }
      stream.event(error.body);
      stream.end();
    }

    function end(): void {
      silence();
      // The end of its events is told by who made them.
      if (stream.lastWasEvent()) stream.event('[DONE]');
      stream.end();
    }

    function endWith(raw: string): void {
      const error = sendValue(stream, raw);
      if (error) fail(error);
      else end();
    }

    /** The job has completed, and all it yielded is sent; what it returned counts where it yielded nothing. */
    function finish(): void {
      if (position.index > 0) {
        end();
        return;
      }
      const values = valuesOf(job);
      if (Array.isArray(values)) endWith(values[0]!);
      else if ('body' in values) fail(values);
      else readWhole(values).then(endWith, (error: unknown) => fail(failures.errorOfWorker((error as Error).message)));
    }

    /** Sends what is there, as far as the reader takes it. Answers whether the answer is over. */
    function look(): boolean {
      if (job.chunks !== log) {
        if (position.index > 0) {
          fail(failures.begunAnew());
          return true;
        }
        log = job.chunks;
        position.row = log?.firstRow ?? 0;
      }
      while (!stream.isFull()) {
        const texts = jobs.readFrom(job, position, READ_BYTES);
        if (texts.length === 0) break;
        sentAt = clock.elapsed();
        for (const text of texts) {
          const error = sendValue(stream, outputOf(text));
          if (!error) continue;
          fail(error);
          return true;
        }
        stream.flush();
      }
      if ((log && position.index < log.ready) || !settledEnd(job)) return false;
      const error = failures.errorOfJob(job);
      if (error) fail(error);
      else finish();
      return true;
    }

    // One timer that looks when it may be time: chunks are many, and set none.
    function pulseAfter(ms: number): Cancel {
      return clock.after(ms, () => {
        const idleMs = clock.elapsed() - sentAt;
        const due = idleMs >= limits.eventStreamPulseMs;
        if (due) stream.pulse();
        nextPulse = pulseAfter(due ? limits.eventStreamPulseMs : limits.eventStreamPulseMs - idleMs);
      });
    }
    let nextPulse = pulseAfter(limits.eventStreamPulseMs);
    const silence = (): void => nextPulse();
    call.response.on('close', silence);
    stayWith(call, job, look, fail);
  }

  function submit(call: Call, { streamed, body }: OpenaiRequest): void {
    const submission = {
      endpointId: call.endpoint.id,
      request: {},
      body,
      sync: true,
      attended: true,
      retentionMs: limits.retentionMs.runsync,
    };
    jobs.submit(submission, (error, job) => {
      if (error) {
        sendError(call.response, error, logger);
        return;
      }
      if (call.response.destroyed) {
        abandon(job);
        return;
      }
      // What clients show a person as the id of the request.
      call.response.setHeader('x-request-id', job.id);
      if (streamed) answerStream(call, job);
      else answerWhole(call, job);
    });
  }

  function run(call: Call): void {
    if (call.rest === '') {
      throw new AppError('NOT_FOUND', 'An OpenAI path is missing after /openai, such as /openai/v1/chat/completions.');
    }
    const route = `/${call.rest}`;
    if (call.request.method === 'GET') {
      submit(call, { streamed: false, body: openaiJobWithoutInput(route) });
      return;
    }
    intake.openai(call.request, route, (bodyError, checked) => {
      try {
        if (!checked) throw bodyError;
        submit(call, checked);
      } catch (error) {
        if (checked && isStored(checked.body)) texts.discard(checked.body);
        sendError(call.response, error, logger);
      }
    });
  }

  return {
    routes: { openai: { methods: ['GET', 'POST'], need: 'jobs', rate: 'openai', run } },
    stop() {
      for (const refuse of [...open]) refuse(failures.engineStops());
    },
  };
}
