/**
 * Bodies above 256 KB, which are kept in files: they come out as they went in, and nothing else differs from small
 * ones.
 */
import { mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { largeJson, storedFiles } from '../../support/jobs/largeBodies.ts';
import { makeIdleEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import { startWorkedEndpoint } from '../../support/workers/workedEndpoint.ts';
import { messageOf } from '../../support/http/client.ts';

let engine: TestEngine;
let jobs: Jobs;
let worker: OutsideWorker;
beforeAll(async () => {
  ({ engine, jobs, worker } = await startWorkedEndpoint());
});
afterAll(() => engine.close());

const KB = 1024;
const MB = 1024 * KB;

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
      const output = largeJson(outputBytes);
      const id = await runTakeDone(largeJson(bytes - ENVELOPE), output);
      await hasOutput(id, output);
    },
  );

  test('of the most that /runsync takes, chunked as well, comes through at once and through a batch', async () => {
    const input = largeJson(limits.runsyncBodyBytes - ENVELOPE);
    const output = largeJson(limits.runsyncBodyBytes - '{"output":}'.length);
    const calls = [{}, { headers: { 'transfer-encoding': 'chunked' } }].map((options) =>
      engine.http.post(`${jobs.path}/runsync`, envelope(input), options),
    );
    await until('both to be queued', async () => (await jobs.health()).jobs.inQueue, 2);
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
    const input = largeJson(2 * MB);
    const output = largeJson(3 * MB);
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

describe('what is wrong with a large body', () => {
  const padded = (fields: string): string => `{"pad":"${'x'.repeat(300 * KB)}",${fields}}`;

  test.each([
    ['a missing input', '"webhook":"http://127.0.0.1/"'],
    ['an input that is no object', '"input":[1,2]'],
    ['a policy out of range', '"input":{},"policy":{"ttl":9999}'],
    ['a field of the wrong type', '"input":{},"s3Config":{"accessId":7}'],
    ['a webhook that is no address', '"input":{},"webhook":"nowhere"'],
  ])('is said in the words that a small one would get: %s', async (_, fields) => {
    const small = await engine.http.post(`${jobs.path}/run`, `{${fields}}`);
    const large = await engine.http.post(`${jobs.path}/run`, padded(fields));
    expect(small.status).toBe(400);
    expect([large.status, large.text]).toEqual([400, small.text]);
  });

  test('is said in the words of the parser where it is no JSON', async () => {
    const text = `${padded('"input":{}')}]`;
    let words = '';
    try {
      JSON.parse(text);
    } catch (error) {
      words = (error as Error).message;
    }
    const answer = await engine.http.post(`${jobs.path}/run`, text);
    expect([answer.status, messageOf(answer)]).toEqual([400, `The request body is not valid JSON: ${words}.`]);
  });

  test('is said where it is not UTF-8, or a list', async () => {
    const bytes = Buffer.from(padded('"input":{}'));
    bytes[1000] = 0xff;
    const answers = [
      await engine.http.post(`${jobs.path}/run`, bytes),
      await engine.http.post(`${jobs.path}/run`, `[${padded('"input":{}')}]`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(answers[0]!.text).toContain('not valid UTF-8');
  });

  test('fails the job where it is a result, with the reason', async () => {
    const id = await jobs.run({});
    await worker.take();
    const answer = await worker.done(id, `{"output":"${'x'.repeat(300 * KB)}"`);
    expect(answer.status).toBe(400);
    expect(await jobs.status(id)).toMatchObject({
      status: 'FAILED',
      error: expect.stringMatching(/could not be taken.*not valid JSON/s),
    });
  });
});

describe('a large result', () => {
  test('is read by several at once, each to its end', async () => {
    const output = largeJson(10 * MB);
    const id = await jobs.run({});
    await worker.take();
    await worker.done(id, `{"output":${output}}`);
    const path = `${jobs.path}/status/${id}`;
    const answers = await Promise.all([1, 2, 3, 4].map(() => engine.http.get(path)));
    expect(answers.every(({ text }) => text.endsWith(`"output":${output}}`))).toBe(true);
  });

  test('is kept beside an error, and progress of the same size is shown and then gone', async () => {
    const report = largeJson(400 * KB);
    const id = await jobs.run({});
    await worker.take();
    await worker.done(id, `{"status":"IN_PROGRESS","output":${report}}`);
    expect((await engine.http.get(`${jobs.path}/status/${id}`)).text).toContain(`"output":${report}}`);
    const output = largeJson(300 * KB);
    await worker.done(id, `{"error":"no luck","output":${output}}`);
    const { text } = await engine.http.get(`${jobs.path}/status/${id}`);
    expect(text).toContain('"status":"FAILED"');
    expect(text.endsWith(`,"error":"no luck","output":${output}}`)).toBe(true);
  });

  test('that is too large fails the job, which says so', async () => {
    const id = await jobs.run({});
    await worker.take();
    const answer = await worker.done(id, `{"output":"${'x'.repeat(limits.runsyncBodyBytes)}"}`);
    expect(answer.status).toBe(413);
    expect(await jobs.status(id)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('20 MB') });
  });

  test('of an attempt before a retry is gone with it', async () => {
    const id = await jobs.run({});
    await worker.take();
    await worker.done(id, `{"error":"once more","output":${largeJson(300 * KB)}}`);
    expect((await engine.http.post(`${jobs.path}/retry/${id}`)).status).toBe(200);
    await worker.take();
    await worker.done(id, '{"output":"small"}');
    expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED', output: 'small' });
  });
});

describe('a large chunk', () => {
  const joined = async (id: string): Promise<string> => {
    let text = '';
    for (;;) {
      const { json } = await engine.http.get(`${jobs.path}/stream/${id}?wait=1000`);
      const chunks = json as { output: string }[];
      if (chunks.length === 0) return text;
      for (const { output } of chunks) {
        expect(Buffer.byteLength(JSON.stringify({ output }))).toBeLessThanOrEqual(limits.chunkBytes);
        text += output;
      }
    }
  };

  test('comes to its readers in pieces that make the whole, in order with the small ones around it', async () => {
    const id = await jobs.run({});
    await worker.take();
    const large = 'é漢🙂"\\x'.repeat(200_000);
    for (const output of ['first ', large, ' last']) expect((await worker.stream(id, { output })).status).toBe(200);
    await worker.done(id, '{"output":null}');
    expect((await joined(id)) === `first ${large} last`).toBe(true);
  });

  test('does so too as one line of many in an open request', async () => {
    const id = await jobs.run({});
    await worker.take();
    const large = 'line 🙂'.repeat(300_000);
    const lines = ['a', large, 'b', 'c', large, 'd'].map((output) => JSON.stringify({ output }));
    const path = `${jobs.path}/job-stream/${worker.id}/${id}?ndjson=1`;
    const answer = await engine.http.post(path, lines.join('\n'), { authorization: engine.key });
    expect([answer.status, answer.text]).toEqual([200, '{}']);
    await worker.done(id, '{"output":null}');
    expect((await joined(id)) === `a${large}bc${large}d`).toBe(true);
  });
});

describe('the file of a large body', () => {
  test('holds no secret in plain text, and its job fails with the reason once the key is gone', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hangar-sealed-'));
    const secret = `secret-${'s'.repeat(40)}`;
    const body = `{"input":{"s":"${'x'.repeat(600 * KB)}"},"s3Config":{"accessSecret":"${secret}"}}`;
    try {
      await using first = await startEngine({ dataDir });
      const { id: endpointId } = await makeIdleEndpoint(first);
      const own = createOutsideWorker(first, endpointId);
      const post = async () => (await first.http.post(`/v2/${endpointId}/run`, body)).json as { id: string };
      const { id } = await post();
      expect((await own.takeAnswer()).text === `${body.slice(0, -1)},"id":"${id}"}`).toBe(true);
      const waiting = await post();
      const files = await storedFiles(dataDir);
      expect(files).toHaveLength(2);
      for (const file of files) {
        const bytes = await readFile(file);
        expect([bytes.includes(secret), bytes.includes('x'.repeat(8))]).toEqual([false, false]);
      }
      await first.stop();

      await using second = await startEngine({ dataDir });
      expect(await createOutsideWorker(second, endpointId).take()).toBe(null);
      expect(await jobsOf(second, endpointId).status(waiting.id)).toMatchObject({
        status: 'FAILED',
        error: expect.stringContaining('that key is gone'),
      });
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  test('when it is missing or cut short fails the job that is taken, and answers whoever asks for the output', async () => {
    await using other = await startEngine();
    const { id: endpointId } = await makeIdleEndpoint(other);
    const path = `/v2/${endpointId}`;
    const own = createOutsideWorker(other, endpointId);
    const submit = async () =>
      ((await other.http.post(`${path}/run`, { input: { s: 'x'.repeat(300 * KB) } })).json as { id: string }).id;
    const filesBefore = new Set<string>();
    const newFile = async (): Promise<string> => {
      const file = (await storedFiles(other.dataDir)).find((name) => !filesBefore.has(name))!;
      filesBefore.add(file);
      return file;
    };
    const missing = await submit();
    await rm(await newFile());
    const short = await submit();
    await truncate(await newFile(), 1000);
    const whole = await submit();
    await newFile();
    const batch = await own.takeBatch(3);
    expect(batch.map(({ id }) => id)).toEqual([whole]);
    for (const [id, reason] of [
      [missing, /is missing/],
      [short, /is damaged/],
    ] as const) {
      const view = await jobsOf(other, endpointId).status(id);
      expect(view).toMatchObject({ status: 'FAILED', error: expect.stringMatching(reason) });
    }
    await own.done(whole, `{"output":"${'y'.repeat(300 * KB)}"}`);
    await rm(await newFile());
    const status = await other.http.get(`${path}/status/${whole}`);
    expect([status.status, status.text]).toEqual([500, expect.stringMatching(/is missing. Submit the job again/)]);
  });

  test('goes with the job, and never stays of a body that was refused or not sent to its end', async () => {
    await using other = await startEngine();
    const { id: endpointId } = await makeIdleEndpoint(other);
    const path = `/v2/${endpointId}`;
    const body = `{"input":{"s":"${'x'.repeat(2 * MB)}"}}`;
    expect((await other.http.post(`${path}/run`, `${body}]`)).status).toBe(400);
    const cut = connect(other.port, '127.0.0.1');
    cut.write(
      `POST ${path}/run HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${other.key}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await new Promise((resolve) => cut.write(body.slice(0, MB), resolve));
    cut.destroy();
    expect((await other.http.post(`${path}/run`, body)).status).toBe(200);
    // What is left of the body that was cut goes once the engine has seen its end.
    await until('the file of the one job alone', async () => (await storedFiles(other.dataDir)).length, 1);
    expect((await other.http.send('DELETE', `/v1/endpoints/${endpointId}`)).status).toBe(204);
    await until('no file to be left', async () => (await storedFiles(other.dataDir)).length, 0);
  });
});
