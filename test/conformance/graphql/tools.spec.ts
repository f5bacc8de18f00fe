/** What public tools send to /graphql is answered: one field that the schema lacks would fail a whole query. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#contract/api/resources.ts';
import { filesWith } from '../../support/disk/secretsInFiles.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { toolOperations } from '../../support/graphql/toolOperations.ts';
import { askGraphql, graphqlData } from '../../support/http/graphql.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { accepted, makeEndpoint } from '../../support/resources/resources.ts';

let engine: TestEngine;
beforeAll(async () => {
  // Without a container engine, so that no Pod is really made.
  engine = await startEngine({ env: { DOCKER_HOST: 'unix:///none/docker.sock' } });
});
afterAll(() => engine.close());

const OF_DOCUMENTS = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'INTERNAL_SERVER_ERROR'];

test('every operation that a public tool sends is executed', async () => {
  const refused: object[] = [];
  for (const [tool, document, variables] of toolOperations) {
    const { status, errors } = await askGraphql(engine, document, variables ? { variables } : {});
    if (status !== 200 || errors.some(({ code }) => OF_DOCUMENTS.includes(code))) {
      refused.push({ tool, document, status, errors });
    }
  }
  expect(refused).toEqual([]);
  expect(new Set(toolOperations.map(([tool]) => tool)).size).toBe(7);
});

describe('what tools read', () => {
  test('an account has the id that tools check keys with, and a volume has its data center', async () => {
    await graphqlData(engine, 'mutation { createNetworkVolume(input: { name: "here", size: 1 }) { id } }');
    const { myself } = await graphqlData(
      engine,
      '{ myself { id authId serverlessDiscount { discountFactor } networkVolumes { dataCenterId dataCenter { id name } } } }',
    );
    const { networkVolumes, ...person } = myself as { networkVolumes: { dataCenterId: string; dataCenter: object }[] };
    expect(person).toEqual({ id: 'local', authId: 'local', serverlessDiscount: null });
    for (const { dataCenterId, dataCenter } of networkVolumes) expect(dataCenter).toMatchObject({ id: dataCenterId });
    expect(networkVolumes).toContainEqual({
      dataCenterId: 'LOCAL-1',
      dataCenter: { id: 'LOCAL-1', name: 'This machine' },
    });
  });

  test('there is no type of which clusters are made, and no country of a community cloud', async () => {
    const query = `{ countryCodes gpuTypes(input: { cluster: true }) { id }
      all: gpuTypes { nodeGroupDatacenters { id } clusterPrice } }`;
    const { countryCodes, gpuTypes, all } = await graphqlData(engine, query);
    expect([countryCodes, gpuTypes]).toEqual([[], []]);
    expect(new Set((all as object[]).map((type) => JSON.stringify(type)))).toEqual(
      new Set(['{"nodeGroupDatacenters":[],"clusterPrice":null}']),
    );
  });

  test('what is not there to be deleted is refused in the words that tools compare', async () => {
    const refusals = [
      ['podTerminate(input: { podId: "none" })', 'NOT_FOUND', 'pod not found to terminate'],
      ['deleteNetworkVolume(input: { id: "none" })', 'NOT_FOUND', 'Tried to delete nonexistent network volume'],
      ['deleteCluster(input: { id: "none" })', 'Cluster not found', 'Cluster not found'],
    ];
    for (const [mutation, code, message] of refusals) {
      expect((await askGraphql(engine, `mutation { ${mutation} }`)).errors).toEqual([{ code, message }]);
    }
    const answer = await engine.http.send('DELETE', '/v1/pods/none');
    expect([answer.status, answer.json]).toMatchObject([404, { error: 'pod not found to terminate' }]);
  });
});

describe('saveEndpoint', () => {
  const SAVE =
    'mutation ($input: EndpointInput!) { saveEndpoint(input: $input) { id name locations flashBootType gpuIds } }';
  let templateId = '';
  beforeAll(async () => {
    templateId = (await makeEndpoint(engine, { 'handler.mjs': 'export default () => null;\n' })).template.id;
  });
  const save = async (input: object) =>
    (await graphqlData(engine, SAVE, { input: { templateId, workersMax: 0, ...input } }))['saveEndpoint'] as {
      id: string;
      locations: string | null;
    };

  test('takes a country for all of its regions, and is read back with the country where it has several', async () => {
    const inUs = await save({ name: 'us', locations: 'US' });
    expect(inUs.locations).toBe('US');
    const { dataCenterIds } = accepted(await engine.http.get(`/v1/endpoints/${inUs.id}`)) as {
      dataCenterIds: string[];
    };
    expect(dataCenterIds).toContain('US-TX-3');
    expect(dataCenterIds.every((region) => region.startsWith('US-'))).toBe(true);
    expect((await save({ name: 'ro', locations: 'RO,US-TX-3' })).locations).toBe('EU-RO-1,US-TX-3');
    expect((await save({ name: 'any', locations: '' })).locations).toBeNull();
  });

  test('switches FlashBoot on for a name that ends in -fb, unless flashBootType says otherwise', async () => {
    expect(await save({ name: 'quick -fb' })).toMatchObject({ name: 'quick -fb', flashBootType: 'FLASHBOOT' });
    expect(await save({ name: 'quick' })).toMatchObject({ flashBootType: 'OFF' });
    expect(await save({ name: 'slow -fb', flashBootType: 'OFF' })).toMatchObject({ flashBootType: 'OFF' });
    const { id } = await save({ name: 'again -fb' });
    expect(await save({ id })).toMatchObject({ name: 'again -fb', flashBootType: 'FLASHBOOT' });
  });

  test.each([
    [{ locations: 'MARS-1' }, /^locations must be one of/],
    [{ allowedCudaVersions: '1.0' }, /^allowedCudaVersions must be one of/],
    [{ networkVolumeId: 'none' }, /^networkVolumeId: "none"/],
    [{ networkVolumeIds: [{ networkVolumeId: 'none' }] }, /^networkVolumeIds: "none"/],
    [{ gpuIds: 'x'.repeat(500) }, /^gpuIds must have at most/],
    [{ instanceIds: ['cpu9-2-4'] }, /^instanceIds must be one of/],
    [{ modelReferences: ['me/model:1'] }, /^modelReferences must be empty/],
  ])('names the field that its caller wrote in what it refuses: %o', async (fields, words) => {
    const input = { name: 'refused', templateId, ...fields };
    const { errors } = await askGraphql(engine, SAVE, { variables: { input } });
    expect(errors[0]?.message).toMatch(words);
  });
});

describe('secrets', () => {
  const VALUE = 'hf-value-81c2d9';

  test('a secret is created, listed without its value, sealed on disk, filled in for workers, and deleted', async () => {
    await using own = await startEngine();
    const { secretCreate } = await graphqlData(
      own,
      `mutation { secretCreate(input: { name: "my-token", value: "${VALUE}" }) { id name description } }`,
    );
    const { id } = secretCreate as { id: string };
    expect(secretCreate).toEqual({ id, name: 'my-token', description: null });
    const { myself } = await graphqlData(own, '{ myself { secrets { id name description } } }');
    expect((myself as { secrets: object[] }).secrets).toContainEqual(secretCreate);

    const env = {
      TOKEN: 'Bearer {{ RUNPOD_SECRET_my-token }}',
      TIGHT: '{{RUNPOD_SECRET_my-token}}',
      OTHER: '{{ RUNPOD_SECRET_no }}',
    };
    const { template, endpoint } = await makeEndpoint(
      own,
      {
        'handler.mjs':
          "export default () => ['TOKEN', 'TIGHT', 'OTHER'].map((name) => process.env[name].split('').reverse().join(''));\n",
      },
      { template: { env }, endpoint: { workersMax: 1 } },
    );
    expect(template.env).toEqual(env);
    const jobs = jobsOf(own, endpoint.id);
    const { output } = await jobs.finished(await jobs.run({}));
    expect((output as string[]).map((text) => text.split('').reverse().join(''))).toEqual([
      `Bearer ${VALUE}`,
      VALUE,
      '{{ RUNPOD_SECRET_no }}',
    ]);
    expect((accepted(await own.http.get(`/v1/endpoints/${endpoint.id}`)) as Endpoint).version).toBe(1);

    await own.stop();
    await own.restart();
    expect(await filesWith(own.dataDir, VALUE)).toEqual([]);
    const again = await jobs.finished(await jobs.run({}));
    expect(again.output).toEqual(output);
    expect(await graphqlData(own, `mutation { secretDelete(id: "${id}") }`)).toEqual({ secretDelete: null });
    expect(JSON.stringify(await graphqlData(own, '{ myself { secrets { id } } }'))).not.toContain(id);
  });

  test.each([
    ['name: "a b", value: "v"', /^name must have/],
    ['name: "a", value: ""', /^value must have/],
  ])('secretCreate with { %s } is refused with words that do not repeat the value', async (fields, words) => {
    const { errors } = await askGraphql(engine, `mutation { secretCreate(input: { ${fields} }) { id } }`);
    expect(errors).toEqual([{ code: 'BAD_USER_INPUT', message: expect.stringMatching(words) as string }]);
  });

  test('a second secret of one name is refused, and one that is not there cannot be deleted', async () => {
    const create = `mutation { secretCreate(input: { name: "twice", value: "${VALUE}" }) { id } }`;
    await graphqlData(engine, create);
    const { errors } = await askGraphql(engine, create);
    expect(errors[0]?.message).toMatch(/"twice" already/);
    expect(JSON.stringify(errors)).not.toContain(VALUE);
    expect((await askGraphql(engine, 'mutation { secretDelete(id: "none") }')).errors[0]?.code).toBe('NOT_FOUND');
  });
});
