/** Templates and endpoints over GraphQL, with the operations that public tools send. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint, Template } from '#contract/api/resources.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { askGraphql, graphqlData } from '../../support/http/graphql.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { accepted, makeEndpoint, writeHandler } from '../../support/resources/resources.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

let made = 0;
const newName = (): string => `by graphql ${++made}`;
const one = async <T>(query: string, field: string, variables?: object): Promise<T> =>
  (await graphqlData(engine, query, variables))[field] as T;
const rest = async <T>(path: string): Promise<T> => accepted(await engine.http.get(path)) as T;
interface WithId {
  id: string;
}

/** As the Python SDK writes it: every value within the text. */
const saveTemplate = (name: string, more = ''): string => `
  mutation {
    saveTemplate(input: { name: "${name}", imageName: "me/image:1", dockerArgs: "python -u 'my handler.py'",
      containerDiskInGb: 10, volumeInGb: 0, volumeMountPath: "/data", ports: "8888/http,22/tcp",
      env: [{ key: "A", value: "1" }, { key: "B", value: "x=y" }], isServerless: true,
      containerRegistryAuthId : "", startSsh: true, isPublic: false, readme: ""${more} }) {
      id name imageName dockerArgs containerDiskInGb volumeInGb volumeMountPath ports env { key value } isServerless
    }
  }`;

const saveEndpoint = (name: string, templateId: string, gpuIds = 'AMPERE_16'): string => `
  mutation {
    saveEndpoint(input: { name: "${name}", templateId: "${templateId}", gpuIds: "${gpuIds}", networkVolumeId: "",
      locations: "", idleTimeout: 7, scalerType: "QUEUE_DELAY", scalerValue: 4, workersMin: 0, workersMax: 0 }) {
      id name templateId gpuIds networkVolumeId locations idleTimeout scalerType scalerValue workersMin workersMax
    }
  }`;

async function template(): Promise<WithId> {
  return one<WithId>(saveTemplate(newName()), 'saveTemplate');
}

