/** The job API of an account over HTTP. */
import type { Health, JobAccepted } from '#contract/api/job.ts';
import type { RunMode } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import {
  type LenientRequest,
  lenientRequestsSchema,
  lenientAcceptedSchema,
  lenientHealthSchema,
  lenientPurgedSchema,
} from '#contract/api/lenient.ts';
import { readJob, readJson, readStream, type JobAnswer, type StreamAnswer } from './http/parsers.ts';
import type { Outbound } from './http/outbound.ts';

export interface JobsApi {
  /**
   * `body` is sent unchanged. A runsync answers after at most one second, so that the job's id is known while it runs.
   */
  submit(endpointId: string, mode: RunMode, body: string): Promise<JobAnswer>;
  status(endpointId: string, jobId: string, signal?: AbortSignal): Promise<JobAnswer>;
  /** The service delays the answer until there are chunks, the job's state changes, or `waitMs` is over. */
  stream(endpointId: string, jobId: string, waitMs: number, signal?: AbortSignal): Promise<StreamAnswer>;
  /** Queues a failed or timed-out job once more, under the same id. */
  retry(endpointId: string, jobId: string): Promise<JobAccepted>;
  cancel(endpointId: string, jobId: string): Promise<JobAccepted>;
  /** The newest jobs, newest first, without their input and output. */
  requests(endpointId: string, signal: AbortSignal): Promise<LenientRequest[]>;
  health(endpointId: string): Promise<Health>;
  /** Removes the waiting jobs; returns how many. */
  purge(endpointId: string): Promise<number>;
}

const enc = encodeURIComponent;

export function createJobsApi(outbound: Outbound): JobsApi {
  return {
    async submit(endpointId, mode, body) {
      const waitMs = limits.waitMs.min;
      const path = `/v2/${enc(endpointId)}/${mode === 'run' ? 'run' : `runsync?wait=${waitMs}`}`;
      return readJob(mode, await outbound.send({ method: 'POST', path, body, holdMs: waitMs }));
    },
    async status(endpointId, jobId, signal) {
      const path = `/v2/${enc(endpointId)}/status/${enc(jobId)}`;
      return readJob('status', await outbound.send({ method: 'GET', path, signal }));
    },
    async stream(endpointId, jobId, waitMs, signal) {
      const path = `/v2/${enc(endpointId)}/stream/${enc(jobId)}?envelope=true&wait=${waitMs}`;
      return readStream('stream', await outbound.send({ method: 'GET', path, signal, holdMs: waitMs }));
    },
    async cancel(endpointId, jobId) {
      const path = `/v2/${enc(endpointId)}/cancel/${enc(jobId)}`;
      return readJson('cancel', await outbound.send({ method: 'POST', path }), lenientAcceptedSchema);
    },
    async retry(endpointId, jobId) {
      const path = `/v2/${enc(endpointId)}/retry/${enc(jobId)}`;
      return readJson('retry', await outbound.send({ method: 'POST', path }), lenientAcceptedSchema);
    },
    async requests(endpointId, signal) {
      const path = `/v2/${enc(endpointId)}/requests`;
      return readJson('requests', await outbound.send({ method: 'GET', path, signal }), lenientRequestsSchema);
    },
    async health(endpointId) {
      return readJson(
        'health',
        await outbound.send({ method: 'GET', path: `/v2/${enc(endpointId)}/health` }),
        lenientHealthSchema,
      );
    },
    async purge(endpointId) {
      const path = `/v2/${enc(endpointId)}/purge-queue`;
      return readJson('purge-queue', await outbound.send({ method: 'POST', path }), lenientPurgedSchema).removed;
    },
  };
}
