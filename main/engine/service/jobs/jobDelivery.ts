/** Delivers jobs to a worker, as the answer to its request. */
import { AppError } from '#contract/core/errors.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { Logger } from '../../domain/core/ports.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import { isStored, type JsonParts, type JsonText } from '../../domain/jobs/payload/payloadRef.ts';
import type { Worker } from '../../domain/jobs/workers/registry.ts';
import { sendJson, sendNothing } from '../http/errorMapper.ts';
import type { Call } from '../http/route.ts';
import { sendParts } from '../http/streamBody.ts';

export interface JobDeliveryOptions {
  jobs: Jobs;
  texts: LargeTexts;
  logger: Logger;
}

/** Answers with jobs; 204 without any. Jobs whose answer does not get through go back to the queue. */
export type DeliverJobs = (call: Call, worker: Worker, taken: Job[], batch: boolean) => void;

const isText = (text: string | JsonParts): text is string => typeof text === 'string';

export function createJobDelivery({ jobs, texts, logger }: JobDeliveryOptions): DeliverJobs {
  /** A job whose text cannot be read is not handed out: it fails. */
  function fail(job: Job, worker: Worker, thrown: unknown): void {
    if (job.workerId !== worker.id) return;
    const error = thrown instanceof AppError ? thrown.message : 'The input of the job could not be read.';
    jobs.result(job, worker.id, { progress: false, output: null, error, stopWorker: false }, () => undefined);
  }

  /** The texts that the worker gets, one for each job. */
  function textsOf(taken: Job[], worker: Worker): (string | JsonParts)[] {
    const readable: (string | JsonParts)[] = [];
    for (const job of taken) {
      try {
        readable.push(jobs.workerText(job));
      } catch (thrown) {
        fail(job, worker, thrown);
      }
    }
    return readable;
  }

  /** Answers with texts from files. Checks the files before anything is promised to the worker. */
  async function deliverStored(call: Call, worker: Worker, taken: Job[], batch: boolean): Promise<void> {
    const parts: JsonText[] = [];
    for (const job of taken) {
      try {
        const text = jobs.workerText(job);
        const own = typeof text === 'string' ? [text] : text;
        for (const part of own) if (isStored(part)) await texts.probe(part);
        parts.push(parts.length > 0 ? ',' : batch ? '[' : '', ...own);
      } catch (thrown) {
        fail(job, worker, thrown);
      }
    }
    if (parts.length === 0) sendNothing(call.response);
    else await sendParts(call.response, 200, batch ? [...parts, ']'] : parts, texts, logger);
  }

  return (call, worker, taken, batch) => {
    const { response } = call;
    if (response.destroyed || response.writableEnded) {
      for (const job of taken) jobs.giveBack(job);
      return;
    }
    const ready = textsOf(taken, worker);
    if (ready.length === 0) {
      sendNothing(response);
      return;
    }
    response.on('close', () => {
      if (!response.writableFinished) for (const job of taken) if (job.workerId === worker.id) jobs.giveBack(job);
    });
    if (ready.every(isText)) sendJson(response, 200, batch ? `[${ready.join(',')}]` : ready.join(','));
    else void deliverStored(call, worker, taken, batch);
  };
}
