import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { jobStatuses, type JobStatus } from '#contract/api/job.ts';
import { startEngine, type EngineOptions, type TestEngine } from './engine.ts';

/** Where the engine is killed: around a commit, the one step between "nothing happened" and "it happened". */
export type Moment = 'before commit' | 'after commit';

/** A real engine in a process of its own that kills itself at a chosen moment. */
export interface DyingEngine extends TestEngine {
  /**
   * Does `act`, which must bring the engine to its `nth` commit; it is killed there and started again on the same
   * folder and port. Meanwhile its clock moves by `advance` alone. What `act` was waiting for is left to itself.
   */
  killAt(moment: Moment, act: () => Promise<unknown>, nth?: number): Promise<void>;
  /** Puts its clock forward; rejects when that kills it. */
  advance(ms: number): Promise<void>;
}

export async function startDyingEngine(options: Omit<EngineOptions, 'entry'> = {}): Promise<DyingEngine> {
  const engine = await startEngine({ ...options, entry: join(import.meta.dirname, 'dyingEntry.ts') });
  return Object.assign(engine, {
    async killAt(moment: Moment, act: () => Promise<unknown>, nth = 1) {
      // The engine stores some numbers every few seconds: that commit would be counted.
      await engine.tell({ type: 'hold' });
      await engine.tell({ type: 'die', at: moment, nth });
      const answered = act().then(
        (answer) => answer,
        () => null,
      );
      await Promise.race([
        engine.exited(),
        answered.then((answer) => {
          if (answer !== null) throw new Error(`It was answered and not killed ${moment}: ${JSON.stringify(answer)}`);
          return engine.exited();
        }),
      ]);
      await engine.restart();
    },
    async advance(ms: number) {
      await engine.tell({ type: 'advance', ms });
    },
  });
}

/**
 * Parts of jobs that lie in a data folder without the rest, counted by what they are. Only for an engine that is
 * stopped.
 */
export function halfJobs(dataDir: string): Record<string, number> {
  const database = new DatabaseSync(join(dataDir, 'engine.db'), { readOnly: true });
  const count = (sql: string): number =>
    (database.prepare(`SELECT count(*) AS n FROM ${sql}`).get() as { n: number }).n;
  const counts = {
    'bodies without a job': count('body WHERE seq NOT IN (SELECT seq FROM job)'),
    'jobs without a body': count(
      'job WHERE seq NOT IN (SELECT seq FROM body UNION SELECT seq FROM stored_text WHERE part = 0)',
    ),
    'outputs without a job': count('output WHERE seq NOT IN (SELECT seq FROM job)'),
    'jobs without their output': count(
      'job WHERE has_output = 1 AND seq NOT IN (SELECT seq FROM output UNION SELECT seq FROM stored_text WHERE part = 1)',
    ),
    'files without a job': count('stored_text WHERE seq NOT IN (SELECT seq FROM job)'),
    'chunks without a job': count('chunk WHERE seq NOT IN (SELECT seq FROM job)'),
  };
  database.close();
  return Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));
}

/** Every job of a data folder by its id, as it is on disk. Only for an engine that is stopped. */
export function storedJobs(dataDir: string): Map<string, { status: JobStatus; retries: number }> {
  const database = new DatabaseSync(join(dataDir, 'engine.db'), { readOnly: true });
  const rows = database.prepare('SELECT id, status, retries FROM job').all() as {
    id: string;
    status: number;
    retries: number;
  }[];
  database.close();
  return new Map(rows.map(({ id, status, retries }) => [id, { status: jobStatuses[status]!, retries }]));
}
