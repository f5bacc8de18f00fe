import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { defaultSettings, settingsSchema } from '#contract/local/settings.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { accepted } from '../../support/resources/resources.ts';
import { messageOf } from '../../support/http/client.ts';

const PATH = '/local/v1/settings';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const read = async (of = engine) => settingsSchema.parse(accepted(await of.http.get(PATH)));
const change = (body: unknown, of = engine) => of.http.send('PATCH', PATH, JSON.stringify(body));

test('the settings hold the numbers of the description until they are changed', async () => {
  expect(await read()).toEqual(defaultSettings);
  expect((await read()).rates.operations['purge-queue']).toEqual({ requests: 2, concurrent: null });
});

test('a change is merged in at every depth, answered whole, and still there after a crash', async () => {
  await using own = await startEngine();
  const changed = {
    ...defaultSettings,
    rates: {
      ...defaultSettings.rates,
      requestsPerWorker: 7,
      operations: { ...limits.rates.operations, cancel: { requests: 33, concurrent: null } },
    },
  };
  await change({ rates: { requestsPerWorker: 7, operations: { cancel: { requests: 33 } } } }, own);
  expect(accepted(await change({ rates: { operations: { cancel: { concurrent: null } } } }, own))).toEqual(changed);
  await own.kill9();
  await own.restart();
  expect(await read(own)).toEqual(changed);
});

test.each<[string, unknown, RegExp]>([
  ['an unknown field', { rats: {} }, /must not have the field rats/],
  ['an unknown field further down', { rates: { window: 5 } }, /rates must not have the field window/],
  [
    'an operation that is not counted',
    { rates: { operations: { health: {} } } },
    /operations must not have the field health/,
  ],
  [
    'a number below its range',
    { rates: { operations: { run: { requests: 0 } } } },
    /run\.requests must be a whole number from 1 to 10000000; got 0/,
  ],
  [
    'a number above its range',
    { rates: { operations: { run: { concurrent: 1000001 } } } },
    /run\.concurrent must be .* from 1 to 1000000; got 1000001/,
  ],
  [
    'a number that is not whole',
    { rates: { requestsPerWorker: 1.5 } },
    /rates\.requestsPerWorker must be a whole number/,
  ],
  ['null where a number must be', { rates: { operations: { run: { requests: null } } } }, /run\.requests .*got null/],
  [
    'a price below nothing',
    { machine: { prices: { perKwh: -0.1 } } },
    /machine\.prices\.perKwh must be a number from 0 to 1000000; got -0\.1/,
  ],
  [
    'a price of a GPU type that is text',
    { machine: { prices: { gpuHour: { 'NVIDIA A40': '1' } } } },
    /machine\.prices\.gpuHour\.NVIDIA A40 must be a number from 0 to 1000000; got "1"/,
  ],
  ['a price of a month that is null', { machine: { prices: { volumeGbMonth: null } } }, /volumeGbMonth .*got null/],
  ['text for true or false', { rates: { enabled: 'yes' } }, /rates\.enabled must be true or false; got "yes"/],
  [
    'a share above the whole',
    { machine: { rules: { othersGpuPercent: 101 } } },
    /machine\.rules\.othersGpuPercent must be a whole number from 1 to 100; got 101/,
  ],
  [
    'an amount of memory that is none',
    { machine: { rules: { othersGpuMemoryGb: 0 } } },
    /machine\.rules\.othersGpuMemoryGb must be a number from 0\.1 to 1000; got 0/,
  ],
  [
    'a time that no day has',
    { machine: { rules: { quietHours: { from: '24:00', to: '07:00' } } } },
    /quietHours\.from must be a time of day like 22:00; got "24:00"/,
  ],
  [
    'quiet hours without an end',
    { machine: { rules: { quietHours: { from: '22:00' } } } },
    /quietHours\.to must be .*got nothing/,
  ],
  [
    'quiet hours that last no time, or the whole day',
    { machine: { rules: { quietHours: { from: '07:00', to: '07:00' } } } },
    /quietHours\.from and machine\.rules\.quietHours\.to must differ/,
  ],
  ['what a start cannot do', { machine: { onStart: 'later' } }, /machine\.onStart must be one of "run", "paused"/],
  ['a list', [], /JSON object/],
  ['null', null, /JSON object/],
])('%s is refused with its name, and nothing is changed', async (_, body, words) => {
  const before = await read();
  const mixed = typeof body === 'object' && body !== null && !Array.isArray(body) && 'rats' in body;
  const answer = await change(mixed ? { ...body, rates: { enabled: false } } : body);
  expect(answer.status).toBe(400);
  expect(messageOf(answer)).toMatch(words);
  expect(await read()).toEqual(before);
});

test('rules about the machine are kept with the settings: lists are replaced, null switches off', async () => {
  await using own = await startEngine();
  const rules = {
    programs: ['game.exe', 'Blender'],
    quietHours: { from: '22:00', to: '07:00' },
    othersGpuMemoryGb: 1.5,
  };
  accepted(await change({ machine: { rules, onStart: 'run', gpus: { 'GPU-1': { enabled: false } } } }, own));
  const changed = { rules: { programs: ['Blender'], quietHours: null } };
  accepted(await change({ machine: changed }, own));
  await own.stop();
  await own.restart();
  expect((await read(own)).machine).toEqual({
    rules: { ...defaultSettings.machine.rules, programs: ['Blender'], othersGpuMemoryGb: 1.5 },
    onStart: 'run',
    gpus: { 'GPU-1': { enabled: false, shared: false } },
    prices: defaultSettings.machine.prices,
  });
});

test('reading and changing the settings needs a key of full scope', async () => {
  for (const scope of ['jobs', 'read']) {
    const { key } = accepted(await engine.http.post('/local/v1/api-keys', { name: scope, scope })) as { key: string };
    const authorization = `Bearer ${key}`;
    expect((await engine.http.get(PATH, { authorization })).status).toBe(403);
    expect((await engine.http.send('PATCH', PATH, {}, { authorization })).status).toBe(403);
  }
  expect((await engine.http.get(PATH, { authorization: null })).status).toBe(401);
});
