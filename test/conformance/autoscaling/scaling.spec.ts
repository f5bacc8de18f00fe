/** How many workers an endpoint has, and how they are replaced when what they are made of changes. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { endpointReadinessSchema, type EndpointReadiness } from '#contract/local/engine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { accepted, makeEndpoint, writeHandler, type Created } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';

/** Ends when the file of its name is there. */
const handler = (answer: string): string => `
  import { existsSync } from 'node:fs';
  import { setTimeout as pause } from 'node:timers/promises';
  export default async ({ input }) => {
    while (input.until && !existsSync(new URL(input.until, import.meta.url))) await pause(10);
    return ${JSON.stringify(answer)};
  };`;

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

interface Scene extends Created {
  readonly jobs: Jobs;
  /** Lets the jobs end that wait for it. */
  go(): Promise<void>;
}

async function make(endpoint: object): Promise<Scene> {
  const made = await makeEndpoint(engine, { 'handler.mjs': handler('old') }, { endpoint });
  const folder = fileURLToPath(made.template.imageName);
  return { ...made, jobs: jobsOf(engine, made.endpoint.id), go: () => writeFile(`${folder}/go`, '') };
}
const runAtLeast = (jobs: Jobs, workers: number) =>
  until(
    `${workers} workers run`,
    async () => (await jobs.health()).workers.running,
    (count) => count >= workers,
  );
const readiness = async (id: string): Promise<EndpointReadiness> =>
  z
    .array(endpointReadinessSchema)
    .parse(accepted(await engine.http.get('/local/v1/endpoints')))
    .find((one) => one.id === id)!;

describe('an endpoint that scales', () => {
  test('by QUEUE_DELAY has a worker for its first job at once, and another when one has waited scalerValue seconds', async () => {
    const { jobs, go } = await make({ scalerType: 'QUEUE_DELAY', scalerValue: 1, workersMax: 2 });
    await jobs.run({ until: './go' });
    await runAtLeast(jobs, 1);
    const second = await jobs.run({ until: './go' });
    await runAtLeast(jobs, 2);
    await go();
    expect((await jobs.finished(second)).delayTime).toBeGreaterThanOrEqual(1000);
  });

  test('by REQUEST_COUNT has a worker for every scalerValue jobs that wait or run', async () => {
    const { jobs, go } = await make({ scalerType: 'REQUEST_COUNT', scalerValue: 2, workersMax: 3 });
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(await jobs.run({ until: './go' }));
    await runAtLeast(jobs, 2);
    const { workers, jobs: counts } = await jobs.health();
    expect([workers.running, workers.initializing, counts.inQueue]).toEqual([2, 0, 2]);
    await go();
    for (const id of ids) expect(await jobs.finished(id)).toMatchObject({ status: 'COMPLETED' });
  });
});

test('a template that changes rolls the workers: what runs ends on the old one, what comes has the new one', async () => {
  const { jobs, go, template } = await make({ workersMin: 1, workersMax: 2 });
  const running = await jobs.run({ until: './go' });
  await runAtLeast(jobs, 1);
  const imageName = await writeHandler(engine, { 'handler.mjs': handler('new') });
  accepted(await engine.http.send('PATCH', `/v1/templates/${template.id}`, { imageName }));
  // The new one is there before the old one has gone.
  await until('a new worker is ready', async () => (await jobs.health()).workers.idle, 1);
  const next = await jobs.finished(await jobs.run({}));
  expect(next).toMatchObject({ status: 'COMPLETED', output: 'new' });
  await go();
  const ended = await jobs.finished(running);
  expect(ended).toMatchObject({ status: 'COMPLETED', output: 'old' });
  expect(ended.retries ?? 0).toBe(0);
  expect(ended.workerId).not.toBe(next.workerId);
});

test('an endpoint whose workers keep dying is unhealthy and shows their last lines; once corrected it works at once', async () => {
  const broken = "console.error('there are no weights'); process.exit(3);";
  const { template, endpoint } = await makeEndpoint(
    engine,
    { 'handler.mjs': broken },
    { endpoint: { workersMin: 1, workersMax: 1 } },
  );
  const jobs = jobsOf(engine, endpoint.id);
  const { trouble } = await until(
    'it has died three times',
    () => readiness(endpoint.id),
    (readiness) => (readiness.trouble?.deaths ?? 0) >= 3,
  );
  expect(trouble!.reason).toContain('exit code 3');
  expect(trouble!.lastLines.join('\n')).toContain('there are no weights');
  expect((await jobs.health()).workers.unhealthy).toBe(1);
  const imageName = await writeHandler(engine, { 'handler.mjs': handler('new') });
  accepted(await engine.http.send('PATCH', `/v1/templates/${template.id}`, { imageName }));
  expect(await jobs.finished(await jobs.run({}))).toMatchObject({ output: 'new' });
  expect((await readiness(endpoint.id)).trouble).toBeNull();
  expect((await jobs.health()).workers.unhealthy).toBe(0);
});
