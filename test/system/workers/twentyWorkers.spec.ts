/** Many workers on one machine, some of which are killed while they work. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { healthSchema, jobAcceptedSchema, jobViewSchema } from '#contract/api/job.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { randomOfTest } from '../../support/core/randomOfTest.ts';
import { accepted, makeEndpoint } from '../../support/resources/resources.ts';
import { raiseRates } from '../../support/engine/settings.ts';
import { until } from '../../support/core/until.ts';

const WORKERS = 20;
const JOBS = 400;
const KILLS = 10;
const SUBMITTERS = 8;

/**
 * Notes each run in a file. A job that is to be killed tells which process it runs in, at its first run only, and waits
 * for that; whatever is killed a second time fails by rule.
 */
const handler = `
  import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
  import { setTimeout as pause } from 'node:timers/promises';
  const here = (name) => new URL('./' + name, import.meta.url);
  export default async ({ id, input }) => {
    const run = crypto.randomUUID();
    appendFileSync(here('runs'), JSON.stringify({ id, run }) + '\\n');
    if (input.killed && !existsSync(here('victim-' + id))) {
      writeFileSync(here('victim-' + id), '');
      appendFileSync(here('victims'), process.pid + '\\n');
      await pause(600_000);
    }
    return { n: input.n, run };
  };`;

const outputSchema = z.object({ n: z.int(), run: z.string() });
const runSchema = z.object({ id: z.string(), run: z.string() });

let engine: TestEngine;
let endpoint: Endpoint;
let folder: string;

const lines = (name: string): string[] => {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
};
const health = async () => healthSchema.parse((await engine.http.get(`/v2/${endpoint.id}/health`)).json);
const allIdle = (): Promise<unknown> =>
  until('all workers wait for jobs', async () => (await health()).workers.idle, WORKERS);

beforeAll(async () => {
  engine = await startEngine();
  await raiseRates(engine);
  const size = { workersMin: WORKERS, workersMax: WORKERS };
  const made = await makeEndpoint(engine, { 'handler.mjs': handler }, { endpoint: size });
  endpoint = made.endpoint;
  folder = fileURLToPath(made.template.imageName);
  await allIdle();
});
afterAll(() => engine.close());

test('twenty workers of which some are killed do 400 jobs: all complete, and none is accepted twice', async () => {
  const random = randomOfTest();
  const victims = new Set<number>();
  while (victims.size < KILLS) victims.add(random.below(JOBS));

  const numbers = new Map<string, number>();
  let sent = 0;
  const submitting = Promise.all(
    Array.from({ length: SUBMITTERS }, async () => {
      while (sent < JOBS) {
        const n = sent++;
        const body = { input: { n, killed: victims.has(n) } };
        const { id } = jobAcceptedSchema.parse(accepted(await engine.http.post(`/v2/${endpoint.id}/run`, body)));
        numbers.set(id, n);
      }
    }),
  );
  async function killAll(): Promise<void> {
    for (let killed = 0; killed < KILLS; killed++) {
      const pid = await until('the next victim', () => lines('victims')[killed]);
      await delay(random.below(20));
      process.kill(Number(pid), 'SIGKILL');
    }
  }
  await Promise.all([submitting, killAll()]);
  await until(
    'all jobs have ended',
    async () => (await health()).jobs,
    (jobs) => jobs.completed + jobs.failed === JOBS,
  );

  expect((await health()).jobs).toEqual({ completed: JOBS, failed: 0, inProgress: 0, inQueue: 0, retried: KILLS });
  const runs = lines('runs').map((line) => runSchema.parse(JSON.parse(line)));
  // Only a job whose worker was killed has run again.
  expect(runs).toHaveLength(JOBS + KILLS);
  const lastRun = new Map(runs.map(({ id, run }) => [id, run]));
  expect(numbers.size).toBe(JOBS);
  for (const [id, n] of numbers) {
    const view = jobViewSchema.parse((await engine.http.get(`/v2/${endpoint.id}/status/${id}`)).json);
    expect(view.status).toBe('COMPLETED');
    expect(outputSchema.parse(view.output)).toEqual({ n, run: lastRun.get(id) });
  }
});
