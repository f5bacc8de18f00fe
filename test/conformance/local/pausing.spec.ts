import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobTimeline } from '#contract/local/engine.ts';
import { pauseStateSchema } from '#contract/local/machine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { accepted, makeEndpoint, UNTIL_ABORTED } from '../../support/resources/resources.ts';
import { changeSettings } from '../../support/engine/settings.ts';
import { until } from '../../support/core/until.ts';
import { messageOf } from '../../support/http/client.ts';

const PATH = '/local/v1/pause';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const pause = async (body: object, of = engine) => pauseStateSchema.parse(accepted(await of.http.post(PATH, body)));
const resume = async (of = engine) => pauseStateSchema.parse(accepted(await of.http.send('DELETE', PATH)));

const stateOf = async (of = engine) => pauseStateSchema.parse(accepted(await of.http.get(PATH)));

const running = { state: 'running', source: null, message: null, since: null, until: null, overruled: [] };

test('a person pauses at once or for a time, and resumes', async () => {
  const paused = await pause({ when: 'now' });
  expect(paused).toMatchObject({ state: 'paused', source: 'person', message: 'Paused by you.', until: null });
  const timed = await pause({ when: 'now', forMs: 3_600_000 });
  expect(Date.parse(timed.until!) - Date.parse(timed.since!)).toBe(3_600_000);
  expect(await resume()).toEqual(running);
  expect(await resume()).toEqual(running);
});

test('a pause for a time ends at that time after a restart and after a crash', async () => {
  await using own = await startEngine();
  const { until } = await pause({ when: 'now', forMs: 3_600_000 }, own);
  await own.kill9();
  await own.restart();
  expect((await stateOf(own)).until).toBe(until);
  await own.stop();
  await own.restart();
  expect((await stateOf(own)).until).toBe(until);
});

test('every engine starts paused where the settings say so, until it is resumed', async () => {
  await using own = await startEngine();
  await changeSettings(own, { machine: { onStart: 'paused' } });
  await own.stop();
  await own.restart();
  expect(await stateOf(own)).toMatchObject({ state: 'paused', source: 'start' });
  expect(await resume(own)).toEqual(running);
});

test('a rule holds from the moment it is switched on, and resuming overrules it', async () => {
  const now = new Date();
  const clock = (ms: number): string => {
    const at = new Date(now.getTime() + ms);
    return `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
  };
  const quietHours = { from: clock(-3_600_000), to: clock(3_600_000) };
  await changeSettings(engine, { machine: { rules: { quietHours } } });
  expect(await stateOf()).toMatchObject({ state: 'paused', source: 'quiet-hours' });
  expect(await resume()).toEqual({ ...running, overruled: ['quiet-hours'] });
  await changeSettings(engine, { machine: { rules: { quietHours: null } } });
  expect(await resume()).toEqual(running);
});

test.each<[string, unknown, RegExp]>([
  ['another way to pause', { when: 'later' }, /when must be one of "now", "after-job"; got "later"/],
  ['no way to pause', {}, /when must be one of .*got nothing/],
  ['no time', { when: 'now', forMs: 0 }, /forMs must be .*1000/],
  ['a field that is not known', { when: 'now', minutes: 5 }, /must not have the field minutes/],
])('%s is refused, and nothing is paused', async (_, body, words) => {
  const answer = await engine.http.post(PATH, body as object);
  expect(answer.status).toBe(400);
  expect(messageOf(answer)).toMatch(words);
  expect(await resume()).toEqual(running);
});

test('pausing and resuming needs a key of full scope; any key may see whether work goes on', async () => {
  for (const scope of ['jobs', 'read']) {
    const { key } = accepted(await engine.http.post('/local/v1/api-keys', { name: scope, scope })) as { key: string };
    const authorization = `Bearer ${key}`;
    expect((await engine.http.get(PATH, { authorization })).status).toBe(200);
    expect((await engine.http.post(PATH, { when: 'now' }, { authorization })).status).toBe(403);
    expect((await engine.http.send('DELETE', PATH, undefined, { authorization })).status).toBe(403);
  }
  expect((await engine.http.post(PATH, { when: 'now' }, { authorization: null })).status).toBe(401);
});

describe('while work is paused', () => {
  const start = () =>
    makeEndpoint(
      engine,
      {
        'handler.mjs': `${UNTIL_ABORTED} export default async (job, { signal }) => {
        if (job.input.long && !(await import('node:fs')).existsSync(job.input.long)) await untilAborted(signal);
        return job.input;
      };`,
      },
      { endpoint: { workersMax: 1 } },
    );

  test('at once: a job that runs goes back to the queue and says why it waits, and is done after resuming', async () => {
    const { endpoint } = await start();
    const go = path.join(engine.dataDir, `go-${endpoint.id}`);
    const jobs = jobsOf(engine, endpoint.id);
    const id = await jobs.run({ long: go });
    await jobs.reached(id, 'IN_PROGRESS');
    await pause({ when: 'now' });
    await jobs.reached(id, 'IN_QUEUE');
    const { waiting } = accepted(await engine.http.get(`/local/v1/jobs/${id}`)) as JobTimeline;
    expect(waiting).toMatchObject({ code: 'paused', message: expect.stringContaining('Paused by you.') as string });
    await until('the worker to go', async () => (accepted(await engine.http.get('/local/v1/workers')) as []).length, 0);
    await writeFile(go, '');
    await resume();
    await jobs.reached(id, 'COMPLETED');
  });

  test('after the running jobs: they end, none is begun, and then it is paused', async () => {
    const { endpoint } = await start();
    const go = path.join(engine.dataDir, `go-${endpoint.id}`);
    const jobs = jobsOf(engine, endpoint.id);
    const first = await jobs.run({ long: go });
    await jobs.reached(first, 'IN_PROGRESS');
    expect((await pause({ when: 'after-job' })).state).toBe('finishing');
    const second = await jobs.run({});
    await jobs.cancel(first);
    await until('work to be paused', async () => (await stateOf()).state, 'paused');
    expect((await jobs.status(second)).status).toBe('IN_QUEUE');
    await resume();
    await jobs.reached(second, 'COMPLETED');
  });
});
