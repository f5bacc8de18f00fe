/** Answers in one piece, after the end of the job: one JSON value or one text. */
import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { isTerminal } from '#contract/api/job.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { Logger } from '../../domain/core/ports.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import { cut, isStored, type StoredText } from '../../domain/jobs/payload/payloadRef.ts';
import { sendError } from '../http/errorMapper.ts';
import { textOf, typeByEnds, wholeAnswer } from './answer.ts';
import { sendFailure, sendText, type Attendance } from './cancelOnDisconnect.ts';
import { errorInAnswer, errorOfJob, noAnswer, type OpenaiError } from './errors.ts';
import { readWhole, returnedValue, yieldedValues } from './values.ts';
import { sendParts, written } from '../http/streamBody.ts';

export interface WholeAnswersOptions {
  jobs: Jobs;
  texts: LargeTexts;
  logger: Logger;
  attendance: Attendance;
}

export function createWholeAnswers(options: WholeAnswersOptions): (response: ServerResponse, job: Job) => void {
  const { jobs, texts, logger, attendance } = options;

  function sendValues(response: ServerResponse, values: readonly string[]): void {
    const answer = wholeAnswer(values);
    if ('body' in answer) sendFailure(response, answer);
    else sendText(response, 200, answer.type, answer.text);
  }

  /** Sends a large returned result: an object goes from its file to the caller as it is, a text is decoded. */
  async function sendStored(response: ServerResponse, output: StoredText): Promise<void> {
    const { start } = output.part;
    const isText = (await readWhole(texts, cut(output, start, start + 1))) === '"';
    if (isText) sendValues(response, [await readWhole(texts, output)]);
    else await sendParts(response, 200, [output], texts, logger);
  }

  /** Sends many or large values, one batch in each turn of the event loop. The first pass finds their type. */
  async function sendMany(response: ServerResponse, job: Job): Promise<void> {
    let first: string | null = null;
    let last = '';
    let isText = true;
    for (const batch of yieldedValues(jobs, job)) {
      first ??= batch[0] ?? null;
      last = batch.at(-1) ?? last;
      isText &&= batch.every((raw) => raw.startsWith('"'));
      await turn();
    }
    const error = isText ? null : errorInAnswer(last);
    if (error) {
      sendFailure(response, error);
      return;
    }
    if (response.destroyed) return;
    const type = isText ? typeByEnds(textOf(first ?? '""'), textOf(last)) : 'application/json';
    response.writeHead(200, { 'content-type': type });
    let before = isText ? '' : '[';
    for (const batch of yieldedValues(jobs, job)) {
      const text = isText ? batch.map(textOf).join('') : before + batch.join(',');
      if (!isText) before = ',';
      await written(response, text);
      if (response.destroyed) return;
    }
    // The job was removed meanwhile: the caller must not take a part for the whole.
    if (job.removed) response.destroy();
    else response.end(isText ? '' : ']');
  }

  function send(response: ServerResponse, job: Job): Promise<void> | void {
    const [first, more] = yieldedValues(jobs, job);
    if (more !== undefined) return sendMany(response, job);
    if (first !== undefined) return sendValues(response, first);
    const value = returnedValue(jobs, job);
    if (value === null) return sendFailure(response, noAnswer());
    return isStored(value) ? sendStored(response, value) : sendValues(response, [value]);
  }

  return (response, job) => {
    const fail = (error: OpenaiError): void => sendFailure(response, error);
    const advance = (): boolean => {
      if (job.pendingWrites > 0 || !isTerminal(job.status)) return false;
      const error = errorOfJob(job);
      if (error) fail(error);
      else send(response, job)?.catch((thrown: unknown) => sendError(response, thrown, logger));
      return true;
    };
    attendance.attend(response, job, advance, fail);
  };
}