describe('templates', () => {
  test('saveTemplate, as the Python SDK writes it, makes the template that /v1 then tells of', async () => {
    const name = newName();
    const saved = await one<WithId & object>(saveTemplate(name), 'saveTemplate');
    expect(saved).toEqual({
      id: saved.id,
      name,
      imageName: 'me/image:1',
      dockerArgs: `python -u 'my handler.py'`,
      containerDiskInGb: 10,
      volumeInGb: 0,
      volumeMountPath: '/data',
      ports: '8888/http,22/tcp',
      env: [
        { key: 'A', value: '1' },
        { key: 'B', value: 'x=y' },
      ],
      isServerless: true,
    });
    expect(await rest<Template>(`/v1/templates/${saved.id}`)).toMatchObject({
      name,
      dockerStartCmd: ['python', '-u', 'my handler.py'],
      env: { A: '1', B: 'x=y' },
      ports: ['8888/http', '22/tcp'],
      containerDiskInGb: 10,
      isServerless: true,
    });
  });

  test('saveTemplate keeps startJupyter and startSsh, and refuses a startScript, which no Pod runs', async () => {
    const save = `mutation Save($input: SaveTemplateInput) { saveTemplate(input: $input) { id startJupyter startSsh } }`;
    const input = { name: newName(), imageName: 'me/image:1', startJupyter: true, startSsh: false, startScript: '' };
    const saved = await one<WithId & object>(save, 'saveTemplate', { input });
    expect(saved).toEqual({ id: saved.id, startJupyter: true, startSsh: false });
    expect(await rest(`/rest/v2/templates/${saved.id}`)).toMatchObject({ startJupyter: true, startSsh: false });
    const changed = await one(save, 'saveTemplate', { input: { id: saved.id, startJupyter: false } });
    expect(changed).toEqual({ id: saved.id, startJupyter: false, startSsh: false });
    const script = { id: saved.id, startScript: 'echo' };
    await expect(one(save, 'saveTemplate', { input: script })).rejects.toThrow('startScript must be empty');
  });

  test('saveTemplate with an id changes the named fields only, and the endpoints of the template get new workers', async () => {
    const { template: before, endpoint } = await makeEndpoint(
      engine,
      { 'handler.mjs': 'export default () => process.env.WORD ?? "none";\n' },
      { endpoint: { workersMax: 1 } },
    );
    const jobs = jobsOf(engine, endpoint.id);
    expect((await jobs.finished(await jobs.run({}))).output).toBe('none');
    await one(`mutation Save($input: SaveTemplateInput) { saveTemplate(input: $input) { id } }`, 'saveTemplate', {
      input: { id: before.id, env: [{ key: 'WORD', value: 'new' }], readme: null },
    });
    expect(await rest(`/v1/templates/${before.id}`)).toEqual({ ...before, env: { WORD: 'new' } });
    expect((await jobs.finished(await jobs.run({}))).output).toBe('new');
    expect((await rest<Endpoint>(`/v1/endpoints/${endpoint.id}`)).version).toBe(endpoint.version + 1);
  });

  test('podTemplates and podTemplate tell of them; those that the real service ships are not here', async () => {
    const { id } = await template();
    const listing = `query PodTemplates($input: PodTemplateInput) { podTemplates(input: $input) {
      id name imageName isServerless isPublic isRunpod category containerDiskInGb volumeInGb volumeMountPath } }`;
    const list = async (input: object): Promise<WithId[]> => one(listing, 'podTemplates', { input });
    expect((await list({ isRunpod: false })).map((each) => each.id)).toContain(id);
    expect((await list({ isServerless: false })).map((each) => each.id)).not.toContain(id);
    expect(await list({ isRunpod: true })).toEqual([]);
    const single = `query GetTemplate($id: String!) { podTemplate(id: $id) { id ports portsConfig { name port } boundEndpointId } }`;
    expect(await one(single, 'podTemplate', { id })).toEqual({
      id,
      ports: '8888/http,22/tcp',
      boundEndpointId: null,
      portsConfig: [
        { name: null, port: '8888' },
        { name: null, port: '22' },
      ],
    });
    expect(await one(single, 'podTemplate', { id: 'none' })).toBeNull();
  });

  test('deleteTemplate deletes by name, and one that is in use stays, with words that name who uses it', async () => {
    const name = newName();
    const { id } = await one<WithId>(saveTemplate(name), 'saveTemplate');
    const user = newName();
    const endpoint = await one<WithId>(saveEndpoint(user, id), 'saveEndpoint');
    const refused = await askGraphql(engine, `mutation { deleteTemplate(templateName: "${name}") }`);
    expect(refused).toMatchObject({
      status: 200,
      data: { deleteTemplate: null },
      errors: [{ code: 'BAD_USER_INPUT' }],
    });
    expect(refused.errors[0]?.message).toContain(user);
    await graphqlData(engine, `mutation { deleteEndpoint(id: "${endpoint.id}") }`);
    expect(await graphqlData(engine, `mutation { deleteTemplate(templateName: "${name}") }`)).toEqual({
      deleteTemplate: null,
    });
    expect((await engine.http.get(`/v1/templates/${id}`)).status).toBe(404);
  });

  test('what /v1 refuses of a template is refused here in the same words', async () => {
    for (const [more, words] of [
      [', containerDiskInGb: -1', /containerDiskInGb/],
      [', name: " "', /name/],
      [', imageName: "file://relative"', /file:/],
      [`, dockerArgs: "echo 'a"`, /not closed/],
    ] as const) {
      const field = /, (\w+)/.exec(more)![1]!;
      const text = saveTemplate(newName(), more).replace(new RegExp(`\\b${field} ?: ?("[^"]*"|\\d+),`), '');
      const { status, errors } = await askGraphql(engine, text);
      expect([status, errors[0]?.code], text).toEqual([200, 'BAD_USER_INPUT']);
      expect(errors[0]?.message).toMatch(words);
    }
  });
});

