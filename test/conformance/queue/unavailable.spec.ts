/**
 * An endpoint that cannot run says so from the moment it is made, in what clients of the cloud read: headers and the
 * counts of its workers.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/core/until.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { makeEndpoint } from '../../support/resources/resources.ts';
import { needsPython } from '../../support/core/skip.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const noticeOf = async (from: TestEngine, id: string): Promise<string> =>
  String((await from.http.get(`/v1/endpoints/${id}`)).headers['x-hangar-notice']);

test('a folder without a handler is told of when its endpoint is made, in /health and with each waiting job, until it has one', async () => {
  const { endpoint, template } = await makeEndpoint(engine, { 'notes.txt': '' });
  const folder = fileURLToPath(template.imageName);
  const made = await engine.http.post('/v1/endpoints', { name: 'another', templateId: template.id });
  expect(made.headers['x-hangar-notice']).toContain('There is no handler in ');
  expect(await noticeOf(engine, endpoint.id)).toContain('There is no handler in ');
  const jobs = jobsOf(engine, endpoint.id);
  await until(
    'its workers to count as unhealthy before any job',
    async () => (await jobs.health()).workers,
    ({ unhealthy, throttled, ready }) => unhealthy === 1 && throttled === 0 && ready === 0,
  );
  const id = await jobs.run({});
  const reason = `cannot-run: There is no handler in ${folder}. Add a handler.mjs`;
  for (const operation of ['status', 'status-sync', 'stream']) {
    const { headers } = await engine.http.get(`${jobs.path}/${operation}/${id}?wait=1000`);
    expect(headers['x-hangar-waiting'], operation).toContain(reason);
  }
  const { headers } = await engine.http.post(`${jobs.path}/runsync?wait=1000`, { input: {} });
  expect(headers['x-hangar-waiting']).toContain(reason);
  writeFileSync(join(folder, 'handler.mjs'), 'export default () => 1;\n');
  await jobs.finished(id);
  const ended = await engine.http.get(`${jobs.path}/status/${id}`);
  expect(ended.headers).not.toHaveProperty('x-hangar-waiting');
  expect((await jobs.health()).workers.unhealthy).toBe(0);
  expect((await engine.http.get(`/v1/endpoints/${endpoint.id}`)).headers).not.toHaveProperty('x-hangar-notice');
});

test(
  'a handler that imports what is not there counts as unhealthy, and its jobs say what that is',
  needsPython(),
  async () => {
    const { endpoint } = await makeEndpoint(engine, {
      'handler.py': 'import no_such_module\ndef handler(job): return 1\n',
    });
    const jobs = jobsOf(engine, endpoint.id);
    const id = await jobs.run({});
    await until(
      'the reason',
      async () => String((await engine.http.get(`${jobs.path}/status/${id}`)).headers['x-hangar-waiting']),
      (reason) => reason.startsWith('crash-looping: ') && reason.includes("No module named 'no_such_module'"),
    );
    await until(
      'an unhealthy worker',
      async () => (await jobs.health()).workers,
      ({ unhealthy }) => unhealthy === 1,
    );
    await jobs.cancel(id);
  },
);

test('a handler whose workers die names their end at the endpoint, too, until a job is done', async () => {
  const { endpoint, template } = await makeEndpoint(engine, { 'handler.mjs': 'export default ( => 1;\n' });
  const jobs = jobsOf(engine, endpoint.id);
  const id = await jobs.run({});
  await until(
    'the notice',
    () => noticeOf(engine, endpoint.id),
    (notice) => /^The handler fails on start: SyntaxError/.test(notice),
  );
  writeFileSync(join(fileURLToPath(template.imageName), 'handler.mjs'), 'export default () => 1;\n');
  await jobs.finished(id);
  expect((await engine.http.get(`/v1/endpoints/${endpoint.id}`)).headers).not.toHaveProperty('x-hangar-notice');
});

test('a handler in Python is told of on a machine without Python', async () => {
  await using bare = await startEngine({ env: { PATH: dirname(process.execPath), HANGAR_PYTHON: '/no/such/python' } });
  const { endpoint } = await makeEndpoint(bare, { 'handler.py': 'def handler(job): return 1\n' });
  expect(await noticeOf(bare, endpoint.id)).toContain('HANGAR_PYTHON (/no/such/python) cannot be run');
  const jobs = jobsOf(bare, endpoint.id);
  await until(
    'an unhealthy worker',
    async () => (await jobs.health()).workers,
    ({ unhealthy }) => unhealthy === 1,
  );
});
