import type { TestEngine } from './engine.ts';
import { jobsOf } from '../jobs/jobs.ts';
import { makeEndpoint } from '../resources/resources.ts';
import { until } from '../core/until.ts';

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

/** Id of a job that was running at two crashes of the engine, and is set aside for that. */
export async function crashedTwice(engine: TestEngine): Promise<string> {
  const files = { 'handler.mjs': NEVER_ENDS };
  const { endpoint } = await makeEndpoint(engine, files, { endpoint: { workersMin: 1, workersMax: 1 } });
  const jobs = jobsOf(engine, endpoint.id);
  // A job that meets a worker is on disk with it, and one of an earlier run before it is handed over; any other is for
  // 20 ms not.
  await until(
    'a worker that waits',
    async () => (await jobs.health()).workers.idle,
    (idle) => idle > 0,
  );
  const id = await jobs.run({ long: true });
  for (let time = 0; time < 2; time++) {
    await jobs.reached(id, 'IN_PROGRESS');
    await crash(engine);
  }
  await until(
    'the job to be set aside',
    async () => (await engine.http.get('/local/v1/set-aside')).json as { id: string }[],
    (aside) => aside.some((one) => one.id === id),
  );
  return id;
}