describe('endpoints', () => {
  test('saveEndpoint, as the Python SDK writes it, makes the endpoint that /v1 then tells of', async () => {
    const { id: templateId } = await template();
    const name = newName();
    const saved = await one<WithId>(saveEndpoint(name, templateId), 'saveEndpoint');
    expect(saved).toEqual({
      id: saved.id,
      name,
      templateId,
      gpuIds: 'AMPERE_16',
      networkVolumeId: null,
      locations: null,
      idleTimeout: 7,
      scalerType: 'QUEUE_DELAY',
      scalerValue: 4,
      workersMin: 0,
      workersMax: 0,
    });
    const { gpuTypeIds, idleTimeout } = await rest<Endpoint>(`/v1/endpoints/${saved.id}`);
    expect([gpuTypeIds[0], gpuTypeIds.length, idleTimeout]).toEqual(['NVIDIA RTX A4000', 4, 7]);
  });

  test('pools of GPU types, types, and types left out are written in one line, and read back as such', async () => {
    const { id: templateId } = await template();
    const line = 'ADA_24,AMPERE_24,-NVIDIA L4,CPU';
    const saved = await one<WithId & { gpuIds: string }>(saveEndpoint(newName(), templateId, line), 'saveEndpoint');
    expect(saved.gpuIds).toBe('ADA_24,NVIDIA RTX A5000,NVIDIA GeForce RTX 3090,CPU');
    const { errors } = await askGraphql(engine, saveEndpoint(newName(), templateId, 'VOLTA_16'));
    expect(errors[0]?.message).toMatch(/"VOLTA_16".*AMPERE_16/);
    const pools = await one<WithId[]>('{ serverlessGpuPools { id gpuTypeIds } }', 'serverlessGpuPools');
    expect(pools).toContainEqual({ id: 'ADA_24', gpuTypeIds: ['NVIDIA GeForce RTX 4090'] });
  });

  test('saveEndpoint with an id replaces the whole of it: what is not said has its default again', async () => {
    const { id: templateId } = await template();
    const { id } = await one<WithId>(saveEndpoint(newName(), templateId), 'saveEndpoint');
    const before = await rest<Endpoint>(`/v1/endpoints/${id}`);
    const change =
      'mutation SaveEndpoint($input: EndpointInput!) { saveEndpoint(input: $input) { id idleTimeout flashBootType } }';
    await one(change, 'saveEndpoint', { input: { id, workersMax: 2, executionTimeoutMs: 0 } });
    const after = await rest<Endpoint>(`/v1/endpoints/${id}`);
    expect(after).toEqual({ ...before, idleTimeout: 5, gpuTypeIds: [], workersMax: 2, version: 2 });
    expect((await askGraphql(engine, change, { variables: { input: { id: 'none' } } })).errors[0]?.code).toBe(
      'NOT_FOUND',
    );
  });

  test('an endpoint is read and sent back without a change, as the command-line tool does', async () => {
    const { id: templateId } = await template();
    const volume = await one<WithId>(
      'mutation { createNetworkVolume(input: { name: "v", size: 5 }) { id } }',
      'createNetworkVolume',
    );
    const { id } = await one<WithId>(
      'mutation ($input: EndpointInput!) { saveEndpoint(input: $input) { id } }',
      'saveEndpoint',
      {
        input: {
          name: newName(),
          templateId,
          gpuIds: 'ADA_24',
          gpuCount: 2,
          workersMax: 0,
          idleTimeout: 9,
          networkVolumeIds: [{ networkVolumeId: volume.id }],
        },
      },
    );
    const before = await rest<Endpoint>(`/v1/endpoints/${id}`);
    expect(before.networkVolumeIds).toEqual([volume.id]);
    const fields = `id name templateId gpuIds gpuCount instanceIds workersMin workersMax locations networkVolumeId
      networkVolumeIds { networkVolumeId } idleTimeout scalerType scalerValue executionTimeoutMs minCudaVersion flashBootType`;
    const read = `query ($id: String!) { myself { endpoint(id: $id) { ${fields} } } }`;
    const { endpoint } = await one<{ endpoint: object }>(read, 'myself', { id });
    const write = `mutation SaveEndpoint($input: EndpointInput!) { saveEndpoint(input: $input) { ${fields} modelReferences } }`;
    const saved = await one<object>(write, 'saveEndpoint', { input: endpoint });
    expect(saved).toEqual({ ...endpoint, modelReferences: null });
    expect(await rest(`/v1/endpoints/${id}`)).toEqual(before);
  });

  test('what says where in the cloud workers may be is kept and told, and an endpoint on the CPU is asked for by its instances', async () => {
    const { id: templateId } = await template();
    const save = `mutation ($input: EndpointInput!) { saveEndpoint(input: $input) {
      id computeType instanceIds locations allowedCudaVersions minCudaVersion flashBootType gpuIds } }`;
    const places = {
      locations: 'EU-RO-1,US-TX-3',
      allowedCudaVersions: '12.4,12.5',
      minCudaVersion: '12.4',
      flashBootType: 'FLASHBOOT',
      instanceIds: ['cpu3c-4-8'],
    };
    const input = { name: newName(), templateId, workersMax: 0, ...places };
    const saved = await one<WithId>(save, 'saveEndpoint', { input });
    expect(saved).toEqual({ id: saved.id, computeType: 'CPU', gpuIds: '', ...places });
    expect(await rest(`/v1/endpoints/${saved.id}`)).toMatchObject({
      computeType: 'CPU',
      cpuFlavorIds: ['cpu3c'],
      vcpuCount: 4,
      dataCenterIds: ['EU-RO-1', 'US-TX-3'],
      flashboot: true,
    });
    const bare = { id: saved.id, workersMax: 0 };
    expect(await one(save, 'saveEndpoint', { input: bare })).toMatchObject({
      computeType: 'CPU',
      locations: null,
      flashBootType: 'OFF',
    });
    for (const [wrong, words] of [
      [{ locations: 'MOON-1' }, /locations/],
      [{ allowedCudaVersions: '1.0' }, /allowedCudaVersions/],
      [{ instanceIds: ['abacus-1-1'] }, /instanceIds/],
    ] as const) {
      const { errors } = await askGraphql(engine, save, { variables: { input: { ...input, ...wrong } } });
      expect(errors[0]?.message).toMatch(words);
    }
    const onGpu = await one<WithId>(saveEndpoint(newName(), templateId), 'saveEndpoint');
    const { errors } = await askGraphql(engine, save, {
      variables: { input: { id: onGpu.id, instanceIds: ['cpu3c-4-8'] } },
    });
    expect(errors[0]?.message).toMatch(/computeType is fixed/);
  });

  test('an endpoint can be made together with its template, and leaves none behind where it cannot', async () => {
    const image = await writeHandler(engine, { 'handler.mjs': 'export default () => process.env.WORD;\n' });
    const input = {
      name: newName(),
      workersMax: 1,
      type: 'QB',
      template: {
        name: newName(),
        imageName: image,
        containerDiskInGb: 5,
        dockerArgs: '',
        env: [{ key: 'WORD', value: 'hi' }],
      },
    };
    const save =
      'mutation ($input: EndpointInput!) { saveEndpoint(input: $input) { id template { name isServerless boundEndpointId } env { key value } } }';
    const saved = await one<WithId>(save, 'saveEndpoint', { input });
    expect(saved).toMatchObject({
      template: { name: input.template.name, isServerless: true },
      env: [{ key: 'WORD', value: 'hi' }],
    });
    const jobs = jobsOf(engine, saved.id);
    expect((await jobs.finished(await jobs.run({}))).output).toBe('hi');
    const orphan = { ...input, workersMin: 5, template: { ...input.template, name: newName() } };
    expect((await askGraphql(engine, save, { variables: { input: orphan } })).errors[0]?.message).toMatch(/workersMin/);
    expect((await rest<Template[]>('/v1/templates')).map(({ name }) => name)).not.toContain(orphan.template.name);
  });

  test('updateEndpointTemplate gives an endpoint another template, also as older tools write it', async () => {
    const [first, second] = [await template(), await template()];
    const { id } = await one<WithId>(saveEndpoint(newName(), first.id), 'saveEndpoint');
    const inText = `mutation UpdateEndpointTemplate($input: UpdateEndpointTemplateInput) {
      updateEndpointTemplate(input: { templateId: "${second.id}", id: "${id}" }) { id templateId } }`;
    expect(await one(inText, 'updateEndpointTemplate')).toEqual({ id, templateId: second.id });
    const byVariable =
      'mutation Mutation($input: UpdateEndpointTemplateInput) { updateEndpointTemplate(input: $input) { id templateId } }';
    const variables = { input: { endpointId: id, templateId: first.id } };
    expect(await one(byVariable, 'updateEndpointTemplate', variables)).toEqual({ id, templateId: first.id });
    expect((await rest<Endpoint>(`/v1/endpoints/${id}`)).version).toBe(3);
  });

  test('the list of endpoints has what tools of the cloud ask for', async () => {
    const { id: templateId } = await template();
    const { id } = await one<WithId>(saveEndpoint(newName(), templateId), 'saveEndpoint');
    const { endpoints } = await one<{ endpoints: WithId[] }>(
      `query Query { myself { endpoints { aiKey gpuIds id idleTimeout name networkVolumeId locations scalerType scalerValue
        templateId type userId version workersMax workersMin workersStandby gpuCount env { key value } createdAt
        networkVolume { id dataCenterId } computeType executionTimeoutMs workerState { ready running throttled initialized } } } }`,
      'myself',
    );
    expect(endpoints.find((each) => each.id === id)).toMatchObject({
      templateId,
      type: 'QB',
      userId: 'local',
      version: 1,
      gpuCount: 1,
      computeType: 'GPU',
      executionTimeoutMs: 600_000,
      env: [
        { key: 'A', value: '1' },
        { key: 'B', value: 'x=y' },
      ],
      workerState: [{ ready: 0, running: 0, throttled: 0, initialized: 0 }],
      aiKey: null,
      workersStandby: null,
      networkVolume: null,
    });
  });

  test('deleteEndpoint deletes it with its jobs', async () => {
    const { id: templateId } = await template();
    const { id } = await one<WithId>(saveEndpoint(newName(), templateId), 'saveEndpoint');
    const job = await jobsOf(engine, id).run({});
    expect(await graphqlData(engine, `mutation { deleteEndpoint(id: "${id}") }`)).toEqual({ deleteEndpoint: null });
    expect((await engine.http.get(`/v2/${id}/status/${job}`)).status).toBe(404);
    const { myself } = await graphqlData(engine, `{ myself { endpoint(id: "${id}") { id } } }`);
    expect(myself).toEqual({ endpoint: null });
  });
});
