/**
 * REST v2 as the engine serves it, every answer held against the published description and against the engine's own
 * document. Pods that run are in containers/restV2Pods.spec.ts.
 */
import { delimiter } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { createGpuPrograms, gpuFixture, idleDesktopReport, type GpuPrograms } from '../../support/gpus/programs.ts';
import { whyNoV2Description } from '../../support/openapi/restV2.ts';
import { accepted } from '../../support/resources/resources.ts';
import { BASE, createRestV2Client, type RestV2Client } from '../../support/restV2/client.ts';
import { createMaker, CPU, idleEndpoint, QUEUE, type Made, type Maker } from '../../support/restV2/making.ts';
import { operations, unanswered } from '../../support/restV2/operations.ts';
import { until } from '../../support/core/until.ts';
import { needsPosix } from '../../support/core/skip.ts';
import { messageOf } from '../../support/http/client.ts';

if (whyNoV2Description !== null) console.warn(`SKIPPED: ${whyNoV2Description}`);

let programs: GpuPrograms;
let engine: TestEngine;
let client: RestV2Client;
let maker: Maker;
beforeAll(async () => {
  programs = createGpuPrograms('nvidia-smi');
  programs.says('table', gpuFixture('desktop535.csv'));
  programs.says('report', idleDesktopReport());
  const path = [programs.folder, process.env['PATH']].join(delimiter);
  engine = await startEngine({ env: { PATH: path } });
  client = await createRestV2Client(engine);
  maker = createMaker(client);
});
afterAll(async () => {
  await client.stop();
  await engine.close();
  programs.remove();
});

const make = (path: string, body: object) => maker.make(path, body);
const read = (path: string, id?: string, query?: string) => maker.read(path, id, query);
const change = (path: string, id: string, body: object) => maker.change(path, id, body);
const remove = (path: string, id: string) => maker.remove(path, id);

const PROBLEM = /^application\/problem\+json(;|$)/;

let count = 0;
const name = (): string => `made ${++count}`;

test('every operation of the description is in the list of what is served and what is refused', ({ skip }) => {
  const { description } = client;
  if (description === null) return skip(whyNoV2Description ?? '');
  const described = description.operations.map((one) => one.replace(' /v2/', ' /'));
  expect(Object.keys(operations).sort()).toEqual(described.sort());
});

test.each(Object.entries(operations).filter(([, is]) => is !== 'served'))(
  '%s has no meaning on one machine and is refused with a sentence',
  async (operation, words) => {
    const [method = '', path = ''] = operation.split(' ');
    const answer = await client.ask(method, path, method === 'POST' ? {} : undefined);
    expect(answer.status).toBe(501);
    expect(answer.headers['content-type']).toMatch(PROBLEM);
    expect(answer.json).toMatchObject({ title: 'Not Implemented', status: 501, detail: expect.stringMatching(words) });
    expect((await client.ask(method, path, undefined, { authorization: null })).status).toBe(401);
    expect(client.faults()).toEqual([]);
  },
);

