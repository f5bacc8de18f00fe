/**
 * An engine as an account that is reached as the cloud is: by the job API, and by REST v2 at its base address. A real
 * engine answers.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountDraft } from '#contract/app/accountDraft.ts';
import type { ComputeApi } from '../../../main/app/compute/computeApi.ts';
import { startAccountApp, type AccountApp } from '../../support/accounts/accountApp.ts';
import { until } from '../../support/core/until.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { makeEndpoint } from '../../support/resources/resources.ts';

let engine: TestEngine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());

interface Cloud extends AsyncDisposable {
  readonly app: AccountApp;
  readonly compute: ComputeApi;
}

async function addAsCloud(): Promise<Cloud> {
  const app = startAccountApp();
  const draft: AccountDraft = {
    preset: 'addresses',
    name: 'GPU box as a cloud',
    key: engine.key,
    addresses: {
      jobs: `${engine.address}/v2`,
      management: `${engine.address}/rest/v2`,
      graphql: `${engine.address}/graphql`,
    },
  };
  const account = await app.changes.add(draft);
  expect(account).toMatchObject({ kind: 'cloud', dialect: 'v2', state: 'ok' });
  expect(account.capabilities).toEqual(
    expect.arrayContaining(['jobs', 'management', 'graphql', 'pods', 'billing', 'workers', 'logs']),
  );
  return {
    app,
    compute: app.directory.compute(account.id),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

it('has its templates, volumes and credentials made, changed and deleted', async () => {
  await using cloud = await addAsCloud();
  const { management } = cloud.compute;
  const template = await management.createTemplate({
    name: 'made there',
    imageName: 'me/image',
    env: { A: '1' },
    dockerStartCmd: ['serve', 'two words'],
    volumeInGb: 20,
    volumeMountPath: '/data',
    isServerless: true,
  });
  expect(template).toMatchObject({
    imageName: 'me/image',
    env: { A: '1' },
    dockerStartCmd: ['serve', 'two words'],
    dockerEntrypoint: [],
    volumeInGb: 20,
    volumeMountPath: '/data',
    isServerless: true,
  });
  expect(await management.updateTemplate(template.id, { env: { B: '2' } })).toMatchObject({ env: { B: '2' } });
  expect((await management.templates()).map(({ id }) => id)).toContain(template.id);
  const volume = await management.createVolume({ name: 'v', size: 10, dataCenterId: 'EU-RO-1' });
  expect(await management.updateVolume(volume.id, { size: 20 })).toMatchObject({ size: 20, dataCenterId: 'EU-RO-1' });
  const auth = await management.createRegistryAuth({ name: 'r', username: 'u', password: 'p' });
  expect(await management.registryAuths()).toMatchObject([{ id: auth.id, name: 'r' }]);
  await management.deleteRegistryAuth(auth.id);
  await management.deleteVolume(volume.id);
  await management.deleteTemplate(template.id);
  expect([await management.volumes(), await management.registryAuths(), await management.templates()]).toEqual([
    [],
    [],
    [],
  ]);
});

it('has an endpoint made on whatever hardware it has, scaled and deleted', async () => {
  await using cloud = await addAsCloud();
  const { management } = cloud.compute;
  const template = await management.createTemplate({ name: 't', imageName: 'me/image', isServerless: true });
  const { id } = await management.createEndpoint({ templateId: template.id, name: 'made there', workersMax: 0 });
  const changed = await management.updateEndpoint(id, { workersMax: 0, idleTimeout: 60, scalerValue: 7 });
  expect(changed).toMatchObject({ name: 'made there', workersMax: 0, idleTimeout: 60, scalerValue: 7, type: 'QB' });
  expect(await management.updateTemplate(changed.templateId, { env: { A: '1' } })).toMatchObject({ env: { A: '1' } });
  const slow = await management.createEndpoint({
    templateId: template.id,
    name: 'on the processor',
    computeType: 'CPU',
    vcpuCount: 2,
    workersMax: 0,
  });
  expect(slow).toMatchObject({ computeType: 'CPU', env: {} });
  expect((await management.endpoints()).map((one) => one.id).sort()).toEqual([id, slow.id].sort());
  await management.deleteEndpoint(id);
  await management.deleteEndpoint(slow.id);
  expect(await management.endpoints()).toEqual([]);
});

it('runs jobs, and tells of its workers, what they write, what they cost and what there is', async () => {
  await using cloud = await addAsCloud();
  const { compute } = cloud;
  const handler =
    'export default ({ input }) => { console.log("greets " + input.name); return "hello " + input.name; };\n';
  const { endpoint } = await makeEndpoint(engine, { 'handler.mjs': handler }, { endpoint: { workersMax: 1 } });
  const { view } = await compute.jobs.submit(endpoint.id, 'run', JSON.stringify({ input: { name: 'Ann' } }));
  const ended = await until(
    'the job to end',
    () => compute.jobs.status(endpoint.id, view.id),
    (now) => now.view.status === 'COMPLETED',
  );
  expect(ended).toMatchObject({ output: '"hello Ann"' });
  const [lane] = await compute.workers!.lanes(endpoint.id, 60_000);
  expect(lane).toMatchObject({ endpointId: endpoint.id, workerId: expect.stringMatching(/^w-/) });
  const problem = await until(
    'what it wrote',
    () => compute.logs!.page({ endpointId: endpoint.id }, { limit: 100 }),
    ({ lines }) => lines.some(({ text }) => text === 'greets Ann'),
  );
  expect(problem.lines.find(({ text }) => text === 'greets Ann')).toMatchObject({
    workerId: lane!.workerId,
    stream: 'stdout',
  });
  const hour = { startTime: new Date(Date.now() - 3_600_000).toISOString(), endTime: new Date().toISOString() };
  await expect(compute.billing.endpoints({ ...hour, bucketSize: 'hour' }, 'endpointId')).resolves.toEqual(
    expect.any(Array),
  );
  expect(await compute.pods.list()).toEqual([]);
  const types = await compute.pods.gpuTypes();
  expect(types.at(-1)).toMatchObject({ id: 'CPU', lowestPrice: { stockStatus: 'High' } });
  // A Pod that is gone writes nothing more.
  expect(await compute.logs!.page({ podId: 'gone' }, { limit: 1 })).toEqual({ lines: [], more: false, next: null });
});

it('tells in its own words why it refuses', async () => {
  await using cloud = await addAsCloud();
  const { management, pods } = cloud.compute;
  await expect(management.endpoint('nobody')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('There is no endpoint "nobody"'),
  });
  const tooSmall = management.createVolume({ name: 'v', size: 1, dataCenterId: 'EU-RO-1' });
  await expect(tooSmall).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('size') });
  await expect(pods.act('nobody', 'stop')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('is taken for an engine where the base address of REST v2 is typed as its address', async () => {
  await using app = startAccountApp();
  const typed = { jobs: `${engine.address}/rest/v2/`, management: null, graphql: null };
  const account = await app.changes.add({ preset: 'engine', name: 'GPU box', key: engine.key, addresses: typed });
  expect(account).toMatchObject({ kind: 'engine', dialect: 'v1', address: engine.address, state: 'ok' });
});
