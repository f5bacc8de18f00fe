/** The numbers of the job API, changed in the settings: each holds at once, and a violation names its new value. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { endpointSchema } from '#contract/api/resources.ts';
import { defaultSettings, settingsSchema, type SettingsChange } from '#contract/local/settings.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import type { Answer } from '../../support/http/client.ts';
import { allCommitted, jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { startReceiver } from '../../support/webhooks/receiver.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { changeSettings } from '../../support/engine/settings.ts';
import { until } from '../../support/core/until.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterEach(() => changeSettings(engine, defaultSettings));
afterAll(() => engine.close());

const limit = (limits: SettingsChange['limits']) => changeSettings(engine, { limits });

async function stage(): Promise<{ jobs: Jobs; worker: OutsideWorker }> {
  const { id } = await makeIdleEndpoint(engine);
  return { jobs: jobsOf(engine, id), worker: createOutsideWorker(engine, id) };
}

const words = (answer: Answer): string => z.looseObject({ message: z.string() }).parse(answer.json).message;
const sized = (bytes: number, rest = ''): string => {
  const frame = `{"input":{"a":""}${rest}}`;
  return `{"input":{"a":"${'x'.repeat(bytes - frame.length)}"}${rest}}`;
};
const gone = (jobs: Jobs, id: string) =>
  until('the job to be gone', async () => (await engine.http.get(`${jobs.path}/status/${id}`)).status, 404);

test.each([
  ['run', 'runBodyBytes'],
  ['runsync?wait=1000', 'runsyncBodyBytes'],
] as const)('the largest body of /%s', async (operation, name) => {
  const { jobs } = await stage();
  await limit({ [name]: 2048, waitMs: { min: 1000 } });
  expect((await engine.http.post(`${jobs.path}/${operation}`, sized(2048))).status).toBe(200);
  const refused = await engine.http.post(`${jobs.path}/${operation}`, sized(2049));
  expect(refused.status).toBe(413);
  expect(words(refused)).toMatch(/2048 bytes.*2049/);
});

test('a larger body than usual', async () => {
  const { jobs, worker } = await stage();
  const body = sized(11 * 1024 * 1024);
  expect((await engine.http.post(`${jobs.path}/run`, body)).status).toBe(413);
  await limit({ runBodyBytes: 12 * 1024 * 1024 });
  expect((await engine.http.post(`${jobs.path}/run`, body)).status).toBe(200);
  expect((await worker.takeAnswer()).text.length).toBeGreaterThan(11 * 1024 * 1024);
});

test('how long /runsync waits, and the range of wait', async () => {
  const { jobs } = await stage();
  const leaving = new AbortController();
  const runsync = (options = {}) => engine.http.post(`${jobs.path}/runsync`, { input: {} }, options);
  const unchanged = runsync({ signal: leaving.signal });
  await until('it to wait', async () => (await jobs.health()).jobs.inQueue, 1);
  await allCommitted(engine);
  await limit({ waitMs: { min: 5, max: 50, default: 20 } });
  // One that began before is held for as long as it was then.
  const changed = await Promise.race([runsync(), unchanged.then(() => null)]);
  expect(changed?.json).toMatchObject({ status: 'IN_QUEUE' });
  leaving.abort();
  await expect(unchanged).rejects.toThrow();
  expect((await engine.http.post(`${jobs.path}/runsync?wait=5`, { input: {} })).status).toBe(200);
  const refused = await engine.http.post(`${jobs.path}/runsync?wait=51`, { input: {} });
  expect(refused.status).toBe(400);
  expect(words(refused)).toBe('wait must be a whole number from 5 to 50; got 51.');
});

test.each([
  ['a small body', 300],
  ['a large body', 400_000],
])('the ranges of a policy, in %s', async (_, bytes) => {
  const { jobs } = await stage();
  const run = (policy: object) =>
    engine.http.post(`${jobs.path}/run`, sized(bytes, `,"policy":${JSON.stringify(policy)}`));
  expect((await run({ ttl: 9999 })).status).toBe(400);
  await limit({ ttlMs: { min: 9999 }, executionTimeoutMs: { max: 700_000 } });
  expect((await run({ ttl: 9999 })).status).toBe(200);
  expect(words(await run({ ttl: 9998 }))).toBe('policy.ttl must be a whole number from 9999 to 604800000; got 9998.');
  expect(words(await run({ executionTimeout: 700_001 }))).toBe(
    'policy.executionTimeout must be a whole number from 5000 to 700000; got 700001.',
  );
});

test('the ttl of a job that names none, and the range of /status?ttl=', async () => {
  const { jobs } = await stage();
  const jobId = await jobs.run({});
  await limit({ ttlMs: { min: 100, default: 100 } });
  await gone(jobs, await jobs.run({}));
  expect((await engine.http.get(`${jobs.path}/status/${jobId}?ttl=99`)).status).toBe(400);
  expect((await engine.http.get(`${jobs.path}/status/${jobId}?ttl=100`)).status).toBeLessThan(500);
  await gone(jobs, jobId);
});

test('the executionTimeout of endpoints that are made without one', async () => {
  await limit({ executionTimeoutMs: { default: 123_456 } });
  const { templateId } = await makeIdleEndpoint(engine);
  const made = endpointSchema.parse(accepted(await engine.http.post('/v1/endpoints', { templateId, workersMax: 0 })));
  expect(made.executionTimeoutMs).toBe(123_456);
});

test('how long results are kept', async () => {
  const { jobs, worker } = await stage();
  await limit({ retentionMs: { run: 1 } });
  const id = await jobs.run({});
  await worker.take();
  await worker.done(id, { output: 1 });
  await gone(jobs, id);
});

test.each([
  ['small', 6000],
  ['large', 300_000],
])('the largest chunk: a %s one is split by it', async (_, length) => {
  const { jobs, worker } = await stage();
  await limit({ chunkBytes: length / 5 });
  const id = await jobs.run({});
  await worker.take();
  const text = 'aé"'.repeat(length / 3);
  await worker.stream(id, { output: text });
  await worker.done(id, {});
  const chunks = accepted(await engine.http.get(`${jobs.path}/stream/${id}`)) as { output: string }[];
  expect(chunks.map(({ output }) => output).join('')).toBe(text);
  expect(chunks.length).toBeGreaterThanOrEqual(5);
  expect(Math.max(...chunks.map((chunk) => Buffer.byteLength(JSON.stringify(chunk))))).toBeLessThanOrEqual(length / 5);
});

test('how often a webhook is tried again', async () => {
  const { jobs, worker } = await stage();
  await using receiver = await startReceiver();
  receiver.answer('/refuses', 500);
  await limit({ webhook: { retries: 0 } });
  const id = await jobs.run({}, { webhook: `${receiver.origin}/refuses` });
  await worker.take();
  await worker.done(id, { output: 1 });
  await until(
    'the delivery to have failed',
    async () => accepted(await engine.http.get(`/local/v1/webhooks?jobId=${id}`)) as { state: string }[],
    (list) => list[0]?.state === 'failed',
  );
  expect(receiver.received).toHaveLength(1);
});

test('how soon a webhook is tried again', async () => {
  const { jobs, worker } = await stage();
  await using receiver = await startReceiver();
  receiver.answer('/refuses', 500);
  const tell = async (): Promise<void> => {
    const id = await jobs.run({}, { webhook: `${receiver.origin}/refuses` });
    await worker.take();
    await worker.done(id, { output: 1 });
  };
  await limit({ webhook: { retries: 1, gapMs: 60_000 } });
  await tell();
  await until('the first call', () => receiver.received.length, 1);
  // One that waits longer holds up none that is due sooner.
  await limit({ webhook: { gapMs: 1000 } });
  await tell();
  await until('the second job to be told twice', () => receiver.received.length, 3);
});

test('a default outside its range is refused, and nothing is changed', async () => {
  const body = { limits: { ttlMs: { max: 20_000 }, chunkBytes: 5000 } };
  const refused = await engine.http.send('PATCH', '/local/v1/settings', body);
  expect(refused.status).toBe(400);
  expect(words(refused)).toMatch(/limits\.ttlMs\.default must lie between .*; got 86400000, 10000 and 20000/);
  expect(settingsSchema.parse(accepted(await engine.http.get('/local/v1/settings')))).toEqual(defaultSettings);
});

test.each<[object, RegExp]>([
  [{ runBodyBytes: 1023 }, /limits\.runBodyBytes must be a whole number from 1024 to 104857600; got 1023/],
  [{ chunkBytes: 4_000_001 }, /limits\.chunkBytes must be a whole number from 1024 to 4000000; got 4000001/],
  [{ waitMs: { max: 3_600_001 } }, /limits\.waitMs\.max must be a whole number from 1 to 3600000; got 3600001/],
  [{ retentionMs: { run: 0 } }, /limits\.retentionMs\.run must be a whole number from 1 to 31536000000; got 0/],
  [{ webhook: { retries: 21 } }, /limits\.webhook\.retries must be a whole number from 0 to 20; got 21/],
  [{ webhook: { gapMs: '1s' } }, /limits\.webhook\.gapMs must be a whole number from 1000 to 3600000; got "1s"/],
  [{ ttlMs: 5 }, /limits\.ttlMs must be a JSON object; got 5/],
])('%j is refused with its range', async (limits, message) => {
  const refused = await engine.http.send('PATCH', '/local/v1/settings', { limits });
  expect(refused.status).toBe(400);
  expect(words(refused)).toMatch(message);
});

test('the OpenAPI document tells the numbers in force', async () => {
  const documented = async () => (await engine.http.get('/v2/openapi.json')).text;
  expect(await documented()).toContain('10485760 bytes');
  await limit({ runBodyBytes: 5000, ttlMs: { min: 77 } });
  expect(await documented()).toContain('5000 bytes');
  expect(await documented()).toContain('"minimum":77');
});