describe('templates, volumes, registries and SSH keys', () => {
  test('are made, told, changed and deleted as the description has them', async () => {
    const places: [path: string, body: () => object, change: object | null][] = [
      ['/templates', () => ({ name: name(), image: 'me/image' }), { env: { A: '1' }, mounts: {} }],
      ['/network-volumes', () => ({ name: name(), size: 20, dataCenter: 'EU-RO-1' }), { size: 30 }],
      ['/registries', () => ({ name: name(), username: 'u', password: 'p' }), null],
    ];
    for (const [path, body, changes] of places) {
      const { id } = await make(path, body());
      const list = Object.values(await read(path))[0] as Made[];
      expect(list.map((one) => one.id)).toContain(id);
      if (changes) await change(path, id, changes);
      expect((await read(`${path}/{id}`, id))['id']).toBe(id);
      await remove(path, id);
      expect((await client.ask('GET', `${path}/{id}`, undefined, { params: { id } })).status).toBe(404);
      expect((await client.ask('DELETE', `${path}/{id}`, undefined, { params: { id } })).status).toBe(404);
    }
    const keys = ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me@here', 'ssh-rsa AAAAB3Nza'];
    expect(await client.made(200, 'PUT', '/account/ssh-keys', { keys })).toEqual({ keys });
    expect(await read('/account/ssh-keys')).toEqual({ keys });
    expect(await client.made(200, 'PUT', '/account/ssh-keys', { keys: [] })).toEqual({ keys: [] });
    expect(client.faults()).toEqual([]);
  });

  test('a template has all that was said of it, and /v1 tells of the same one', async () => {
    const registry = await make('/registries', { name: name(), username: 'u', password: 'p' });
    const body = {
      name: name(),
      image: 'me/image:2',
      args: "serve --name 'two words'",
      disk: 30,
      env: { A: '1' },
      ports: ['8000/http'],
      registry: registry.id,
      category: 'CPU',
      public: false,
      serverless: true,
      mounts: { persistent: { size: 40, path: '/data' } },
      startSsh: false,
      startJupyter: false,
      allowedCudaVersions: ['12.8'],
    };
    const template = await make('/templates', body);
    expect(template).toMatchObject(body);
    expect(template).toMatchObject({ cmd: ['serve', '--name', 'two words'], entrypoint: [] });
    const v1 = accepted(await engine.http.get(`/v1/templates/${template.id}`));
    expect(v1).toMatchObject({
      imageName: 'me/image:2',
      dockerStartCmd: ['serve', '--name', 'two words'],
      volumeInGb: 40,
      volumeMountPath: '/data',
      containerRegistryAuthId: registry.id,
      isServerless: true,
      env: { A: '1' },
    });
    expect(Object.keys(v1 as object)).not.toContain('startSsh');
    const inUse = await client.ask('DELETE', '/registries/{id}', undefined, { params: { id: registry.id } });
    expect([inUse.status, (inUse.json as { detail: string }).detail]).toEqual([
      400,
      expect.stringContaining(`the template ${JSON.stringify(body.name)}`),
    ]);
    expect(await change('/templates', template.id, { registry: null, args: '' })).toMatchObject({
      registry: null,
      args: '',
      cmd: [],
    });
    expect(client.faults()).toEqual([]);
  });
});

