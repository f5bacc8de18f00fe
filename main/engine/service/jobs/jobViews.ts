/** Answers with the view of a job: its JSON, and a header that says why a queued job waits. */
import type { Waiting } from '#contract/local/engine.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import { jobViewText } from '../../domain/jobs/views/statusView.ts';
import type { Logger } from '../../domain/core/ports.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import { headerText, WAITING_HEADER } from '../http/compat.ts';
import { sendJson } from '../http/errorMapper.ts';
import { sendParts } from '../http/streamBody.ts';
import type { JobResponse } from '../http/types.ts';

export interface JobViewsOptions {
  jobs: Jobs;
  texts: LargeTexts;
  logger: Logger;
  /** Why a queued job waits. */
  waitsFor(job: Job): Pick<Waiting, 'code' | 'message'>;
}

export interface JobViews {
  /** Sets the header of a queued job; nothing for a job in another state. */
  setWaitingHeaders(response: JobResponse, job: Job): void;
  send(response: JobResponse, job: Job): void;
}

export function createJobViews({ jobs, texts, logger, waitsFor }: JobViewsOptions): JobViews {
  function setWaitingHeaders(response: JobResponse, job: Job): void {
    if (job.status !== 'IN_QUEUE' || response.headersSent) return;
    const { code, message } = waitsFor(job);
    response.setHeader(WAITING_HEADER, headerText(`${code}: ${message}`));
  }

  return {
    setWaitingHeaders,
    send(response, job) {
      setWaitingHeaders(response, job);
      const view = jobViewText(job, jobs.output(job));
      if (typeof view === 'string') sendJson(response, 200, view);
      else void sendParts(response, 200, view, texts, logger);
    },
  };
}
