import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeEndpoint, UNTIL_ABORTED } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

/** A handler that takes its process down the first `times` times it is called, counted in a file beside it. */
const dyingHandler = (times: number, then: string): string => `${UNTIL_ABORTED}
  import { appendFileSync, readFileSync } from 'node:fs';
  const attempts = new URL('./attempts', import.meta.url);
  export default async (job, context) => {
    appendFileSync(attempts, process.env.RUNPOD_POD_ID + '\\n');
    const made = readFileSync(attempts, 'utf8').trim().split('\\n').length;
    if (made <= ${times}) process.exit(1);
    ${then}
  };`;

const attemptsOf = async (imageName: string): Promise<string[]> =>
  (await readFile(fileURLToPath(`${imageName}/attempts`), 'utf8')).trim().split('\n');

test('a job whose worker is lost is queued again once, with retries 1, and can still complete', async () => {
  const { template, endpoint } = await makeEndpoint(engine, { 'handler.mjs': dyingHandler(1, 'return "survived";') });
  const jobs = jobsOf(engine, endpoint.id);
  const view = await jobs.finished(await jobs.run({}));
  expect(view).toMatchObject({ status: 'COMPLETED', output: 'survived', retries: 1 });
  expect((await jobs.health()).jobs).toMatchObject({ completed: 1, failed: 0, retried: 1 });
  expect(await attemptsOf(template.imageName)).toHaveLength(2);
});

test('a job whose worker is lost a second time fails, with a reason', async () => {
  const { template, endpoint } = await makeEndpoint(engine, { 'handler.mjs': dyingHandler(99, '') });
  const jobs = jobsOf(engine, endpoint.id);
  const view = await jobs.finished(await jobs.run({}));
  expect(view).toMatchObject({ status: 'FAILED', retries: 1, error: expect.stringMatching(/worker/i) });
  expect((await jobs.health()).jobs).toMatchObject({ completed: 0, failed: 1, retried: 1 });
  expect(await attemptsOf(template.imageName)).toHaveLength(2);
});

test('the result of a worker that lost the job is refused: the second attempt stands', async () => {
  const { template, endpoint } = await makeEndpoint(
    engine,
    {
      'handler.mjs': dyingHandler(1, 'await untilAborted(context.signal);'),
    },
    { endpoint: { workersMax: 1 } },
  );
  const jobs = jobsOf(engine, endpoint.id);
  const id = await jobs.run({});
  await until(
    'the second attempt',
    () => jobs.status(id),
    (view) => view.status === 'IN_PROGRESS' && view.retries === 1,
  );
  const [first] = await attemptsOf(template.imageName);
  const ghost = createOutsideWorker(engine, endpoint.id, first);
  expect((await ghost.done(id, { output: 'from the grave' })).status).toBe(409);
  expect((await ghost.stream(id, { output: 'from the grave' })).status).toBe(409);
  const view = await jobs.status(id);
  expect(view).toMatchObject({ status: 'IN_PROGRESS', retries: 1 });
  expect(view.workerId).not.toBe(first);
  await jobs.cancel(id);
});

test('a new attempt starts a new stream', async () => {
  const { template, endpoint } = await makeEndpoint(engine, {
    'handler.mjs': `
      import { existsSync, writeFileSync } from 'node:fs';
      import { setTimeout as pause } from 'node:timers/promises';
      const tried = new URL('./tried', import.meta.url);
      export default async function* (job) {
        const again = existsSync(tried);
        writeFileSync(tried, '');
        yield again ? 'second' : 'first';
        // It dies only once its chunk is known to have arrived.
        if (!again) for (;;) { if (existsSync(new URL('./die', import.meta.url))) process.exit(1); await pause(5); }
      }`,
  });
  const jobs = jobsOf(engine, endpoint.id);
  const id = await jobs.run({});
  const stream = async () => (await engine.http.get(`${jobs.path}/stream/${id}`)).json;
  await until('the first chunk', async () => JSON.stringify(await stream()), '[{"output":"first"}]');
  await writeFile(fileURLToPath(`${template.imageName}/die`), '');
  expect(await jobs.finished(id)).toMatchObject({ status: 'COMPLETED', retries: 1 });
  expect(await stream()).toEqual([{ output: 'second' }]);
});

test('a worker that says it has nothing gets the job again whose answer it never received', async () => {
  // A command of its own takes a job twice, as after an answer that was lost on the way.
  const { endpoint } = await makeEndpoint(
    engine,
    {
      'worker.mjs': `
        const { RUNPOD_WEBHOOK_GET_JOB: take, RUNPOD_WEBHOOK_POST_OUTPUT: post, RUNPOD_AI_API_KEY: authorization } = process.env;
        const ask = async () => (await fetch(take + '&job_in_progress=0', { headers: { authorization } })).json();
        const lost = await ask();
        const job = await ask();
        const body = JSON.stringify({ output: job.id === lost.id });
        await fetch(post.replace('$ID', job.id) + '&isStream=false', { method: 'POST', headers: { authorization }, body });
        setInterval(() => undefined, 1000);`,
    },
    { template: { dockerStartCmd: [process.execPath, 'worker.mjs'] }, endpoint: { workersMax: 1 } },
  );
  const jobs = jobsOf(engine, endpoint.id);
  expect(await jobs.finished(await jobs.run({}))).toMatchObject({ status: 'COMPLETED', output: true });
});
