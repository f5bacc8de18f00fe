/** The job API of an account over HTTP. */
import type { Health, JobAccepted } from '#contract/api/job.ts';
import type { RunMode } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import { toldAcceptedSchema, toldHealthSchema, toldPurgedSchema } from '#contract/api/lenient.ts';
import { readJob, readJson, readStream, type JobAnswer, type StreamAnswer } from './http/parsers.ts';
import type { Outbound } from './http/outbound.ts';

export interface JobsApi {
  /** `body` is sent as it is. A runsync answers after a second at the latest, so that the job's id is known while it runs. */
  submit(endpointId: string, mode: RunMode, body: string): Promise<JobAnswer>;
  status(endpointId: string, jobId: string, signal?: AbortSignal): Promise<JobAnswer>;
  /** Held open until there are chunks, the job's state changes, or `waitMs` has passed. */
  stream(endpointId: string, jobId: string, waitMs: number, signal?: AbortSignal): Promise<StreamAnswer>;
  /** Queues a job that has failed or timed out once more, under the same id. */
  retry(endpointId: string, jobId: string): Promise<JobAccepted>;
  cancel(endpointId: string, jobId: string): Promise<JobAccepted>;
  health(endpointId: string): Promise<Health>;
  /** Removes the jobs that wait; answers how many. */
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
      return readJson('cancel', await outbound.send({ method: 'POST', path }), toldAcceptedSchema);
    },
    async retry(endpointId, jobId) {
      const path = `/v2/${enc(endpointId)}/retry/${enc(jobId)}`;
      return readJson('retry', await outbound.send({ method: 'POST', path }), toldAcceptedSchema);
    },
    async health(endpointId) {
      return readJson(
        'health',
        await outbound.send({ method: 'GET', path: `/v2/${enc(endpointId)}/health` }),
        toldHealthSchema,
      );
    },
    async purge(endpointId) {
      const path = `/v2/${enc(endpointId)}/purge-queue`;
      return readJson('purge-queue', await outbound.send({ method: 'POST', path }), toldPurgedSchema).removed;
    },
  };
}
