/**
 * Endpoints and their workers in REST v2, every answer held against the published description and against the engine's
 * own document.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { whyNoV2Description } from '../../support/openapi/restV2.ts';
import { accepted, makeEndpoint, writeHandler } from '../../support/resources/resources.ts';
import { BASE, createRestV2Client, type RestV2Client } from '../../support/restV2/client.ts';
import { createMaker, CPU, idleEndpoint, QUEUE, type Made, type Maker } from '../../support/restV2/making.ts';
import { unanswered } from '../../support/restV2/operations.ts';
import { openEvents } from '../../support/logs/events.ts';
import { until } from '../../support/core/until.ts';

if (whyNoV2Description !== null) console.warn(`SKIPPED: ${whyNoV2Description}`);

let engine: TestEngine;
let client: RestV2Client;
let maker: Maker;
beforeAll(async () => {
  engine = await startEngine();
  client = await createRestV2Client(engine);
  maker = createMaker(client);
});
afterAll(async () => {
  await client.stop();
  await engine.close();
});

const make = (path: string, body: object) => maker.make(path, body);
const read = (path: string, id?: string) => maker.read(path, id);
const change = (path: string, id: string, body: object) => maker.change(path, id, body);
const remove = (path: string, id: string) => maker.remove(path, id);

let count = 0;
const name = (): string => `made ${++count}`;

describe('an endpoint', () => {
  test('holds what its workers are made of, runs jobs at the addresses it tells, and goes with its template', async () => {
    const image = await writeHandler(engine, { 'handler.mjs': 'export default ({ input }) => input.a + 1;\n' });
    const body = { name: name(), image, env: { TOKEN: 't' }, workers: { idleTimeout: 600 }, ...QUEUE, ...CPU };
    const endpoint = await make('/serverless', body);
    expect(endpoint).toMatchObject({
      image,
      env: { TOKEN: 't' },
      type: 'QUEUE',
      ports: [],
      createdAt: expect.any(String),
    });
    const { runSync } = endpoint['requestUrls'] as { runSync: string };
    expect(runSync).toBe(`${engine.address}/v2/${endpoint.id}/runsync`);
    expect(accepted(await engine.http.post(new URL(runSync).pathname, { input: { a: 1 } }))).toMatchObject({
      output: 2,
    });
    const { workers, summary } = (await read('/serverless/{id}/workers', endpoint.id)) as {
      workers: Made[];
      summary: { total: number };
    };
    expect([workers.length, summary.total]).toEqual([1, 1]);
    expect(workers[0]).toMatchObject({ image, isStale: false, version: 1, gpuCount: 0 });
    expect((await read('/serverless/{id}/releases', endpoint.id))['rollout']).toMatchObject({ percentOnLatest: 100 });
    const names = async (): Promise<string[]> =>
      ((await read('/templates'))['templates'] as Made[]).map((one) => String(one['image']));
    expect(await names()).not.toContain(image);
    await remove('/serverless', endpoint.id);
    const left = accepted(await engine.http.get('/v1/templates?includeEndpointBoundTemplates=true')) as Made[];
    expect(left.map((one) => one['imageName'])).not.toContain(image);
    expect(client.faults()).toEqual([]);
  });

  test('copies the template it is made from, with what is said beside it on top, variables one by one', async () => {
    const template = await make('/templates', {
      name: name(),
      image: 'me/image',
      env: { A: '1', B: '2' },
      disk: 33,
      args: 'one',
    });
    const endpoint = await make('/serverless', {
      name: name(),
      templateId: template.id,
      env: { B: '3' },
      workers: { max: 0 },
      ...QUEUE,
      ...CPU,
    });
    expect(endpoint).toMatchObject({ image: 'me/image', env: { A: '1', B: '3' }, disk: 33, args: 'one', version: 1 });
    await change('/templates', template.id, { disk: 44 });
    expect(await read('/serverless/{id}', endpoint.id)).toMatchObject({ disk: 33, version: 1 });
    await remove('/serverless', endpoint.id);
    expect((await read('/templates/{id}', template.id))['disk']).toBe(44);
    expect(client.faults()).toEqual([]);
  });

  test('of /v1 that shares its template is changed alone, and its template stays when it is deleted', async () => {
    const { endpoint, template } = await makeEndpoint(engine, {}, { endpoint: { workersMax: 0 } });
    const second = accepted(
      await engine.http.post('/v1/endpoints', { templateId: template.id, workersMax: 0 }),
    ) as Made;
    expect(await change('/serverless', endpoint.id, { env: { A: '1' } })).toMatchObject({
      env: { A: '1' },
      image: template.imageName,
      version: 2,
    });
    expect((await read('/serverless/{id}', second.id))['env']).toEqual({});
    const { endpoints } = (await read('/serverless')) as unknown as { endpoints: Made[] };
    expect(endpoints.map(({ id }) => id)).toEqual(expect.arrayContaining([endpoint.id, second.id]));
    await change('/serverless', endpoint.id, { env: { A: '2' } });
    await remove('/serverless', endpoint.id);
    await remove('/serverless', second.id);
    const templates = (await read('/templates'))['templates'] as Made[];
    expect(templates.filter(({ image }) => image === template.imageName).map(({ id }) => id)).toEqual([template.id]);
    expect(client.faults()).toEqual([]);
  });

  test('that cannot be made or changed leaves nothing behind', async () => {
    const before = accepted(await engine.http.get('/v1/templates?includeEndpointBoundTemplates=true')) as Made[];
    const answer = await client.ask('POST', '/serverless', { ...idleEndpoint(), workers: { min: 5, max: 1 } });
    expect(answer.status).toBe(400);
    expect(accepted(await engine.http.get('/v1/templates?includeEndpointBoundTemplates=true'))).toHaveLength(
      before.length,
    );
    const { id } = await make('/serverless', idleEndpoint());
    const half = { image: 'me/other', workers: { min: 5, max: 1 } };
    expect((await client.ask('PATCH', '/serverless/{id}', half, { params: { id } })).status).toBe(400);
    expect(await read('/serverless/{id}', id)).toMatchObject({ image: 'me/image', version: 1 });
    expect(client.faults()).toEqual([]);
  });

  test('names pools of GPUs, and types that are left out of them', async () => {
    const gpu = { pools: ['ADA_48_PRO'], excludedTypes: ['NVIDIA L40'], count: 2, allowedCudaVersions: ['12.8'] };
    const made = await make('/serverless', { name: name(), image: 'me/image', ...QUEUE, gpu, workers: { max: 0 } });
    expect(made['gpu']).toEqual({ ...gpu, minCudaVersion: null });
    expect(accepted(await engine.http.get(`/v1/endpoints/${made.id}`))).toMatchObject({
      gpuTypeIds: ['NVIDIA L40S', 'NVIDIA RTX 6000 Ada Generation'],
    });
    const floor = { gpu: { minCudaVersion: '12.1', allowedCudaVersions: [] } };
    expect((await change('/serverless', made.id, floor))['gpu']).toMatchObject({ ...gpu, ...floor.gpu });
    expect((await change('/serverless', made.id, { gpu: { minCudaVersion: '' } }))['gpu']).toMatchObject({
      minCudaVersion: null,
    });
    const other = await change('/serverless', made.id, { gpu: { pools: ['ADA_24'] } });
    expect(other['gpu']).toEqual({ pools: ['ADA_24'], count: 2, allowedCudaVersions: [], minCudaVersion: null });
    for (const body of [
      { ...CPU },
      { gpu: { pools: ['ADA_1000'] } },
      { gpu: { minCudaVersion: '12.1', allowedCudaVersions: ['12.8'] } },
    ]) {
      expect((await client.ask('PATCH', '/serverless/{id}', body, { params: { id: made.id } })).status).toBe(400);
    }
    const onCpu = await make('/serverless', { name: name(), image: 'me/image', ...QUEUE, ...CPU, workers: { max: 0 } });
    const both = await client.ask(
      'PATCH',
      '/serverless/{id}',
      { ...CPU, gpu: { count: 2 } },
      { params: { id: onCpu.id } },
    );
    expect([both.status, both.text]).toEqual([400, expect.stringContaining('either gpu or cpu')]);
    const alone = { gpu: { excludedTypes: ['NVIDIA L4'] } };
    expect((await client.ask('PATCH', '/serverless/{id}', alone, { params: { id: made.id } })).status).toBe(422);
    expect(client.faults()).toEqual([]);
  });

  test('that balances load tells where it does, and is scaled by requests alone', async () => {
    const body = { ...idleEndpoint(), type: 'LOAD_BALANCER' };
    const wrong = await client.ask('POST', '/serverless', body);
    expect([wrong.status, wrong.json]).toMatchObject([422, { errors: [expect.stringContaining('scaling')] }]);
    const scaling = { type: 'REQUEST_COUNT', requestCount: 3 };
    const made = await make('/serverless', { ...body, scaling, workers: { max: 0, idleTimeout: 60 } });
    expect(made).toMatchObject({
      scaling,
      workers: { min: 0, max: 0, idleTimeout: 60 },
      timeout: expect.any(Number),
      requestUrls: { base: `${engine.address}/lb/${made.id}/`, health: `${engine.address}/v2/${made.id}/health` },
    });
    const counted = { ...idleEndpoint(), scaling, workers: { max: 0, idleTimeout: 60 } };
    expect((await client.ask('POST', '/serverless', counted)).status).toBe(422);
    expect((await make('/serverless', { ...counted, workers: { max: 0 } }))['workers']).toEqual({ min: 0, max: 0 });
    expect(client.faults()).toEqual([]);
  });
});

describe('lines that a worker writes', () => {
  test('stream with the time of each as its id, from which a reader goes on without a line lost or told twice', async () => {
    const lines = ['one', 'two', 'three', 'four', 'five'];
    const handler = `export default () => { for (const line of ${JSON.stringify(lines)}) console.log(line); return 1; };\n`;
    const { endpoint } = await makeEndpoint(
      engine,
      { 'handler.mjs': handler },
      { endpoint: { workersMax: 1, idleTimeout: 600, computeType: 'CPU' } },
    );
    accepted(await engine.http.post(`/v2/${endpoint.id}/runsync`, { input: {} }));
    const { workers } = (await read('/serverless/{id}/workers', endpoint.id)) as unknown as { workers: Made[] };
    const workerId = workers[0]!.id;
    const at = `${BASE}/serverless/${endpoint.id}/workers/${workerId}/logs`;
    await until('all lines to be written', async () => {
      const { lines: written } = accepted(await engine.http.get(`/local/v1/logs?workerId=${workerId}`)) as {
        lines: { text: string }[];
      };
      return written.some(({ text }) => text === 'five');
    });
    const following = async (query: string, amount: number, headers = {}) => {
      await using events = await openEvents(engine, `${at}${query}`, headers);
      const lines: { id: string; line: string; source: string; ts: string }[] = [];
      while (lines.length < amount) {
        const { id, data } = await events.next();
        lines.push({ id, ...(JSON.parse(data) as { line: string; source: string; ts: string }) });
      }
      const answer = { status: events.status, headers: events.headers, text: '', json: '' };
      client.hold('GET', '/serverless/{id}/workers/{workerId}/logs', answer);
      return lines;
    };
    const all = await following('?source=container', 5);
    expect(all.map(({ line }) => line)).toEqual(lines);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ ts }) => ts));
    expect(new Set(all.map(({ ts }) => ts)).size).toBe(5);
    expect(all.every(({ ts, source }) => !Number.isNaN(Date.parse(ts)) && source === 'container')).toBe(true);
    expect((await following('?source=container&tail=2', 2)).map(({ line }) => line)).toEqual(['four', 'five']);
    const after = await following('?source=container&tail=0', 3, { 'last-event-id': all[1]!.id });
    expect(after.map(({ line }) => line)).toEqual(['three', 'four', 'five']);
    const since = await following(`?source=container&since=${encodeURIComponent(all[0]!.ts)}&tail=1`, 5);
    expect(since.map(({ line }) => line)).toEqual(lines);
    expect((await following('?source=system&tail=1000', 1))[0]!.source).toBe('system');
    const params = { id: endpoint.id, workerId: 'nobody' };
    const logs = '/serverless/{id}/workers/{workerId}/logs';
    expect((await client.ask('GET', logs, undefined, { params })).status).toBe(404);
    expect((await client.ask('GET', logs, undefined, { params, query: '?tail=6000' })).status).toBe(422);
    expect(client.faults()).toEqual([]);
  });
});

test('every operation on endpoints was answered with success', () => {
  expect(unanswered('endpoints', client.succeeded)).toEqual([]);
});