test('what only REST v2 says of a template, and whose it is, outlives the engine', async () => {
  await using own = await startEngine();
  const ask = async (method: string, path: string, body?: object): Promise<Made> => {
    const answer = await own.http.send(method, path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return (answer.text === '' ? {} : answer.json) as Made;
  };
  const extras = { startSsh: false, startJupyter: false, allowedCudaVersions: ['12.8'] };
  const template = await ask('POST', `${BASE}/templates`, { name: name(), image: 'me/image', ...extras });
  const endpoint = await ask('POST', `${BASE}/serverless`, idleEndpoint());
  await own.stop();
  await own.restart();
  expect(await ask('GET', `${BASE}/templates/${template.id}`)).toMatchObject(extras);
  await ask('DELETE', `${BASE}/serverless/${endpoint.id}`);
  const left = (await ask('GET', '/v1/templates?includeEndpointBoundTemplates=true')) as unknown as Made[];
  expect(left.map(({ id }) => id)).toEqual([template.id]);
});

// A program with the name of nvidia-smi is started by its shebang, which Windows does not know.
describe('the catalogue', needsPosix, () => {
  test('lists the GPUs of this machine in their pools, its processor, and the machine as the one data center', async () => {
    await until('the GPUs to be measured', async () => ((await read('/catalog/gpus'))['gpus'] as Made[]).length > 0);
    const { gpus } = (await read('/catalog/gpus')) as unknown as { gpus: Made[] };
    const [gpu] = gpus;
    expect(await read('/catalog/gpus/{id}', gpu!.id)).toEqual(gpu);
    expect(gpu).toMatchObject({
      id: 'NVIDIA GeForce RTX 4090',
      pool: 'ADA_24',
      secure: true,
      community: false,
      manufacturer: 'NVIDIA',
    });
    expect(gpu).not.toHaveProperty('availability');
    const stock = '?include=AVAILABILITY&product=POD,SERVERLESS';
    expect(await read('/catalog/gpus/{id}', gpu!.id, stock)).toMatchObject({
      availability: 'HIGH',
      dataCenters: [{ id: 'LOCAL-1', availability: 'HIGH' }],
    });
    expect((await read('/catalog/gpus/{id}', gpu!.id, `${stock}&count=60`))['availability']).toBe('NONE');
    const { cpus } = (await read('/catalog/cpus', '', '?include=AVAILABILITY&product=POD')) as unknown as {
      cpus: Made[];
    };
    expect(cpus).toMatchObject([{ id: 'CPU', availability: 'HIGH' }]);
    expect(await read('/catalog/cpus/{id}', 'CPU')).toMatchObject({ id: 'CPU' });
    expect(await read('/catalog/datacenters', '', '?include=GPU_AVAILABILITY,CPU_AVAILABILITY')).toMatchObject({
      dataCenters: [
        { id: 'LOCAL-1', cpuAvailability: [{ id: 'CPU' }], gpuAvailability: gpus.map(({ id }) => ({ id })) },
      ],
    });
    expect(await read('/catalog/datacenters/{id}', 'LOCAL-1')).toMatchObject({ id: 'LOCAL-1' });
    expect(await read('/catalog/templates')).toEqual({ templates: [] });
    for (const [path, query, status] of [
      ['/catalog/gpus', '?include=AVAILABILITY', 400],
      ['/catalog/gpus', '?product=POD', 400],
      ['/catalog/gpus', '?include=AVAILABILITY&product=MOON', 422],
      ['/catalog/gpus/{id}', '', 404],
      ['/catalog/cpus/{id}', '', 404],
      ['/catalog/datacenters/{id}', '', 404],
    ] as const) {
      expect([path, query, (await client.ask('GET', path, undefined, { query })).status]).toEqual([
        path,
        query,
        status,
      ]);
    }
    // What the catalogue lists can be named: as a pool by an endpoint.
    const body = { name: name(), image: 'me/image', ...QUEUE, workers: { max: 0 }, gpu: { pools: [gpu!['pool']] } };
    expect((await make('/serverless', body))['gpu']).toMatchObject({ pools: [gpu!['pool']] });
    expect(client.faults()).toEqual([]);
  });
});

test('billing tells the period it is of in whole buckets, and sums of all records', async () => {
  for (const what of ['', '/pods', '/serverless', '/endpoints', '/network-volumes', '/clusters']) {
    const path = `/billing${what}`;
    const query = '?startTime=2026-03-05T10:30:00Z&endTime=2026-04-02T01:00:00Z&bucketSize=month';
    const { metadata } = (await read(path, '', query)) as unknown as {
      metadata: { query: object; recordCount: number };
    };
    expect(metadata.query).toMatchObject({
      startTime: '2026-03-01T00:00:00.000Z',
      endTime: '2026-05-01T00:00:00.000Z',
      bucketSize: 'month',
    });
    const last = (await read(path, '', '?lastN=3&bucketSize=hour')) as unknown as {
      metadata: { query: { startTime: string; endTime: string } };
    };
    const { startTime, endTime } = last.metadata.query;
    expect(Date.parse(endTime) - Date.parse(startTime)).toBe(3 * 3_600_000);
    for (const [wrong, status] of [
      ['?lastN=3&startTime=2026-03-05T10:30:00Z', 400],
      ['?startTime=2026-03-05T10:30:00Z&endTime=2026-03-01T10:30:00Z', 400],
      ['?bucketSize=second', 422],
      ['?lastN=0', 422],
    ] as const) {
      expect([wrong, (await client.ask('GET', path, undefined, { query: wrong })).status]).toEqual([wrong, status]);
    }
  }
  expect(client.faults()).toEqual([]);
});

describe('lists', () => {
  test('come in pages that leave nothing out when a record is deleted between two of them', async () => {
    const made: string[] = [];
    for (let one = 0; one < 5; one++)
      made.push((await make('/registries', { name: name(), username: 'u', password: 'p' })).id);
    interface Page {
      registries: Made[];
      pagination: { nextCursor: string | null; hasNextPage: boolean };
    }
    const page = async (query: string) => (await read('/registries', '', query)) as unknown as Page;
    const whole = await page('');
    expect(whole.pagination).toEqual({ nextCursor: null, hasNextPage: false });
    const order = whole.registries.map(({ id }) => id);
    const first = await page('?limit=2');
    expect(first.registries.map(({ id }) => id)).toEqual(order.slice(0, 2));
    await remove('/registries', order[1]!);
    const seen = [...first.registries];
    for (let { nextCursor } = first.pagination; nextCursor !== null;) {
      const next = await page(`?limit=2&cursor=${encodeURIComponent(nextCursor)}`);
      seen.push(...next.registries);
      ({ nextCursor } = next.pagination);
    }
    expect(seen.map(({ id }) => id)).toEqual(order);
    for (const query of ['?limit=0', '?limit=many', '?cursor=nonsense']) {
      expect([query, (await client.ask('GET', '/registries', undefined, { query })).status]).toEqual([query, 422]);
    }
    for (const [path, list] of [
      ['/pods', 'pods'],
      ['/serverless', 'endpoints'],
      ['/templates', 'templates'],
      ['/network-volumes', 'networkVolumes'],
      ['/clusters', 'clusters'],
      ['/registries/delegations', 'delegations'],
    ] as const) {
      expect(Object.keys(await read(path, '', '?unknown=ignored'))).toContain(list);
    }
    expect(client.faults()).toEqual([]);
  });
});

describe('what is wrong', () => {
  test('is told as problem details that name every field, unknown ones as well', async () => {
    const body = { ...idleEndpoint(), imageName: 'x', workers: { max: -1, most: 2 }, name: 5 };
    const answer = await client.ask('POST', '/serverless', body);
    expect(answer.headers['content-type']).toMatch(PROBLEM);
    expect(answer.json).toEqual({
      title: 'Unprocessable Entity',
      status: 422,
      detail: expect.stringContaining('imageName'),
      errors: expect.arrayContaining([
        'unexpected property: imageName',
        'unexpected property: workers.most',
        expect.stringMatching(/^workers\.max must be/),
        expect.stringMatching(/^name must be/),
      ]),
    });
    expect(client.faults()).toEqual([]);
  });

  test.each<[string, string, object | undefined, number]>([
    ['POST', '/pods', { name: 'x', image: 'y' }, 400],
    ['POST', '/pods', { name: 'x', cpu: { id: 'cpu3c', vcpuCount: 2 } }, 422],
    ['POST', '/pods', { name: 'x', image: 'y', cpu: { id: 'cpu3c', vcpuCount: 3 } }, 422],
    ['POST', '/pods', { name: 'x', templateId: 'nobody', cpu: { id: 'cpu3c', vcpuCount: 2 } }, 404],
    ['POST', '/serverless', { name: 'x', ...QUEUE, ...CPU }, 422],
    ['POST', '/serverless', { name: 'x', image: 'y', ...QUEUE }, 400],
    ['POST', '/serverless', { name: 'x', ...QUEUE, ...CPU, templateId: 'nobody' }, 404],
    ['POST', '/templates', { name: 'x', image: 'y', args: 'a', cmd: ['a'] }, 422],
    ['POST', '/network-volumes', { name: 'x', size: 5, dataCenter: 'EU-RO-1' }, 422],
    ['PATCH', '/network-volumes/{id}', {}, 422],
    ['PUT', '/account/ssh-keys', { keys: ['no key'] }, 422],
    ['PATCH', '/pods/{id}', { name: 'y' }, 404],
    ['POST', '/pods/{id}/action', { action: 'stop' }, 404],
    ['POST', '/pods/{id}/action', { action: 'reset' }, 422],
    ['GET', '/serverless/{id}/workers', undefined, 404],
    ['GET', '/serverless/{id}/releases', undefined, 404],
  ])('%s %s with %j is a %i', async (method, path, body, status) => {
    const answer = await client.ask(method, path, body);
    expect([answer.status, answer.headers['content-type']]).toEqual([status, expect.stringMatching(PROBLEM)]);
    expect(answer.json).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) });
    expect(client.faults()).toEqual([]);
  });

  test('is told in the same shape where no operation is met, and a wrong method names the right ones', async () => {
    for (const [method, path, status, allow] of [
      ['GET', '/nothing', 404, undefined],
      ['PUT', '/pods', 405, 'GET, POST'],
      ['PATCH', '/registries/any', 405, 'GET, DELETE'],
    ] as const) {
      const { status: answered, headers, json } = await engine.http.send(method, `${BASE}${path}`);
      expect([answered, headers['content-type'], headers['allow']]).toEqual([
        status,
        expect.stringMatching(PROBLEM),
        allow,
      ]);
      expect(json).toMatchObject({ status, detail: expect.any(String) });
    }
    const broken = await engine.http.post(`${BASE}/templates`, '{"name":');
    expect([broken.status, broken.headers['content-type']]).toEqual([400, expect.stringMatching(PROBLEM)]);
    const foreign = await engine.http.get(`${BASE}/pods`, { headers: { host: 'evil.example' } });
    expect([foreign.status, foreign.headers['content-type']]).toEqual([403, expect.stringMatching(PROBLEM)]);
  });

  test('is the base address of whoever asks for REST v2 below the jobs, who is told the right one', async () => {
    const nouns = new Set(Object.keys(operations).map((one) => /\/([^/]+)/.exec(one)![1]!));
    expect(nouns.size).toBe(9);
    for (const noun of nouns) {
      const answer = await engine.http.get(`/v2/${noun}`);
      expect([answer.status, messageOf(answer)]).toEqual([404, expect.stringContaining(`${BASE}/${noun}`)]);
    }
    expect((await engine.http.get('/v2/nobody/status/x')).text).not.toContain(BASE);
  });
});

