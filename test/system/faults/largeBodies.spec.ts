/**
 * Faults of bodies that are kept in files: a file and the row that refers to it are two things on disk, and one thing
 * to whoever asks.
 */
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { halfJobs, startDyingEngine, type Moment } from '../../support/engine/dyingEngine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { largeJson, storedFiles } from '../../support/jobs/largeBodies.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeIdleEndpoint } from '../../support/resources/resources.ts';
import { settles, until } from '../../support/core/until.ts';

const MB = 1024 * 1024;
const input = largeJson(600_000);
const output = largeJson(500_000);
const body = `{"input":${input}}`;
const moments: [Moment][] = [['before commit'], ['after commit']];

const filesOf = (engine: TestEngine, count: number) =>
  until(`${count} files to be left`, async () => (await storedFiles(engine.dataDir)).length, count);

describe.each(moments)('fault 6: killed %s', (moment) => {
  test('of a large job, it is there with its file or neither is', async () => {
    await using engine = await startDyingEngine();
    const { id: endpointId } = await makeIdleEndpoint(engine);
    const path = `/v2/${endpointId}`;
    await engine.killAt(moment, () => engine.http.post(`${path}/run`, body));
    const isThere = moment === 'after commit';
    await filesOf(engine, isThere ? 1 : 0);
    expect((await jobsOf(engine, endpointId).health()).jobs.inQueue).toBe(isThere ? 1 : 0);
    if (!isThere) return;
    const { text } = await createOutsideWorker(engine, endpointId).takeAnswer();
    expect(text.startsWith(`${body.slice(0, -1)},"id":"`)).toBe(true);
  });

  test('of a large result, it is there with its file, or the job still runs and takes it again', async () => {
    await using engine = await startDyingEngine();
    const { id: endpointId } = await makeIdleEndpoint(engine);
    const jobs = jobsOf(engine, endpointId);
    const worker = createOutsideWorker(engine, endpointId);
    const id = await jobs.run({});
    await worker.take();
    await engine.killAt(moment, () => worker.done(id, `{"output":${output}}`));
    await filesOf(engine, moment === 'after commit' ? 1 : 0);
    expect((await worker.done(id, `{"output":${output}}`)).status).toBe(200);
    await filesOf(engine, 1);
    const { text } = await engine.http.get(`${jobs.path}/status/${id}`);
    expect(text.endsWith(`"output":${output}}`)).toBe(true);
  });

  test('of a retry or a removal, what a row refers to is there, and nothing else is', async () => {
    await using engine = await startDyingEngine();
    const { id: endpointId } = await makeIdleEndpoint(engine);
    const path = `/v2/${endpointId}`;
    const worker = createOutsideWorker(engine, endpointId);
    const { id } = (await engine.http.post(`${path}/run`, body)).json as { id: string };
    await worker.takeAnswer();
    await worker.done(id, `{"error":"no","output":${output}}`);
    await engine.killAt(moment, () => engine.http.post(`${path}/retry/${id}`));
    await filesOf(engine, moment === 'after commit' ? 1 : 2);
    const view = await engine.http.get(`${path}/status/${id}`);
    if (moment === 'after commit') expect(view.json).toMatchObject({ status: 'IN_QUEUE' });
    else expect(view.text.endsWith(`"output":${output}}`)).toBe(true);
    await engine.killAt(
      moment,
      () => engine.http.get(`${path}/status/${id}?ttl=10000`).then(() => engine.advance(20_000)),
      2,
    );
    const removed = (await engine.http.get(`${path}/status/${id}`)).status === 404;
    await filesOf(engine, removed ? 0 : moment === 'after commit' ? 1 : 2);
    await engine.stop();
    expect(halfJobs(engine.dataDir)).toEqual({});
  });
});

test('fault 22: a body without a length that never ends is refused before it is all sent, and leaves nothing', async () => {
  await using engine = await startEngine();
  const { id } = await makeIdleEndpoint(engine);
  const outgoing = request(new URL(`/v2/${id}/run`, engine.address), {
    method: 'POST',
    agent: false,
    headers: { authorization: engine.key, 'transfer-encoding': 'chunked' },
  });
  const answered = new Promise<number>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    });
  });
  const part = Buffer.alloc(MB, 'x');
  let sent = 0;
  const send = (): void => {
    while (!outgoing.destroyed && sent < 100 * MB) {
      sent += part.length;
      if (!outgoing.write(part)) {
        outgoing.once('drain', send);
        return;
      }
    }
  };
  send();
  expect(await settles('the refusal', answered, () => ({ sent, open: !outgoing.destroyed }))).toBe(413);
  outgoing.destroy();
  // What it was sent bounds what it can hold.
  expect(sent).toBeLessThan(limits.runBodyBytes * 4);
  expect(await storedFiles(engine.dataDir)).toEqual([]);
});

test('fault 28: 20 bodies of 10 MB at once, and outputs as large, are all taken', async () => {
  // Together more than the 128 MB of large bodies that the engine holds in memory: further ones wait.
  await using engine = await startEngine();
  const { id: endpointId } = await makeIdleEndpoint(engine);
  const path = `/v2/${endpointId}`;
  const large = Buffer.from(`{"input":{"s":"${'x'.repeat(limits.runBodyBytes - 20)}"}}`);
  const answers = await Promise.all(Array.from({ length: 20 }, () => engine.http.post(`${path}/run`, large)));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const worker = createOutsideWorker(engine, endpointId);
  const done = Buffer.from(`{"output":"${'y'.repeat(limits.runBodyBytes)}"}`);
  const taken = [await worker.take(), await worker.take(), await worker.take()];
  const results = taken.map((job) => engine.http.post(`${path}/job-done/${worker.id}/${job!.id}`, done));
  expect((await Promise.all(results)).filter(({ status }) => status !== 200)).toEqual([]);
  expect(await storedFiles(engine.dataDir)).toHaveLength(23);
});
