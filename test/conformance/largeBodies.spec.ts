/** Bodies above 256 KB, which are kept in files: they come out as they went in, and nothing else differs from small ones. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { jobsOf, type Jobs } from '../support/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../support/outsideWorker.ts';
import { makeIdleEndpoint } from '../support/resources.ts';
import { until } from '../support/until.ts';

let engine: TestEngine;
let jobs: Jobs;
let worker: OutsideWorker;
beforeAll(async () => {
  engine = await startEngine();
  const { id } = await makeIdleEndpoint(engine);
  jobs = jobsOf(engine, id);
  worker = createOutsideWorker(engine, id);
});
afterAll(() => engine.close());

const KB = 1024;
const MB = 1024 * KB;

/** JSON of exactly this many bytes whose text says more than its parsed value: order, huge numbers, repeated keys, escapes. */
function jsonOf(bytes: number): string {
  const head = '{"b":1,"2":9007199254740993,"a":1,"a":1.0,"e":1E+400,"s":"\\ud83d\\ude42é漢🙂","rows":[';
  const row = '{"n":-0,"t":"ä🙂\\u0000"},';
  const tail = '0],"pad":"';
  const end = '"}';
  const rows = Math.floor((bytes - Buffer.byteLength(head + tail + end)) / Buffer.byteLength(row));
  const text = head + row.repeat(rows) + tail;
  return text + 'x'.repeat(bytes - Buffer.byteLength(text + end)) + end;
}

const ENVELOPE = '{ "policy":{"ttl":600000},"input" : ,"x":{"input":1}} \n'.length;
const envelope = (input: string): string => `{ "policy":{"ttl":600000},"input" : ${input},"x":{"input":1}} \n`;
const handed = (input: string, id: string): string =>
  `{ "policy":{"ttl":600000},"input" : ${input},"x":{"input":1},"id":"${id}"}`;

async function runTakeDone(input: string, output: string): Promise<string> {
  const answer = await engine.http.post(`${jobs.path}/run`, envelope(input));
  expect(answer.status).toBe(200);
  const { id } = answer.json as { id: string };
  const taken = await worker.takeAnswer();
  expect(Number(taken.headers['content-length'])).toBe(Buffer.byteLength(taken.text));
  expect(taken.text === handed(input, id)).toBe(true);
  expect((await worker.done(id, `{"output" : ${output} }`)).status).toBe(200);
  return id;
}

const hasOutput = async (id: string, output: string): Promise<void> => {
  const status = await engine.http.get(`${jobs.path}/status/${id}`);
  expect(status.status).toBe(200);
  expect(Number(status.headers['content-length'])).toBe(Buffer.byteLength(status.text));
  expect(status.text.endsWith(`"output":${output}}`)).toBe(true);
};

describe('a large body', () => {
  test.each([
    ['just above what a row holds', 256 * KB + 1, 300 * KB],
    ['of 5 MB', 5 * MB, 300 * KB],
    ['of the most that /run takes', limits.runBodyBytes, 5 * MB],
  ])(
    '%s comes to the worker as it was sent, and its output back as the worker sent it',
    async (_, bytes, outputBytes) => {
      const output = jsonOf(outputBytes);
      const id = await runTakeDone(jsonOf(bytes - ENVELOPE), output);
      await hasOutput(id, output);
    },
  );

  test('of the most that /runsync takes, chunked as well, comes through at once and through a batch', async () => {
    const input = jsonOf(limits.runsyncBodyBytes - ENVELOPE);
    const output = jsonOf(limits.runsyncBodyBytes - '{"output":}'.length);
    const calls = [{}, { headers: { 'transfer-encoding': 'chunked' } }].map((options) =>
      engine.http.post(`${jobs.path}/runsync`, envelope(input), options),
    );
    await until('both to be queued', async () => (await jobs.health()).jobs.inQueue === 2);
    const batch = await engine.http.get(
      `${jobs.path}/job-take-batch/${worker.id}?gpu=none&job_in_progress=0&batch_size=5`,
      { authorization: engine.key },
    );
    const ids = (JSON.parse(batch.text) as { id: string }[]).map(({ id }) => id);
    expect(batch.text === `[${ids.map((id) => handed(input, id)).join(',')}]`).toBe(true);
    for (const id of ids) expect((await worker.done(id, `{"output":${output}}`)).status).toBe(200);
    for (const call of calls) expect((await call).text.endsWith(`"output":${output}}`)).toBe(true);
  });

  test('and its output are there after a restart', async () => {
    await using other = await startEngine();
    const { id } = await makeIdleEndpoint(other);
    const path = `/v2/${id}`;
    const input = jsonOf(2 * MB);
    const output = jsonOf(3 * MB);
    const submit = async (): Promise<string> =>
      ((await other.http.post(`${path}/run`, envelope(input))).json as { id: string }).id;
    const done = await submit();
    const before = createOutsideWorker(other, id);
    await before.takeAnswer();
    await before.done(done, `{"output":${output}}`);
    const waiting = await submit();
    await other.kill9();
    await other.restart();
    expect((await other.http.get(`${path}/status/${done}`)).text.endsWith(`"output":${output}}`)).toBe(true);
    expect((await createOutsideWorker(other, id).takeAnswer()).text === handed(input, waiting)).toBe(true);
  });
});