test('a key that may only read is told everything and changes nothing', async () => {
  const { key } = accepted(await engine.http.post('/local/v1/api-keys', { name: 'reader', scope: 'read' })) as {
    key: string;
  };
  for (const [operation, is] of Object.entries(operations)) {
    const [method = '', path = ''] = operation.split(' ');
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    const { status } = await client.ask(method, path, body, { authorization: key });
    const may = method === 'GET';
    expect([operation, status === 403]).toEqual([operation, !may]);
    if (may && is === 'served') expect([operation, status]).toEqual([operation, path.includes('{') ? 404 : 200]);
    expect((await client.ask(method, path, undefined, { authorization: null })).status).toBe(401);
  }
  expect(client.faults()).toEqual([]);
});

test('every example of a body that the description has can be sent as it is', async ({ skip }) => {
  const { description } = client;
  if (description === null) return skip(whyNoV2Description ?? '');
  const endpoint = await make('/serverless', idleEndpoint());
  const volume = await make('/network-volumes', { name: name(), size: 20, dataCenter: 'EU-RO-1' });
  const template = await make('/templates', { name: name(), image: 'me/image' });
  const ids: Record<string, string> = { serverless: endpoint.id, 'network-volumes': volume.id, templates: template.id };
  let sent = 0;
  for (const { operation, name: example, body } of description.examples) {
    const [method = '', path = ''] = operation.replace(' /v2/', ' /').split(' ');
    // Pods are made where there are containers.
    if (path.startsWith('/pods')) continue;
    const { status } = await client.ask(method, path, body, { params: { id: ids[path.split('/')[1]!] ?? '' } });
    expect([operation, example, status]).toEqual([operation, example, method === 'POST' ? 201 : 200]);
    sent += 1;
  }
  expect(sent).toBeGreaterThan(5);
  expect(client.faults()).toEqual([]);
});

test('every operation on these was answered with success', () => {
  expect(unanswered('resources', client.succeeded)).toEqual([]);
});
