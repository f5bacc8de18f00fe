/**
 * GET /local/v1/changes: whoever follows it knows each state soon, without a question that a change did not call for.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthSchema } from '#contract/api/job.ts';
import {
  changeKinds,
  CHANGES_PULSE_MS,
  stateChangeSchema,
  type StateChange,
} from '#contract/local/changes/stateChange.ts';
import { LOCAL_DATA_CENTER } from '#contract/core/cloudNames.ts';
import { settingsSchema } from '#contract/local/settings.ts';
import { endpointReadinessSchema, engineFactsSchema, workerSchema } from '#contract/local/engine.ts';
import {
  declaredInputSchema,
  environmentStateSchema,
  workerCheckSchema,
  type WorkerCheck,
} from '#contract/local/folder.ts';
import { CHANGE_BURST, CHANGE_PACE_MS } from '../../../main/engine/domain/core/changes.ts';
import { mountSmallDisk, whyNoSmallDisk } from '../../support/disk/smallDisk.ts';
import { skipFor, whyNoVenv } from '../../support/core/skip.ts';
import { until } from '../../support/core/until.ts';
import { startClockedEngine } from '../../support/engine/clockedEngine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { openEvents } from '../../support/logs/events.ts';
import { accepted, makeEndpoint, makeIdleEndpoint } from '../../support/resources/resources.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

async function follow(followed = engine) {
  const events = await openEvents(followed, '/local/v1/changes');
  const reported = new Set<string>();
  async function next(): Promise<StateChange> {
    const change = stateChangeSchema.parse(JSON.parse((await events.next()).data));
    reported.add(`${change.about} ${change.id}`);
    return change;
  }
  expect(await next()).toEqual({ about: 'all', id: null, kinds: changeKinds.filter((kind) => kind !== 'all') });
  return {
    /** What came so far: its kind and its id. */
    reported,
    comments: events.comments,
    next,
    /** Reads a state after each change of it alone, until it is right. */
    async reach<T>(
      about: StateChange['about'],
      id: string | null,
      read: () => Promise<T>,
      isRight: (now: T) => boolean,
    ) {
      do {
        let change = await next();
        while (change.about !== about || change.id !== id) change = await next();
      } while (!isRight(await read()));
    },
    [Symbol.asyncDispose]: () => events[Symbol.asyncDispose](),
  };
}

/** What was reported, without what other programs change: they use the same disk and container engine. */
const withoutOthers = (reported: ReadonlySet<string>): string[] =>
  [...reported].filter((one) => !['service null', 'image null', 'pod null'].includes(one)).sort();

const healthOf = async (id: string) => healthSchema.parse(accepted(await engine.http.get(`/v2/${id}/health`)));

test('an endpoint is told from its making to its end, with its jobs and its workers, and no other one is', async () => {
  const other = await makeIdleEndpoint(engine);
  await using changes = await follow();
  const files = { 'handler.mjs': 'export default (job) => job.input.n * 2;' };
  const { endpoint } = await makeEndpoint(engine, files, { endpoint: { idleTimeout: 600 } });
  const listed = async () => accepted(await engine.http.get('/v1/endpoints')) as { id: string; workersMax: number }[];
  const { id } = endpoint;
  await changes.reach('endpoint', id, listed, (list) => list.some((one) => one.id === id));
  accepted(await engine.http.send('PATCH', `/v1/endpoints/${id}`, { workersMax: 2 }));
  await changes.reach('endpoint', id, listed, (list) => list.some((one) => one.id === id && one.workersMax === 2));

  await jobsOf(engine, id).run({ n: 1 });
  const health = () => healthOf(id);
  await changes.reach('endpoint', id, health, ({ jobs, workers }) => jobs.completed === 1 && workers.idle === 1);
  const workers = async () => workerSchema.array().parse(accepted(await engine.http.get('/local/v1/workers'))).length;
  accepted(await engine.http.send('PATCH', `/v1/endpoints/${id}`, { workersMax: 0, workersMin: 0 }));
  await changes.reach('endpoint', id, workers, (count) => count === 0);

  expect((await engine.http.send('DELETE', `/v1/endpoints/${id}`)).status).toBe(204);
  await changes.reach('endpoint', id, listed, (list) => list.every((one) => one.id !== id));
  expect(withoutOthers(changes.reported)).toEqual(['all null', `endpoint ${id}`, 'resource null']);
  await jobsOf(engine, other.id).run({});
  await changes.reach(
    'endpoint',
    other.id,
    () => healthOf(other.id),
    ({ jobs }) => jobs.inQueue === 1,
  );
});

