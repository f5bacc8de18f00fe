/** An OpenAI request and its job stay together until the answer is sent, and go together. */
import type { ServerResponse } from 'node:http';
import { isTerminal } from '#contract/api/job.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { Logger } from '../../domain/core/ports.ts';
import { engineStops, errorOfWorker, jobRemoved, resultExpired, type OpenaiError } from './errors.ts';

export interface Attendance {
  /**
   * Serves the job until the request is answered. It calls `advance` now and after each change of the job or of the
   * reader's buffer; `advance` returns whether the answer is over. `fail` sends an error. A caller who disconnects
   * cancels the job, unless `isComplete` tells that the caller has the whole answer and only the job goes on.
   */
  attend(
    response: ServerResponse,
    job: Job,
    advance: () => boolean,
    fail: (error: OpenaiError) => void,
    isComplete?: () => boolean,
  ): void;
  /** Cancels a job that lost its only caller. */
  abandon(job: Job): void;
  /** Answers every open request with an error, because the engine stops. */
  stop(): void;
}

export function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

export function sendFailure(response: ServerResponse, { status, body, mayRetry }: OpenaiError): void {
  // The official clients send a request again after a 409 and any 5xx unless they are told not to.
  if (!mayRetry && !response.headersSent) response.setHeader('x-should-retry', 'false');
  sendText(response, status, 'application/json', body);
}

export function createAttendance(jobs: Jobs, logger: Logger): Attendance {
  const open = new Set<(error: OpenaiError) => void>();

  function abandon(job: Job): void {
    if (job.removed || isTerminal(job.status)) return;
    jobs.cancel(job, (error) => {
      if (error) logger.error({ err: error, jobId: job.id }, 'a job without a caller could not be cancelled');
    });
  }

  return {
    abandon,
    attend(response, job, advance, fail, isComplete = () => false) {
      const leave = (): void => {
        open.delete(refuse);
        unwatch();
        response.off('close', leave);
        response.off('drain', step);
        if (!isComplete()) abandon(job);
      };
      const refuse = (error: OpenaiError): void => {
        leave();
        fail(error);
      };
      const step = (): void => {
        if (!open.has(refuse)) return;
        try {
          if (job.removed) refuse(isTerminal(job.status) ? resultExpired() : jobRemoved());
          else if (advance()) leave();
        } catch (error) {
          logger.error({ err: error, jobId: job.id }, 'an answer could not be sent');
          refuse(errorOfWorker('Something went wrong inside Hangar. The log has the details.'));
        }
      };
      open.add(refuse);
      const unwatch = jobs.watch(job, step);
      response.on('close', leave);
      response.on('drain', step);
      step();
    },
    stop() {
      for (const refuse of [...open]) refuse(engineStops());
    },
  };
}
