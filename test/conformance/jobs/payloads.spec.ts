import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import type { Jobs } from '../../support/jobs/jobs.ts';
import type { OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeEndpoint } from '../../support/resources/resources.ts';
import { startWorkedEndpoint } from '../../support/workers/workedEndpoint.ts';

let engine: TestEngine;
let jobs: Jobs;
let worker: OutsideWorker;
beforeAll(async () => {
  ({ engine, jobs, worker } = await startWorkedEndpoint());
});
afterAll(() => engine.close());

/** JSON whose text says more than its parsed value does in JavaScript. */
const texts: [string, string][] = [
  ['integers above 2^53', '{"big":9007199254740993,"neg":-12345678901234567890}'],
  ['the order of keys, also of numeric ones', '{"b":1,"a":2,"10":3,"9":4}'],
  ['trailing zeros, exponents and a negative zero', '{"a":1.0,"b":1e2,"c":-0,"d":1E+400}'],
  ['characters beyond the basic plane and their escapes', '{"a":"🙂é\\ud83d\\ude42","b":"\\u0000\\u2028"}'],
  ['duplicate keys', '{"a":1,"a":2}'],
  ['__proto__ and constructor as keys', '{"__proto__":{"x":1},"constructor":{"prototype":2}}'],
  ['white space inside', '{ "a" : [ 1 , 2 ] }'],
];

describe.each(texts)('%s', (_, text) => {
  test('reach the worker in the input as they were sent', async () => {
    const answer = await engine.http.post(
      `${jobs.path}/run`,
      `{"policy":{"ttl":60000}, "input" : ${text} ,"x":{"input":1}}`,
    );
    expect(answer.status).toBe(200);
    expect((await worker.takeAnswer()).text).toContain(`"input" : ${text} ,`);
  });

  test('come back in the output as the worker sent them', async () => {
    const id = await jobs.run({});
    await worker.take();
    await worker.done(id, `{"output": ${text} }`);
    expect((await engine.http.get(`${jobs.path}/status/${id}`)).text).toContain(`"output":${text}`);
  });

  test('come back in a stream chunk as the worker sent them', async () => {
    const id = await jobs.run({});
    await worker.take();
    await worker.stream(id, `{"output":${text}}`);
    expect((await engine.http.get(`${jobs.path}/stream/${id}`)).text).toContain(`"output":${text}`);
  });
});

test.each([['null'], ['false'], ['0'], ['""'], ['[]'], ['{}']])('an output of %s is an output', async (text) => {
  const id = await jobs.run({});
  await worker.take();
  await worker.done(id, `{"output":${text}}`);
  expect((await engine.http.get(`${jobs.path}/status/${id}`)).text).toContain(`"output":${text}`);
});

test('an input of several MB reaches a handler and comes back whole', async () => {
  await using own = await startEngine();
  const { endpoint } = await makeEndpoint(own, { 'handler.mjs': 'export default (job) => job.input;\n' });
  const input = { text: 'ä'.repeat(2_000_000), list: Array.from({ length: 50_000 }, (_, n) => ({ n })) };
  const answer = await own.http.post(`/v2/${endpoint.id}/runsync?wait=${limits.waitMs.max}`, { input });
  expect(answer.json).toMatchObject({ status: 'COMPLETED' });
  expect((answer.json as { output: unknown }).output).toEqual(input);
});
