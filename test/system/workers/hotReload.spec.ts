import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpointReadinessSchema, type EndpointReadiness } from '#contract/local/engine.ts';
import { logPageSchema } from '#contract/local/log.ts';
import * as z from 'zod';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { accepted, makeEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

interface Ended {
  id: string;
  status: string;
  output?: unknown;
}

/** Answers its name; with a gate, once a file of that name is there. */
const answering = (name: string): string => `
  import { access, writeFile } from 'node:fs/promises';
  import { setTimeout as delay } from 'node:timers/promises';
  export default async ({ input }) => {
    if (input.gate) {
      await writeFile('begun', '');
      while (!(await access(input.gate).then(() => true, () => false))) await delay(10);
    }
    return ${JSON.stringify(name)};
  };
`;

async function makeHandler(endpoint: object = {}) {
  const made = await makeEndpoint(
    engine,
    { 'handler.mjs': answering('old') },
    { endpoint: { workersMax: 1, idleTimeout: 60, ...endpoint } },
  );
  const endpointId = made.endpoint.id;
  const folder = fileURLToPath(made.template.imageName);
  const readiness = async (): Promise<EndpointReadiness> => {
    const list = z.array(endpointReadinessSchema).parse(accepted(await engine.http.get('/local/v1/endpoints')));
    return list.find(({ id }) => id === endpointId)!;
  };
  const run = async (input: object = {}): Promise<Ended> =>
    accepted(await engine.http.post(`/v2/${endpointId}/runsync?wait=120000`, { input })) as Ended;
  const write = (text: string) => writeFile(join(folder, 'handler.mjs'), text);
  const watched = () => until('its folder to be watched', async () => (await readiness()).reload?.watching);
  return { endpointId, folder, readiness, run, write, watched };
}

test('a job that runs while the handler is edited ends as it began, and the next one answers anew', async () => {
  const { endpointId, folder, readiness, run, write, watched } = await makeHandler();
  expect((await readiness()).reload).toEqual({ watching: false, lastAt: null, problem: null, version: 1 });
  expect((await run()).output).toBe('old');
  await watched();
  const running = run({ gate: 'go' });
  await until('the job to have begun', () => existsSync(join(folder, 'begun')));
  await write(answering('new'));
  await until('the change to be noticed', async () => (await readiness()).reload?.lastAt);
  const next = run();
  await writeFile(join(folder, 'go'), '');
  expect((await running).output).toBe('old');
  expect((await next).output).toBe('new');
  const { lines } = logPageSchema.parse(
    accepted(await engine.http.get(`/local/v1/logs?endpointId=${endpointId}&text=its%20files`)),
  );
  expect(lines[0]).toMatchObject({ stream: 'engine' });
});

test.each([1, 3])(
  'a job that is sent right after a save runs what was saved, with up to %i workers',
  async (workersMax) => {
    const { run, write, watched } = await makeHandler({ workersMax });
    expect((await run()).output).toBe('old');
    await watched();
    for (const name of ['first', 'second', 'third']) {
      await write(answering(name));
      expect((await run()).output).toBe(name);
    }
  },
);

test('a handler with a mistake says so in its trouble and its log, and is well the moment it is corrected', async () => {
  const { endpointId, readiness, run, write, watched } = await makeHandler({ workersMin: 1 });
  expect((await run()).output).toBe('old');
  await watched();
  await write('export default async () => { return');
  const trouble = await until(
    'its trouble, after several deaths',
    async () => (await readiness()).trouble,
    (trouble) => trouble !== null && trouble.deaths >= 3 && trouble,
  );
  expect(trouble.lastLines.join('\n')).toContain('SyntaxError');
  const { lines } = logPageSchema.parse(
    accepted(await engine.http.get(`/local/v1/logs?endpointId=${endpointId}&level=error&text=SyntaxError`)),
  );
  expect(lines.length).toBeGreaterThan(0);
  await write(answering('corrected'));
  expect((await run()).output).toBe('corrected');
  expect((await readiness()).trouble).toBeNull();
});

test('a folder that is away is told, and a handler that comes back in it is run', async () => {
  const { folder, readiness, run, watched } = await makeHandler();
  expect((await run()).output).toBe('old');
  await watched();
  await rename(folder, `${folder}-away`);
  await until(
    'the problem to be told',
    async () => (await readiness()).reload?.problem,
    (problem) => problem?.includes(folder),
  );
  await mkdir(folder);
  await writeFile(join(folder, 'handler.mjs'), answering('back'));
  await watched();
  expect((await run()).output).toBe('back');
  await rm(`${folder}-away`, { recursive: true });
});

test('what a handler writes beside itself does not end its worker', async () => {
  const { folder, readiness, run, write, watched } = await makeHandler();
  await write(`
    import { writeFileSync } from 'node:fs';
    let count = 0;
    export default () => {
      count += 1;
      writeFileSync('state.json', JSON.stringify({ count, at: Date.now() }));
      writeFileSync('picture.png', String(count));
      return [process.pid, count];
    };
  `);
  const [pid] = (await run()).output as [number, number];
  await watched();
  const counts = [];
  for (let i = 0; i < 3; i += 1) counts.push((await run()).output);
  expect(counts).toEqual([2, 3, 4].map((count) => [pid, count]));
  // A change that counts shows that these were looked at.
  await writeFile(join(folder, 'module.mjs'), 'export {};');
  await until('the change to be noticed', async () => (await readiness()).reload?.lastAt);
  const [other, first] = (await run()).output as [number, number];
  expect(other).not.toBe(pid);
  expect(first).toBe(1);
});