test('a pause is told, and so is its end', async () => {
  await using changes = await follow();
  const paused = async () => (accepted(await engine.http.get('/local/v1/pause')) as { state: string }).state;
  accepted(await engine.http.post('/local/v1/pause', { when: 'now' }));
  await changes.reach('pause', null, paused, (state) => state === 'paused');
  accepted(await engine.http.send('DELETE', '/local/v1/pause'));
  await changes.reach('pause', null, paused, (state) => state === 'running');
});

test('templates, volumes and credentials are told, with what uses them, and so are API keys and settings', async () => {
  await using changes = await follow();
  const { get, post, send } = engine.http;
  interface Named {
    id: string;
    name: string;
  }
  const listed = (path: string) => async () => accepted(await get(path)) as Named[];
  /** What is made under this path is told, and so are its change and its end. */
  async function expectTold(about: StateChange['about'], path: string, made: object, change: object | null) {
    const names = async () => (await listed(path)()).map(({ name }) => name);
    const { id } = accepted(await post(path, { name: 'first', ...made })) as Named;
    await changes.reach(about, null, names, (now) => now.includes('first'));
    if (change !== null) {
      accepted(await send('PATCH', `${path}/${id}`, change));
      await changes.reach(about, null, names, (now) => now.includes('second'));
    }
    expect((await send('DELETE', `${path}/${id}`)).status).toBe(204);
    await changes.reach(about, null, names, (now) => !now.includes('first') && !now.includes('second'));
  }
  const renamed = { name: 'second' };
  await expectTold('resource', '/v1/templates', { imageName: 'ubuntu:24.04' }, renamed);
  await expectTold('resource', '/v1/networkvolumes', { size: 1, dataCenterId: LOCAL_DATA_CENTER }, renamed);
  await expectTold('resource', '/v1/containerregistryauth', { username: 'me', password: 'secret' }, null);
  await expectTold('key', '/local/v1/api-keys', { scope: 'read' }, renamed);

  const { id, templateId } = await makeIdleEndpoint(engine);
  const uses = async () =>
    (accepted(await get('/v1/endpoints')) as { templateId: string }[]).filter(
      (endpoint) => endpoint.templateId === templateId,
    ).length;
  await changes.reach('resource', null, uses, (count) => count === 1);
  expect((await send('DELETE', `/v1/endpoints/${id}`)).status).toBe(204);
  await changes.reach('resource', null, uses, (count) => count === 0);

  const areLimited = async () => settingsSchema.parse(accepted(await get('/local/v1/settings'))).rates.enabled;
  const before = await areLimited();
  accepted(await send('PATCH', '/local/v1/settings', { rates: { enabled: !before } }));
  await changes.reach('settings', null, areLimited, (now) => now !== before);
});

test("a handler's folder that is deleted is told, though no request did that", async () => {
  const { endpoint, template } = await makeEndpoint(engine, { 'handler.mjs': 'export default () => 1;' });
  await using changes = await follow();
  const isAvailable = async () => {
    const all = endpointReadinessSchema.array().parse(accepted(await engine.http.get('/local/v1/endpoints')));
    return all.find(({ id }) => id === endpoint.id)?.available;
  };
  expect(await isAvailable()).toBe(true);
  await rm(fileURLToPath(template.imageName), { recursive: true });
  await changes.reach('endpoint', endpoint.id, isAvailable, (available) => available === false);
});

/** Ends at once, or once its folder has the file that the input names. */
const WAITS_FOR_FILE = `
import { existsSync } from 'node:fs';
export default async ({ input: { file } }) => {
  while (file && !existsSync(import.meta.dirname + '/' + file)) await new Promise((resolve) => setTimeout(resolve, 10));
};`;

test('the tests of a folder are told when their file is written, and so is each result of their check', async () => {
  const { endpoint, template } = await makeEndpoint(engine, { 'handler.mjs': WAITS_FOR_FILE });
  const { id } = endpoint;
  await using changes = await follow();
  const check = async () => workerCheckSchema.parse(accepted(await engine.http.get(`/local/v1/endpoints/${id}/check`)));
  expect((await check()).tests).toEqual([]);
  const folder = fileURLToPath(template.imageName);
  const tests = [
    { name: 'one', input: {} },
    { name: 'two', input: { file: 'go' } },
  ];
  await mkdir(join(folder, '.runpod'));
  await writeFile(join(folder, '.runpod', 'tests.json'), JSON.stringify({ tests }));
  await changes.reach('folder', id, check, (now) => now.tests.length === 2);
  accepted(await engine.http.post(`/local/v1/endpoints/${id}/check`));
  const states = (now: WorkerCheck) => now.tests.map(({ state }) => state).join(' ');
  await changes.reach('folder', id, check, (now) => now.state === 'running' && states(now) === 'passed running');
  await writeFile(join(folder, 'go'), '');
  await changes.reach('folder', id, check, (now) => now.state === 'passed' && states(now) === 'passed passed');
});

