import { describe, expect, test } from 'vitest';
import { jobChunksSchema, jobFeedSchema, type JobChunks, type JobFeed } from '#contract/local/jobFeed.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { createHttp } from '../../support/http/client.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';

const read = async (engine: TestEngine, query: string): Promise<JobFeed> =>
  jobFeedSchema.parse(accepted(await engine.http.get(`/local/v1/jobs?${query}`)));

test('every job is told with who sent it, its request and its result, also after a restart', async () => {
  await using engine = await startEngine();
  const { id: endpointId } = await makeIdleEndpoint(engine);
  const { key } = accepted(await engine.http.post('/local/v1/api-keys', { name: 'trainer', scope: 'jobs' })) as {
    key: string;
  };
  const script = createHttp(engine.address, key);
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
  const worker = createOutsideWorker(engine, endpointId);
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
  const feed = await read(engine, 'reader=a-reader');
  expect(feed.jobs).toMatchObject([wanted]);
  expect((await read(engine, `reader=a-reader&after=${feed.number}`)).jobs).toEqual([]);
  await engine.stop();
  await engine.restart();
  expect((await read(engine, `reader=a-reader&after=${feed.number}`)).jobs).toMatchObject([wanted]);
});

test('a request is held until a job changes, and a reader who goes away holds nothing', async () => {
  await using engine = await startEngine();
  const jobs = jobsOf(engine, (await makeIdleEndpoint(engine)).id);
  const waiting = read(engine, 'reader=a-reader&wait=20000');
  const id = await jobs.run({});
  expect((await waiting).jobs).toMatchObject([{ id, status: 'IN_QUEUE' }]);
  const leaving = new AbortController();
  const left = fetch(`${engine.address}/local/v1/jobs?reader=a-reader&after=1&wait=20000`, {
    headers: { authorization: `Bearer ${engine.key}` },
    signal: leaving.signal,
  });
  leaving.abort();
  await expect(left).rejects.toThrow();
  await jobs.cancel(id);
  expect((await read(engine, 'reader=a-reader&after=1&wait=20000')).jobs).toMatchObject([{ id, status: 'CANCELLED' }]);
});

test('a large request is told by its size, and read by itself', async () => {
  await using engine = await startEngine();
  const jobs = jobsOf(engine, (await makeIdleEndpoint(engine)).id);
  const input = { text: 'x'.repeat(600_000) };
  const id = await jobs.run(input);
  const [note] = (await read(engine, 'reader=a-reader')).jobs;
  expect(note).toMatchObject({ id, body: null });
  expect(note?.bodyBytes).toBeGreaterThan(600_000);
  expect(accepted(await engine.http.get(`/local/v1/jobs/${id}/request`))).toEqual({ input });
  expect((await engine.http.get('/local/v1/jobs/nobody/request')).status).toBe(404);
});

test('a reader names itself with eight characters or more, and waits no longer than the engine holds an answer', async () => {
  await using engine = await startEngine();
  for (const query of ['', 'reader=short', 'reader=a-reader&after=-1', 'reader=a-reader&wait=25001']) {
    expect((await engine.http.get(`/local/v1/jobs?${query}`)).status, query).toBe(400);
  }
});

const readChunks = async (engine: TestEngine, id: string, query: string): Promise<JobChunks> =>
  jobChunksSchema.parse(accepted(await engine.http.get(`/local/v1/jobs/${id}/chunks?${query}`)));

describe('the chunks of a job that runs', () => {
  async function running(engine: TestEngine) {
    const { id: endpointId } = await makeIdleEndpoint(engine);
    const jobs = jobsOf(engine, endpointId);
    const id = await jobs.run({});
    const worker = createOutsideWorker(engine, endpointId);
    await worker.take();
    return { endpointId, id, worker };
  }

  test('come to each reader from its own place on, and the script still gets each of them once', async () => {
    await using engine = await startEngine();
    const { endpointId, id, worker } = await running(engine);
    const stream = async () => accepted(await engine.http.get(`/v2/${endpointId}/stream/${id}?wait=1000`));
    await worker.stream(id, { output: 'one' });
    const first = await readChunks(engine, id, 'wait=20000');
    expect(first).toMatchObject({ status: 'IN_PROGRESS', retries: 0, index: 0, chunks: ['{"output":"one"}'] });
    expect(await stream()).toEqual([{ output: 'one' }]);
    const waiting = readChunks(engine, id, `after=${first.next}&wait=20000`);
    await worker.stream(id, { output: 'two' });
    const second = await waiting;
    expect(second).toMatchObject({ index: 1, chunks: ['{"output":"two"}'] });
    const atEnd = readChunks(engine, id, `after=${second.next}&wait=20000`);
    await worker.done(id, { output: null });
    expect(await atEnd).toMatchObject({ status: 'COMPLETED', index: 2, chunks: [] });
    expect(await stream()).toEqual([{ output: 'two' }]);
    expect((await readChunks(engine, id, '')).chunks).toHaveLength(2);
  });

  test('begin anew for a job that was queued again', async () => {
    await using engine = await startEngine();
    const { endpointId, id, worker } = await running(engine);
    await worker.stream(id, { output: 'lost' });
    const { next } = await readChunks(engine, id, 'wait=20000');
    await worker.done(id, { error: 'broken' });
    accepted(await engine.http.post(`/v2/${endpointId}/retry/${id}`));
    const again = await readChunks(engine, id, `after=${next}&wait=20000`);
    expect(again).toMatchObject({ status: 'IN_QUEUE', retries: 1, index: 0, chunks: [] });
    await worker.take();
    await worker.stream(id, { output: 'new' });
    expect(await readChunks(engine, id, `after=${again.next}&wait=20000`)).toMatchObject({
      retries: 1,
      index: 0,
      chunks: ['{"output":"new"}'],
    });
  });

  test('of no job are not there, and a place that nobody was told is refused', async () => {
    await using engine = await startEngine();
    expect((await engine.http.get('/local/v1/jobs/nobody/chunks')).status).toBe(404);
    const { id } = await running(engine);
    for (const query of ['after=1', 'after=0.1.x', 'wait=25001']) {
      expect((await engine.http.get(`/local/v1/jobs/${id}/chunks?${query}`)).status, query).toBe(400);
    }
  });
});
