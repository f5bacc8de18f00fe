import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import {
  healthSchema,
  isTerminal,
  jobAcceptedSchema,
  jobViewSchema,
  type Health,
  type JobAccepted,
  type JobView,
} from '#contract/api/job.ts';
import type { TestEngine } from '../engine/engine.ts';
import { accepted } from '../resources/resources.ts';
import { until } from '../core/until.ts';

/** The job API of one endpoint for tests that are about something else than its answers' details. */
export interface Jobs {
  readonly path: string;
  /** Submits and returns the id. */
  run(input: object, envelope?: object): Promise<string>;
  status(id: string): Promise<JobView>;
  cancel(id: string): Promise<JobAccepted>;
  health(): Promise<Health>;
  /** Waits until the job's status is this one. */
  reached(id: string, status: JobView['status']): Promise<JobView>;
  finished(id: string): Promise<JobView>;
}

export function jobsOf(engine: TestEngine, endpointId: string): Jobs {
  const path = `/v2/${endpointId}`;
  const status = async (id: string): Promise<JobView> =>
    jobViewSchema.parse(accepted(await engine.http.get(`${path}/status/${id}`)));
  return {
    path,
    status,
    run: async (input, envelope = {}) =>
      jobAcceptedSchema.parse(accepted(await engine.http.post(`${path}/run`, { input, ...envelope }))).id,
    cancel: async (id) => jobAcceptedSchema.parse(accepted(await engine.http.post(`${path}/cancel/${id}`))),
    health: async () => healthSchema.parse(accepted(await engine.http.get(`${path}/health`))),
    reached: (id, wanted) =>
      until(
        `job ${id} to be ${wanted}`,
        () => status(id),
        (view) => {
          if (view.status === wanted) return true;
          if (isTerminal(view.status)) throw new Error(`It ended otherwise: ${JSON.stringify(view)}`);
          return false;
        },
      ),
    finished: (id) =>
      until(
        `job ${id} to finish`,
        () => status(id),
        (view) => isTerminal(view.status),
      ),
  };
}

/** Settles once everything that the engine has put off is stored: it writes all of that before it copies its data. */
export async function allCommitted(engine: TestEngine): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hangar-copy-'));
  const task = { name: 'snapshot', file: join(folder, 'engine.db') };
  try {
    z.object({ type: z.literal('done'), problem: z.null() }).parse(await engine.tell({ type: 'task', id: 1, task }));
  } finally {
    await rm(folder, { recursive: true });
  }
}