test('the files that declare an input are told when they are written, once the input was read', async () => {
  const { endpoint, template } = await makeEndpoint(engine, { 'handler.mjs': WAITS_FOR_FILE });
  const { id } = endpoint;
  const folder = fileURLToPath(template.imageName);
  await using changes = await follow();
  const declared = async () => {
    const answer = declaredInputSchema.parse(accepted(await engine.http.get(`/local/v1/endpoints/${id}/input`)));
    return { schema: answer.schema?.text ?? null, test: answer.test?.body ?? null };
  };
  expect(await declared()).toEqual({ schema: null, test: null });
  await writeFile(join(folder, 'schema.json'), '{"properties": {}}');
  await changes.reach('input', id, declared, ({ schema }) => schema === '{"properties": {}}');
  await writeFile(join(folder, 'schema.json'), '{"properties": {"n": {}}}');
  await changes.reach('input', id, declared, ({ schema }) => schema === '{"properties": {"n": {}}}');
  await writeFile(join(folder, 'test_input.json'), '{"input": {}}');
  await changes.reach('input', id, declared, ({ test: request }) => request === '{"input": {}}');
  await rm(join(folder, 'schema.json'));
  await changes.reach('input', id, declared, ({ schema }) => schema === null);
});

test('a disk that gets full is told, and room on it again', skipFor(whyNoSmallDisk()), async () => {
  using disk = mountSmallDisk(64);
  await using own = await startEngine({ dataDir: join(disk.folder, 'data') });
  await using changes = await follow(own);
  const free = async () => engineFactsSchema.parse(accepted(await own.http.get('/local/v1/engine'))).disk.freeBytes;
  const before = (await free()) ?? 0;
  // The first comparison has nothing to compare with, and the engine takes its reserve after its start.
  await until('the heartbeat, which comes after the first comparisons', changes.comments, (count) => count >= 1);
  accepted(await own.http.post('/local/v1/pause', { when: 'now' }));
  while ((await changes.next()).about !== 'pause');
  await disk.fill();
  await changes.reach('service', null, free, (now) => (now ?? before) < before / 2);
  disk.makeRoom();
  await changes.reach('service', null, free, (now) => (now ?? 0) > before / 2);
});

test('an environment is told while it is made, and its end', skipFor(whyNoVenv()), async () => {
  const files = { 'handler.py': 'print(1)\n', 'requirements.txt': '' };
  const { endpoint } = await makeEndpoint(engine, files);
  await using changes = await follow();
  const address = `/local/v1/endpoints/${endpoint.id}/environment`;
  const environment = async () => environmentStateSchema.parse(accepted(await engine.http.get(address)));
  accepted(await engine.http.post(address));
  await changes.reach('folder', endpoint.id, environment, ({ step }) => step === 'Making .venv');
  // The step takes seconds, and says nothing meanwhile: what comes next is told of the end.
  accepted(await engine.http.send('DELETE', address));
  await changes.reach('folder', endpoint.id, environment, ({ state }) => state === 'stopped');
});

test('a stream on which nothing changes has a heartbeat', async () => {
  await using own = await startClockedEngine();
  await own.hold();
  await using changes = await follow(own);
  await own.advance(CHANGES_PULSE_MS);
  await until('the heartbeat', changes.comments, (count) => count === 1);
  expect(withoutOthers(changes.reported)).toEqual(['all null']);
});

test('many changes of one endpoint are few events', async () => {
  const { id } = await makeIdleEndpoint(engine);
  await using changes = await follow();
  const jobs = jobsOf(engine, id);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 200 }, () => jobs.run({})));
  expect((await healthOf(id)).jobs.inQueue).toBe(200);
  // The last change of all.
  accepted(await engine.http.post('/local/v1/pause', { when: 'now' }));
  let events = 0;
  for (let change = await changes.next(); change.about !== 'pause'; change = await changes.next())
    if (change.id === id) events++;
  expect(events).toBeGreaterThan(0);
  expect(events).toBeLessThanOrEqual(CHANGE_BURST + 1 + (performance.now() - startedAt) / CHANGE_PACE_MS);
});
