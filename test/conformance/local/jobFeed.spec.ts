import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobChunksSchema, jobFeedSchema, type JobChunks, type JobFeed } from '#contract/local/jobFeed.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { createHttp } from '../../support/http/client.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const read = async (query: string, of = engine): Promise<JobFeed> =>
  jobFeedSchema.parse(accepted(await of.http.get(`/local/v1/jobs?${query}`)));
/** Where the feed is now: what the other tests of this file did lies before it. */
const numberNow = async (): Promise<number> => (await read('reader=a-reader')).number;

test('every job is told with who sent it, its request and its result, also after a restart', async () => {
  await using own = await startEngine();
  const { id: endpointId } = await makeIdleEndpoint(own);
  const { key } = accepted(await own.http.post('/local/v1/api-keys', { name: 'trainer', scope: 'jobs' })) as {
    key: string;
  };
  const script = createHttp(own.address, key);
  const sent = await script.send(
    'POST',
    `/v2/${endpointId}/runsync?wait=1000`,
    { input: { prompt: 'a cat' } },
    {
      headers: { 'user-agent': 'curl/8.5.0' },
    },
  );
  const { id } = accepted(sent) as { id: string };
  script.stop();
  const worker = createOutsideWorker(own, endpointId);
  await worker.take();
  await worker.done(id, { output: { text: 'miaow' } });
  const wanted = {
    id,
    endpointId,
    sync: true,
    sender: { own: false, keyName: 'trainer', client: 'curl' },
    status: 'COMPLETED',
    body: '{"input":{"prompt":"a cat"}}',
    output: '{"text":"miaow"}',
  };
  const feed = await read('reader=a-reader', own);
  expect(feed.jobs).toMatchObject([wanted]);
  expect((await read(`reader=a-reader&after=${feed.number}`, own)).jobs).toEqual([]);
  await own.stop();
  await own.restart();
  expect((await read(`reader=a-reader&after=${feed.number}`, own)).jobs).toMatchObject([wanted]);
});

test('a request is held until a job changes, and a reader who goes away holds nothing', async () => {
  const jobs = jobsOf(engine, (await makeIdleEndpoint(engine)).id);
  const after = await numberNow();
  const waiting = read(`reader=a-reader&after=${after}&wait=20000`);
  const id = await jobs.run({});
  const queued = await waiting;
  expect(queued.jobs).toMatchObject([{ id, status: 'IN_QUEUE' }]);
  const leaving = new AbortController();
  const left = fetch(`${engine.address}/local/v1/jobs?reader=a-reader&after=${queued.number}&wait=20000`, {
    headers: { authorization: `Bearer ${engine.key}` },
    signal: leaving.signal,
  });
  leaving.abort();
  await expect(left).rejects.toThrow();
  await jobs.cancel(id);
  expect((await read(`reader=a-reader&after=${queued.number}&wait=20000`)).jobs).toMatchObject([
    { id, status: 'CANCELLED' },
  ]);
});

test('a large request is told by its size, and read by itself', async () => {
  const jobs = jobsOf(engine, (await makeIdleEndpoint(engine)).id);
  const input = { text: 'x'.repeat(600_000) };
  const after = await numberNow();
  const id = await jobs.run(input);
  const [note] = (await read(`reader=a-reader&after=${after}`)).jobs;
  expect(note).toMatchObject({ id, body: null });
  expect(note?.bodyBytes).toBeGreaterThan(600_000);
  expect(accepted(await engine.http.get(`/local/v1/jobs/${id}/request`))).toEqual({ input });
  expect((await engine.http.get('/local/v1/jobs/nobody/request')).status).toBe(404);
});

test('a reader names itself with eight characters or more, and waits no longer than the engine holds an answer', async () => {
  for (const query of ['', 'reader=short', 'reader=a-reader&after=-1', 'reader=a-reader&wait=25001']) {
    expect((await engine.http.get(`/local/v1/jobs?${query}`)).status, query).toBe(400);
  }
});

const readChunks = async (id: string, query: string): Promise<JobChunks> =>
  jobChunksSchema.parse(accepted(await engine.http.get(`/local/v1/jobs/${id}/chunks?${query}`)));

describe('the chunks of a job that runs', () => {
  async function running() {
    const { id: endpointId } = await makeIdleEndpoint(engine);
    const jobs = jobsOf(engine, endpointId);
    const id = await jobs.run({});
    const worker = createOutsideWorker(engine, endpointId);
    await worker.take();
    return { endpointId, id, worker };
  }

  test('come to each reader from its own place on, and the script still gets each of them once', async () => {
    const { endpointId, id, worker } = await running();
    const stream = async () => accepted(await engine.http.get(`/v2/${endpointId}/stream/${id}?wait=1000`));
    await worker.stream(id, { output: 'one' });
    const first = await readChunks(id, 'wait=20000');
    expect(first).toMatchObject({ status: 'IN_PROGRESS', retries: 0, index: 0, chunks: ['{"output":"one"}'] });
    expect(await stream()).toEqual([{ output: 'one' }]);
    const waiting = readChunks(id, `after=${first.next}&wait=20000`);
    await worker.stream(id, { output: 'two' });
    const second = await waiting;
    expect(second).toMatchObject({ index: 1, chunks: ['{"output":"two"}'] });
    const atEnd = readChunks(id, `after=${second.next}&wait=20000`);
    await worker.done(id, { output: null });
    expect(await atEnd).toMatchObject({ status: 'COMPLETED', index: 2, chunks: [] });
    expect(await stream()).toEqual([{ output: 'two' }]);
    expect((await readChunks(id, '')).chunks).toHaveLength(2);
  });

  test('begin anew for a job that was queued again', async () => {
    const { endpointId, id, worker } = await running();
    await worker.stream(id, { output: 'lost' });
    const { next } = await readChunks(id, 'wait=20000');
    await worker.done(id, { error: 'broken' });
    accepted(await engine.http.post(`/v2/${endpointId}/retry/${id}`));
    const again = await readChunks(id, `after=${next}&wait=20000`);
    expect(again).toMatchObject({ status: 'IN_QUEUE', retries: 1, index: 0, chunks: [] });
    await worker.take();
    await worker.stream(id, { output: 'new' });
    expect(await readChunks(id, `after=${again.next}&wait=20000`)).toMatchObject({
      retries: 1,
      index: 0,
      chunks: ['{"output":"new"}'],
    });
  });

  test('of no job are not there, and a place that nobody was told is refused', async () => {
    expect((await engine.http.get('/local/v1/jobs/nobody/chunks')).status).toBe(404);
    const { id } = await running();
    for (const query of ['after=1', 'after=0.1.x', 'wait=25001']) {
      expect((await engine.http.get(`/local/v1/jobs/${id}/chunks?${query}`)).status, query).toBe(400);
    }
  });
});
