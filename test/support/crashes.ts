import type { TestEngine } from './engine.ts';
import { jobsOf } from './jobs.ts';
import { makeEndpoint } from './resources.ts';
import { until } from './until.ts';

/** A handler that never ends, in a worker that does not take the time which a stop gives it. */
export const NEVER_ENDS = `
  process.on('SIGTERM', () => process.exit());
  export default () => new Promise(() => undefined);
`;

/** Kills the engine as a crash would, and starts it again. */
export async function crash(engine: TestEngine): Promise<void> {
  await engine.kill9();
  await engine.restart();
}

/** Waits until a job runs, which the disk knows as well: its worker is told of it a moment before that is committed. */
export async function runsForGood(engine: TestEngine, endpointId: string, jobId: string): Promise<void> {
  const jobs = jobsOf(engine, endpointId);
  await jobs.reached(jobId, 'IN_PROGRESS');
  // Whatever is committed now is committed after it.
  const later = await jobs.run({});
  await jobs.cancel(later);
}

/** Id of a job that was running at two crashes of the engine, and is set aside for that. */
export async function crashedTwice(engine: TestEngine): Promise<string> {
  const { endpoint } = await makeEndpoint(engine, { 'handler.mjs': NEVER_ENDS }, { endpoint: { workersMax: 1 } });
  const id = await jobsOf(engine, endpoint.id).run({ long: true });
  for (let time = 0; time < 2; time++) {
    await runsForGood(engine, endpoint.id, id);
    await crash(engine);
  }
  await until('the job to be set aside', async () => {
    const aside = (await engine.http.get('/local/v1/set-aside')).json as { id: string }[];
    return aside.some((one) => one.id === id);
  });
  return id;
}
