import { startClockedEngine } from '../engine/clockedEngine.ts';
import type { TestEngine } from '../engine/engine.ts';
import { jobsOf, type Jobs } from '../jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from './outsideWorker.ts';
import { makeIdleEndpoint } from '../resources/resources.ts';

/**
 * An engine with an endpoint whose only worker is the test itself. Its clock stands still: however slow the machine is
 * with large bodies, no wait for a job ends, and the worker is not taken for lost.
 */
export interface WorkedEndpoint {
  readonly engine: TestEngine;
  readonly jobs: Jobs;
  readonly worker: OutsideWorker;
}

export async function startWorkedEndpoint(): Promise<WorkedEndpoint> {
  const engine = await startClockedEngine();
  await engine.hold();
  const { id } = await makeIdleEndpoint(engine);
  return { engine, jobs: jobsOf(engine, id), worker: createOutsideWorker(engine, id) };
}
