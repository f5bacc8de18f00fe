/**
 * Templates, endpoints, volumes and registry auths under /v1, with the fields, defaults, filters and refusals of the
 * description.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloudDataCenters } from '#contract/core/cloudNames.ts';
import { limits } from '#contract/core/limits.ts';
import {
  endpointAnswerSchema,
  templateAnswerSchema,
  type EndpointAnswer,
  type TemplateAnswer,
} from '#contract/api/resourceAnswers.ts';
import { volumeSchema, type NetworkVolume } from '#contract/api/resources.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { messageOf } from '../../support/http/client.ts';
import { accepted } from '../../support/resources/resources.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const get = async (path: string): Promise<unknown> => accepted(await engine.http.get(path));
const patch = (path: string, body: unknown) => engine.http.send('PATCH', path, body as object);

let made = 0;
const makeTemplate = async (fields: object = {}): Promise<TemplateAnswer> =>
  templateAnswerSchema.parse(
    accepted(
      await engine.http.post('/v1/templates', { name: `template ${++made}`, imageName: 'me/image:1', ...fields }),
    ),
  );
async function makeEndpoint(fields: object = {}): Promise<EndpointAnswer> {
  const { id: templateId } = await makeTemplate({ env: { KEY: 'value' } });
  const body = { templateId, workersMax: 0, ...fields };
  return endpointAnswerSchema.parse(accepted(await engine.http.post('/v1/endpoints', body)));
}
const makeVolume = async (fields: object = {}): Promise<NetworkVolume> =>
  volumeSchema.parse(
    accepted(
      await engine.http.post('/v1/networkvolumes', { name: 'data', size: 20, dataCenterId: 'EU-RO-1', ...fields }),
    ),
  );

describe('templates', () => {
  test('a template of a name and an image has every default of the description', async () => {
    const template = await makeTemplate();
    expect(template).toEqual({
      id: template.id,
      name: template.name,
      imageName: 'me/image:1',
      category: 'NVIDIA',
      containerDiskInGb: 50,
      volumeInGb: 20,
      volumeMountPath: '/workspace',
      ports: ['8888/http', '22/tcp'],
      env: {},
      readme: '',
      dockerEntrypoint: [],
      dockerStartCmd: [],
      isPublic: false,
      isServerless: false,
      isRunpod: false,
      earned: 0,
      runtimeInMin: 0,
      containerRegistryAuthId: '',
    });
  });

  test('templates that endpoints use are listed for those who ask for them', async () => {
    const { templateId } = await makeEndpoint();
    const { id } = await makeTemplate();
    const listed = async (query: string): Promise<string[]> =>
      ((await get(`/v1/templates${query}`)) as TemplateAnswer[]).map((template) => template.id);
    expect(await listed('')).toContain(id);
    expect(await listed('')).not.toContain(templateId);
    expect(await listed('?includeEndpointBoundTemplates=false&includePublicTemplates=true')).not.toContain(templateId);
    expect(await listed('?includeEndpointBoundTemplates=true&includeRunpodTemplates=true')).toEqual(
      expect.arrayContaining([id, templateId]),
    );
    expect(await get(`/v1/templates/${templateId}`)).toMatchObject({ id: templateId });
  });

  test('category and isServerless are fixed: another value is a 400 that names the field, the same one is none', async () => {
    const { id } = await makeTemplate();
    for (const change of [{ category: 'CPU' }, { isServerless: true }]) {
      const refused = await patch(`/v1/templates/${id}`, change);
      expect(refused.status).toBe(400);
      expect(messageOf(refused)).toContain(Object.keys(change)[0]);
    }
    expect((await patch(`/v1/templates/${id}`, { category: 'NVIDIA', isServerless: false })).status).toBe(200);
  });
});

describe('endpoints', () => {
  test('an endpoint of a template alone has every default of the description', async () => {
    const endpoint = await makeEndpoint();
    expect(endpoint).toMatchObject({
      computeType: 'GPU',
      gpuTypeIds: [],
      gpuCount: 1,
      scalerType: 'QUEUE_DELAY',
      scalerValue: 4,
      idleTimeout: 5,
      workersMin: 0,
      flashboot: false,
      vcpuCount: 2,
      cpuFlavorIds: [],
      instanceIds: [],
      allowedCudaVersions: [],
      networkVolumeId: '',
      networkVolumeIds: [],
      dataCenterIds: cloudDataCenters,
      env: { KEY: 'value' },
      userId: expect.any(String) as string,
    });
    expect(endpoint).not.toHaveProperty('minCudaVersion');
    expect(endpoint).not.toHaveProperty('template');
    expect(endpoint).not.toHaveProperty('workers');
  });

  test('what only a cloud can heed is kept and told as it was sent', async () => {
    const sent = {
      computeType: 'CPU',
      cpuFlavorIds: ['cpu3c', 'cpu5g'],
      vcpuCount: 4,
      flashboot: true,
      allowedCudaVersions: ['12.8', '13.0'],
      minCudaVersion: '12.4',
      dataCenterIds: ['EU-RO-1', 'LOCAL-1'],
    };
    const { id, ...fields } = await makeEndpoint(sent);
    expect(fields).toMatchObject({ ...sent, instanceIds: ['cpu3c-4-8', 'cpu5g-4-16'] });
    const changed = accepted(await patch(`/v1/endpoints/${id}`, { vcpuCount: 8, dataCenterIds: [] }));
    expect(changed).toMatchObject({
      instanceIds: ['cpu3c-8-16', 'cpu5g-8-32'],
      minCudaVersion: '12.4',
      flashboot: true,
      dataCenterIds: cloudDataCenters,
    });
  });

  test('networkVolumeId is the first of networkVolumeIds, and either of them can be sent', async () => {
    const [one, two] = [await makeVolume(), await makeVolume()];
    const { id, ...fields } = await makeEndpoint({ networkVolumeId: one.id });
    expect(fields).toMatchObject({ networkVolumeId: one.id, networkVolumeIds: [one.id] });
    const changed = accepted(await patch(`/v1/endpoints/${id}`, { networkVolumeIds: [two.id, one.id] }));
    expect(changed).toMatchObject({ networkVolumeId: two.id, networkVolumeIds: [two.id, one.id] });
  });

  test('an endpoint is told with its template where that is asked for', async () => {
    const { id, templateId } = await makeEndpoint();
    const template = await get(`/v1/templates/${templateId}`);
    expect(await get(`/v1/endpoints/${id}?includeTemplate=true`)).toMatchObject({ template });
    const listed = (await get('/v1/endpoints?includeTemplate=true')) as EndpointAnswer[];
    expect(listed.find((one) => one.id === id)).toMatchObject({ template });
    expect(await get(`/v1/endpoints/${id}?includeTemplate=false`)).not.toHaveProperty('template');
  });

  test('computeType is fixed: another one is a 400 that says so, the same one is none', async () => {
    const { id } = await makeEndpoint();
    const refused = await patch(`/v1/endpoints/${id}`, { computeType: 'CPU' });
    expect(refused.status).toBe(400);
    expect(messageOf(refused)).toContain('computeType');
    expect((await patch(`/v1/endpoints/${id}`, { computeType: 'GPU' })).status).toBe(200);
  });
});

describe('network volumes', () => {
  test('a network volume is said to be in any region of the description, or in that of this machine', async () => {
    for (const dataCenterId of ['EU-RO-1', 'US-GA-1', 'LOCAL-1']) {
      expect(await makeVolume({ dataCenterId })).toMatchObject({ dataCenterId });
    }
  });

  test('size is from 0 to 4000 GB, and may only grow', async () => {
    const { min, max } = limits.volume.sizeGb;
    for (const size of [min - 1, max + 1, 1.5, '20']) {
      const refused = await engine.http.post('/v1/networkvolumes', { name: 'x', size, dataCenterId: 'EU-RO-1' });
      expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringContaining('size') as string]);
    }
    const { id } = await makeVolume({ size: min });
    expect(accepted(await patch(`/v1/networkvolumes/${id}`, { size: max }))).toMatchObject({ size: max });
    const refused = await patch(`/v1/networkvolumes/${id}`, { size: max - 1 });
    expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringContaining(String(max)) as string]);
    expect(await get(`/v1/networkvolumes/${id}`)).toMatchObject({ size: max });
  });
});

test('names of container registry auths are unique: a second one is a 400 that names it', async () => {
  const body = { name: 'only one', username: 'me', password: 'a-password' };
  accepted(await engine.http.post('/v1/containerregistryauth', body));
  const refused = await engine.http.post('/v1/containerregistryauth', body);
  expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringContaining('only one') as string]);
});

describe('what is sent', () => {
  test.each([
    '/v1/endpoints?includeTemplate=yes',
    '/v1/endpoints?includeWorkers=1',
    '/v1/endpoints?includeTemplate=true&includeTemplate=false',
    '/v1/templates?includePublicTemplates=TRUE',
    '/v1/templates?includeEndpointBoundTemplates=',
    '/v1/templates?includeRunpodTemplates=0',
  ])('%s is a 400 that names the parameter', async (path) => {
    const refused = await engine.http.get(path);
    expect(refused.status).toBe(400);
    expect(messageOf(refused)).toMatch(new RegExp(/\?(\w+)/.exec(path)![1]!));
  });

  test('parameters and fields that are not known are ignored', async () => {
    expect((await engine.http.get('/v1/endpoints?shoeSize=9')).status).toBe(200);
    const { id } = await makeTemplate({ shoeSize: 9, constructor: { a: 1 }, ['__proto__']: { isServerless: true } });
    expect(await get(`/v1/templates/${id}`)).not.toHaveProperty('shoeSize');
    expect(await get(`/v1/templates/${id}`)).toMatchObject({ isServerless: false });
  });

  const long = 'x'.repeat(limits.endpoint.nameLength + 1);
  test.each<[string, string, unknown]>([
    ['/v1/templates', 'name', long],
    ['/v1/templates', 'imageName', 'x'.repeat(limits.pod.imageLength + 1)],
    ['/v1/templates', 'category', 'INTEL'],
    ['/v1/templates', 'containerDiskInGb', -1],
    ['/v1/templates', 'volumeInGb', 1.5],
    ['/v1/templates', 'volumeMountPath', 'workspace'],
    ['/v1/templates', 'ports', '8888/http,22/tcp'],
    ['/v1/templates', 'ports', ['8888']],
    ['/v1/templates', 'ports', ['70000/tcp']],
    ['/v1/templates', 'env', { 'A=B': 'c' }],
    ['/v1/templates', 'env', { A: 'nul\0' }],
    ['/v1/templates', 'env', { A: null }],
    ['/v1/templates', 'dockerStartCmd', ['a', 1]],
    ['/v1/templates', 'isPublic', 'true'],
    ['/v1/templates', 'readme', null],
    ['/v1/endpoints', 'name', long],
    ['/v1/endpoints', 'computeType', 'TPU'],
    ['/v1/endpoints', 'gpuTypeIds', 'NVIDIA A40'],
    ['/v1/endpoints', 'gpuCount', '1'],
    ['/v1/endpoints', 'cpuFlavorIds', ['cpu9z']],
    ['/v1/endpoints', 'vcpuCount', 0],
    ['/v1/endpoints', 'allowedCudaVersions', ['1.0']],
    ['/v1/endpoints', 'minCudaVersion', 12],
    ['/v1/endpoints', 'dataCenterIds', ['MOON-1']],
    ['/v1/endpoints', 'networkVolumeIds', [5]],
    ['/v1/endpoints', 'flashboot', 'on'],
    ['/v1/endpoints', 'scalerType', 'SOMETIMES'],
    ['/v1/networkvolumes', 'name', long],
    ['/v1/networkvolumes', 'dataCenterId', 'MOON-1'],
    ['/v1/networkvolumes', 'dataCenterId', undefined],
    ['/v1/pods', 'cloudType', 'ALL'],
    ['/v1/pods', 'cpuFlavorIds', ['cpu9z']],
    ['/v1/pods', 'allowedCudaVersions', ['1.0']],
    ['/v1/pods', 'dataCenterIds', ['MOON-1']],
    ['/v1/containerregistryauth', 'name', long],
    ['/v1/containerregistryauth', 'password', ['a']],
  ])('POST %s with a wrong %s (%j) is a 400 that names it', async (path, field, value) => {
    const { id: templateId } = await makeTemplate();
    const whole: Record<string, object> = {
      '/v1/templates': { name: `n ${++made}`, imageName: 'me/image' },
      '/v1/endpoints': { templateId },
      '/v1/networkvolumes': { name: 'n', size: 1, dataCenterId: 'EU-RO-1' },
      '/v1/containerregistryauth': { name: `n ${++made}`, username: 'u', password: 'p' },
      '/v1/pods': { imageName: 'me/image' },
    };
    const before = await get(path);
    const refused = await engine.http.post(path, { ...whole[path], [field]: value });
    expect(refused.status, refused.text).toBe(400);
    expect(messageOf(refused)).toContain(field);
    expect(await get(path)).toEqual(before);
  });

  test('a body that is no object, no JSON, or nested ten thousand deep is answered in words', async () => {
    for (const body of ['[]', '"text"', 'null', '{"name":', '', `${'['.repeat(10_000)}${']'.repeat(10_000)}`]) {
      const refused = await engine.http.post('/v1/templates', body);
      expect([body.slice(0, 10), refused.status]).toEqual([body.slice(0, 10), 400]);
      expect(messageOf(refused).length).toBeGreaterThan(10);
    }
    const deep = `{"name":"deep ${++made}","imageName":"i","extra":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    expect((await engine.http.post('/v1/templates', deep)).status).toBe(200);
  });

  test('changes that are sent at once lose nothing of each other', async () => {
    const { id } = await makeTemplate();
    const changes = [
      { readme: 'r' },
      { env: { A: '1' } },
      { ports: ['80/http'] },
      { volumeInGb: 7 },
      { containerDiskInGb: 9 },
      { dockerStartCmd: ['a'] },
      { dockerEntrypoint: ['b'] },
      { volumeMountPath: '/data' },
      { isPublic: true },
    ];
    const answers = await Promise.all(changes.map((change) => patch(`/v1/templates/${id}`, change)));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect(await get(`/v1/templates/${id}`)).toMatchObject(Object.assign({}, ...changes) as object);
  });

  test('HEAD is answered with the status and the headers of GET, and without a body', async () => {
    const { id } = await makeTemplate();
    for (const path of [`/v1/templates/${id}`, '/v1/openapi.json', '/v2/templates', '/v1/templates/none']) {
      const { status, headers } = await engine.http.get(path);
      const head = await engine.http.send('HEAD', path);
      expect([head.status, head.headers['content-length'], head.text], path).toEqual([
        status,
        headers['content-length'],
        '',
      ]);
      expect(headers['content-length']).toMatch(/^\d+$/);
    }
    expect((await engine.http.send('HEAD', '/v1/templates', undefined, { authorization: null })).status).toBe(401);
  });
});
