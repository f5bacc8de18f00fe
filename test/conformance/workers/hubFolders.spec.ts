/**
 * Repositories of the hub as folders: what one says of itself fills an endpoint, and its tests are run as a check of
 * its worker.
 */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  declaredInputSchema,
  folderReadingSchema,
  workerCheckSchema,
  type WorkerCheck,
} from '#contract/local/folder.ts';
import { endpointSchema } from '#contract/api/resources.ts';
import { until } from '../../support/core/until.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { accepted } from '../../support/resources/resources.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

async function writeRepository(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(engine.dataDir, 'repository-'));
  await mkdir(join(folder, '.runpod'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return pathToFileURL(folder).href;
}

let made = 0;
async function makeEndpoint(imageName: string): Promise<string> {
  const template = { name: `repository ${++made}`, imageName, isServerless: true, env: { MODE: 'template' } };
  const { id } = accepted(await engine.http.post('/v1/templates', template)) as { id: string };
  const endpoint = { name: 'e', templateId: id, workersMax: 1, idleTimeout: 60 };
  return endpointSchema.parse(accepted(await engine.http.post('/v1/endpoints', endpoint))).id;
}

const checkOf = (id: string): Promise<WorkerCheck> =>
  until(
    'the check to end',
    async () => workerCheckSchema.parse(accepted(await engine.http.get(`/local/v1/endpoints/${id}/check`))),
    ({ state }) => state !== 'running',
  );

const tests = (...all: object[]): string =>
  JSON.stringify({ tests: all, config: { env: [{ key: 'MODE', value: 'test' }] } });

test('a folder tells what would run, and how its hub.json fills a template and an endpoint', async () => {
  const imageName = await writeRepository({
    'handler.mjs': 'export default () => 1;\n',
    '.runpod/hub.json': JSON.stringify({
      title: 'Greeter',
      config: { runsOn: 'GPU', containerDiskInGb: 7, gpuIds: 'ADA_24', env: [{ key: 'A', value: 'b' }] },
    }),
    '.runpod/tests.json': tests({ name: 'one', input: {} }),
  });
  const reading = folderReadingSchema.parse(accepted(await engine.http.post('/local/v1/folders', { imageName })));
  expect(reading).toMatchObject({
    file: 'handler.mjs',
    problem: null,
    python: null,
    tests: 1,
    presets: [],
    notices: [],
    template: { name: 'Greeter', containerDiskInGb: 7, env: { A: 'b' } },
    endpoint: { computeType: 'GPU', gpuTypeIds: ['NVIDIA GeForce RTX 4090'] },
  });
  const empty = await engine.http.post('/local/v1/folders', { imageName: await writeRepository({}) });
  expect(folderReadingSchema.parse(accepted(empty))).toMatchObject({
    file: null,
    template: {},
    endpoint: {},
    tests: 0,
  });
  expect(folderReadingSchema.parse(empty.json).problem).toContain('There is no handler in ');
  expect((await engine.http.post('/local/v1/folders', { imageName: 'ubuntu' })).status).toBe(400);
});

test('an endpoint tells which input its folder declares, and its test input, as the files are now', async () => {
  const imageName = await writeRepository({
    'handler.mjs': 'export default () => 1;\n',
    'test_input.json': '{"input": {"n": 9007199254740993}}\n',
    '.runpod/hub.json': JSON.stringify({ inputSchema: { properties: { n: { type: 'integer' } } } }),
  });
  const id = await makeEndpoint(imageName);
  const ask = async () => declaredInputSchema.parse(accepted(await engine.http.get(`/local/v1/endpoints/${id}/input`)));
  const before = await ask();
  expect(before).toMatchObject({
    schema: { file: '.runpod/hub.json', line: null },
    test: { file: 'test_input.json', body: '{"input": {"n": 9007199254740993}}' },
    notices: [],
  });
  expect(JSON.parse(before.schema?.text ?? '')).toEqual({ properties: { n: { type: 'integer' } } });

  await writeFile(new URL(`${imageName}/input_schema.json`), '{"properties": {"name": {"type": "string"}}}');
  await writeFile(new URL(`${imageName}/test_input.json`), '{"n": 1}');
  expect(await ask()).toMatchObject({
    schema: { text: '{"properties": {"name": {"type": "string"}}}', file: 'input_schema.json' },
    test: null,
    notices: ['test_input.json cannot be read: It is no request: it needs an object "input".'],
  });
  const image = accepted(
    await engine.http.post('/v1/templates', { name: 'image', imageName: 'ubuntu', isServerless: true }),
  ) as { id: string };
  const other = endpointSchema.parse(
    accepted(await engine.http.post('/v1/endpoints', { name: 'image', templateId: image.id })),
  );
  expect((await engine.http.get(`/local/v1/endpoints/${other.id}/input`)).status).toBe(400);
});

test('a check runs each test as a job: those that complete have passed, the others tell why not', async () => {
  const imageName = await writeRepository({
    'handler.mjs': `import { existsSync } from 'node:fs';
    import { setTimeout as pause } from 'node:timers/promises';
    export default async ({ input }) => {
      while (!existsSync(new URL('./gate', import.meta.url))) await pause(5);
      if (input.bad) throw new Error('It is bad.');
      return input;
    };\n`,
    '.runpod/tests.json': tests(
      { name: 'good', input: { n: 1 }, timeout: 60_000 },
      { name: 'bad', input: { bad: true } },
    ),
  });
  const id = await makeEndpoint(imageName);
  const before = await engine.http.get(`/local/v1/endpoints/${id}/check`);
  expect(accepted(before)).toMatchObject({
    state: 'none',
    tests: [
      { name: 'good', state: 'waiting' },
      { name: 'bad', state: 'waiting' },
    ],
  });
  const begun = workerCheckSchema.parse(accepted(await engine.http.post(`/local/v1/endpoints/${id}/check`)));
  expect(begun.state).toBe('running');
  expect((await engine.http.post(`/local/v1/endpoints/${id}/check`)).status).toBe(409);
  await writeFile(new URL(`${imageName}/gate`), '');
  const { state, tests: all, notices } = await checkOf(id);
  expect(state).toBe('failed');
  expect(all).toMatchObject([
    { name: 'good', state: 'passed', message: null },
    { name: 'bad', state: 'failed', message: expect.stringContaining('It is bad.') as string },
  ]);
  expect(notices).toEqual(['The hub sets other values of MODE for these tests than the template does.']);
  const job = await engine.http.get(`/v2/${id}/status/${all[0]!.jobId}`);
  expect(job.json).toMatchObject({ status: 'COMPLETED', output: { n: 1 } });
});

test('a check of an endpoint that cannot run fails with the reason, and one without tests is refused', async () => {
  const id = await makeEndpoint(await writeRepository({ '.runpod/tests.json': tests({ name: 'one', input: {} }) }));
  await engine.http.post(`/local/v1/endpoints/${id}/check`);
  const { tests: all } = await checkOf(id);
  expect(all[0]).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('There is no handler in ') as string,
  });
  const without = await makeEndpoint(await writeRepository({ 'handler.mjs': 'export default () => 1;\n' }));
  const refused = await engine.http.post(`/local/v1/endpoints/${without}/check`);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('a .runpod/tests.json names them');
});

test('a check that is stopped cancels the job of its test, and begins no other', async () => {
  const imageName = await writeRepository({
    'handler.mjs': 'export default ({ input }) => (input.waits ? new Promise(() => {}) : 1);\n',
    '.runpod/tests.json': tests(
      { name: 'quick', input: {} },
      { name: 'endless', input: { waits: true } },
      { name: 'never begun', input: {} },
    ),
  });
  const id = await makeEndpoint(imageName);
  const address = `/local/v1/endpoints/${id}/check`;
  expect((await engine.http.send('DELETE', address)).status).toBe(409);
  await engine.http.post(address);
  const { tests: all } = await until(
    'the second test to run',
    async () => workerCheckSchema.parse(accepted(await engine.http.get(address))),
    ({ tests: now }) => now[1]?.state === 'running',
  );
  accepted(await engine.http.send('DELETE', address));
  expect(await checkOf(id)).toMatchObject({
    state: 'stopped',
    tests: [{ state: 'passed' }, { state: 'stopped', message: null }, { state: 'stopped', jobId: null }],
  });
  expect((await engine.http.get(`/v2/${id}/status/${all[1]!.jobId}`)).json).toMatchObject({ status: 'CANCELLED' });
});
