/**
 * The fake of the remote service: keys, jobs, retention, rates, pages and faults as the service's public material has
 * them.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttp, type Http } from '../../support/http/client.ts';
import { RawJson, startRemote, type Remote } from '../../support/remote/remote.ts';
import { until } from '../../support/core/until.ts';

let remote: Remote;
let jobs: Http;
let v1: Http;
let v2: Http;
beforeAll(async () => {
  remote = await startRemote();
  jobs = createHttp(remote.v1.jobs, remote.key);
  v1 = createHttp(remote.v1.management, remote.key);
  v2 = createHttp(remote.v2.management, remote.key);
});
afterAll(async () => {
  for (const http of [jobs, v1, v2]) http.stop();
  await remote.stop();
});

test('a key that is missing or unknown is a 401, one without access a 403, each in the words of its area', async () => {
  const { id } = remote.addEndpoint({ name: 'keys' });
  const reading = { authorization: `Bearer ${remote.setKey('read')}` };
  const jobsOnly = { authorization: `Bearer ${remote.setKey('jobs')}` };
  expect((await jobs.get(`/v2/${id}/health`, { authorization: null })).status).toBe(401);
  expect((await v1.get('/v1/pods', { authorization: 'Bearer rpa_wrong' })).json).toEqual({
    message: 'invalid api key',
  });
  expect((await v2.get('/v2/pods', { authorization: 'Bearer rpa_wrong' })).json).toMatchObject({
    detail: 'invalid api key',
  });
  expect((await v2.get('/v2/pods', reading)).status).toBe(200);
  expect((await v2.send('DELETE', '/v2/pods/x', undefined, reading)).status).toBe(403);
  expect((await jobs.post(`/v2/${id}/run`, { input: {} }, reading)).status).toBe(403);
  expect((await v1.get('/v1/pods', jobsOnly)).status).toBe(403);
  expect((await jobs.get(`/v2/${id}/health`, { authorization: jobsOnly.authorization.slice(7) })).status).toBe(200);
});

test('a job is queued, streams what is read once, and keeps what its worker wrote to the letter', async () => {
  const big = '{"n":12345678901234567890,"n2":1.10}';
  const { id } = remote.addEndpoint({ name: 'stream' }, ({ chunk, inputText }) => {
    chunk(new RawJson(big));
    return new RawJson(inputText);
  });
  const run = await jobs.post(`/v2/${id}/run`, '{"input": {"a": 10000000000000000001}}');
  expect(run.json).toEqual({ id: expect.stringMatching(/^[\w-]+-u1$/) as string, status: 'IN_QUEUE' });
  const job = (run.json as { id: string }).id;
  const sync = await jobs.get(`/v2/${id}/status-sync/${job}`);
  expect(sync.text).toContain('"output":{"a": 10000000000000000001}');
  expect((await jobs.get(`/v2/${id}/stream/${job}`)).text).toBe(`{"status":"COMPLETED","stream":[{"output":${big}}]}`);
  expect((await jobs.get(`/v2/${id}/stream/${job}`)).text).toBe('{"status":"COMPLETED","stream":[]}');
});

test('a runsync whose wait runs out answers 200 with the job as it is, and is gone a while after its end', async () => {
  const { id } = remote.addEndpoint({ name: 'sync' }, null);
  const answer = await jobs.post(`/v2/${id}/runsync?wait=1000`, { input: {} });
  const job = (answer.json as { id: string }).id;
  expect(answer.json).toEqual({ id: job, status: 'IN_QUEUE' });
  expect(job).toMatch(/^sync-/);
  remote.jobs.serve(id, () => 'done');
  expect((await jobs.get(`/v2/${id}/status-sync/${job}`)).json).toMatchObject({ status: 'COMPLETED', output: 'done' });
  remote.advance(5 * 60_000);
  expect((await jobs.get(`/v2/${id}/status/${job}`)).status).toBe(404);
});

test('cancel, retry and purge do what they say', async () => {
  const { id } = remote.addEndpoint({ name: 'ends' }, null);
  const submit = async (): Promise<string> =>
    ((await jobs.post(`/v2/${id}/run`, { input: {} })).json as { id: string }).id;
  const first = await submit();
  await submit();
  expect((await jobs.post(`/v2/${id}/cancel/${first}`)).json).toEqual({ id: first, status: 'CANCELLED' });
  expect((await jobs.post(`/v2/${id}/retry/${first}`)).status).toBe(400);
  expect((await jobs.post(`/v2/${id}/purge-queue`)).json).toEqual({ removed: 1, status: 'completed' });
  remote.jobs.serve(id, () => {
    throw new Error('no luck');
  });
  const failing = await submit();
  expect((await jobs.get(`/v2/${id}/status-sync/${failing}`)).json).toMatchObject({
    status: 'FAILED',
    error: 'no luck',
  });
  remote.jobs.serve(id, () => 'luck');
  expect((await jobs.post(`/v2/${id}/retry/${failing}`)).json).toEqual({ id: failing, status: 'IN_QUEUE' });
  expect((await jobs.get(`/v2/${id}/status-sync/${failing}`)).json).toMatchObject({ status: 'COMPLETED' });
  expect((await jobs.get(`/v2/${id}/health`)).json).toMatchObject({ jobs: { completed: 1, failed: 1, inQueue: 0 } });
});

test('more than the rate allows is a 429 that says when to come back', async () => {
  // Of its own: its clock stands still, so that a slow machine does not leave the window meanwhile.
  await using counting = await startRemote();
  counting.hold();
  const { id } = counting.addEndpoint({ name: 'rates' });
  const client = createHttp(counting.v1.jobs, counting.key);
  const management = createHttp(counting.v2.management, counting.key);
  counting.rates.setJobs('run', 1);
  expect((await client.post(`/v2/${id}/run`, { input: {} })).status).toBe(200);
  const refused = await client.post(`/v2/${id}/run`, { input: {} });
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10']);
  counting.advance(10_001);
  expect((await client.post(`/v2/${id}/run`, { input: {} })).status).toBe(200);
  counting.rates.setMinute(0);
  const slowed = await management.get('/v2/pods');
  expect(slowed.status).toBe(429);
  expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0);
  for (const http of [client, management]) http.stop();
});

test('lists of REST v2 come in pages, those of v1 bare and with names of their own', async () => {
  for (const name of ['a', 'b', 'c']) remote.addPod({ name, image: 'example/pod:1' });
  const first = (await v2.get('/v2/pods?limit=2')).json as { pods: object[]; pagination: { nextCursor: string } };
  expect(first.pods).toHaveLength(2);
  const rest = (await v2.get(`/v2/pods?limit=2&cursor=${first.pagination.nextCursor}`)).json;
  expect(rest).toMatchObject({ pods: [{ name: 'c' }], pagination: { hasNextPage: false } });
  const [pod] = (await v1.get('/v1/pods')).json as Record<string, unknown>[];
  expect(pod).toMatchObject({ imageName: 'example/pod:1', machine: {}, desiredStatus: 'RUNNING' });
  expect(pod).not.toHaveProperty('image');
});

test('logs are events that go on, and are taken up again behind the last one that was read', async () => {
  const pod = remote.addPod({ name: 'logs' });
  remote.write(pod.id, 'one', 'two');
  async function read(lastId: string | null, lines: number): Promise<string[]> {
    const leave = new AbortController();
    const answer = await fetch(`${remote.v2.management}/v2/pods/${pod.id}/logs`, {
      headers: { authorization: `Bearer ${remote.key}`, ...(lastId !== null && { 'last-event-id': lastId }) },
      signal: leave.signal,
    });
    let text = '';
    for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (text.split('\n\n').length > lines) break;
    }
    leave.abort();
    return text.trimEnd().split('\n\n');
  }
  const [first] = await read(null, 2);
  expect(first).toMatch(/^id: \S+\ndata: \{"ts":"\S+","source":"container","line":"one"\}$/);
  remote.write(pod.id, 'three');
  const [second] = await read(/^id: (.+)$/m.exec(first!)![1]!, 2);
  expect(second).toContain('"line":"two"');
});

test('GraphQL executes what it is asked, and tells errors with HTTP 200', async () => {
  const query = '{ myself { email clientBalance pods { name kind: desiredStatus machine { podHostId } } } }';
  const answer = await v2.post('/graphql', { query });
  expect(answer.json).toMatchObject({ data: { myself: { clientBalance: 42.5 } } });
  const failing = await v2.post('/graphql', { query: 'mutation { podStop(input: { podId: "nobody" }) { id } }' });
  expect([failing.status, failing.json]).toMatchObject([
    200,
    { errors: [{ message: 'pod not found' }], data: { podStop: null } },
  ]);
  expect((await v2.post('/graphql', { query: '{ nothing }' })).status).toBe(400);
  const inAddress = await v2.post(`/graphql?api_key=${remote.key}`, { query }, { authorization: null });
  expect(inAddress.status).toBe(200);
});

test('it breaks on demand: before, after or in the middle of an answer, for as often as was said, or goes offline', async () => {
  // Of its own: what listens again is another listener than before.
  await using breaking = await startRemote();
  const client = createHttp(breaking.v1.jobs, breaking.key);
  const { id } = breaking.addEndpoint({ name: 'faults' }, null);
  const waiting = async (): Promise<number> => {
    const { inQueue } = ((await client.get(`/v2/${id}/health`)).json as { jobs: { inQueue: number } }).jobs;
    return inQueue;
  };
  breaking.fault({ area: 'jobs', path: /run$/, times: 1, as: 'drop' });
  await expect(client.post(`/v2/${id}/run`, { input: {} })).rejects.toThrow();
  expect(await waiting()).toBe(0);
  breaking.fault({ area: 'jobs', path: /run$/, times: 1, as: 'lost' });
  await expect(client.post(`/v2/${id}/run`, { input: {} })).rejects.toThrow();
  await until('the job whose answer was lost', () => waiting(), 1);
  breaking.fault({ path: /health$/, times: 1, as: 'cut' });
  await expect(waiting()).rejects.toThrow();
  breaking.fault({ path: /health$/, times: 1, as: { status: 502, text: '<html>', type: 'text/html' } });
  expect((await client.get(`/v2/${id}/health`)).status).toBe(502);
  expect(await waiting()).toBe(1);
  await breaking.goOffline();
  await expect(waiting()).rejects.toThrow('ECONNREFUSED');
  await breaking.goOnline();
  expect(await waiting()).toBe(1);
  client.stop();
});
