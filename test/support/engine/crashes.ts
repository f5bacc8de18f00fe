import type { TestEngine } from './engine.ts';
import { jobsOf, type Jobs } from '../jobs/jobs.ts';
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
  const [id = ''] = await allCrashedTwice(engine, 1);
  return id;
}

/** Ids of this many jobs, each of an endpoint of its own, that were running at the same two crashes of the engine. */
export async function allCrashedTwice(engine: TestEngine, count: number): Promise<string[]> {
  const running = await Promise.all(Array.from({ length: count }, () => runningJob(engine)));
  const allRun = () => Promise.all(running.map(({ jobs, id }) => jobs.reached(id, 'IN_PROGRESS')));
  for (let time = 0; time < 2; time++) {
    await allRun();
    await crash(engine);
  }
  const ids = running.map(({ id }) => id);
  await until(
    'the jobs to be set aside',
    async () => (await engine.http.get('/local/v1/set-aside')).json as { id: string }[],
    (aside) => ids.every((id) => aside.some((one) => one.id === id)),
  );
  return ids;
}

async function runningJob(engine: TestEngine): Promise<{ jobs: Jobs; id: string }> {
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
  return { jobs, id: await jobs.run({ long: true }) };
}
