/**
 * What the app asks of any account, through its one client: the same questions, and the same answers, whatever the
 * account speaks.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { billingContract } from '#contract/bridge/billing.ts';
import { endpointDetailSchema, endpointsNowSchema } from '#contract/app/endpointReadModels.ts';
import { isProcessor } from '#contract/api/gpuType.ts';
import { limits } from '#contract/core/limits.ts';
import { podsNowSchema } from '#contract/bridge/pod.ts';
import { resourcesNowSchema } from '#contract/bridge/resource.ts';
import { lenientGpuTypeSchema, lenientPodSchema } from '#contract/api/lenient.ts';
import { createEndpoint, removeEndpoint, updateEndpoint } from '../../../main/app/bridge/resources/endpointChanges.ts';
import { endpointMetrics, endpointTotals } from '../../../main/app/bridge/resources/endpointMetrics.ts';
import { endpointChoices, endpointDetail, endpointsNow } from '../../../main/app/bridge/resources/endpointViews.ts';
import { podsNow } from '../../../main/app/bridge/pods.ts';
import { resourcesNow } from '../../../main/app/bridge/resources/resources.ts';
import { readUsage } from '../../../main/app/bridge/billing.ts';
import { createLedger } from '../../../main/app/ledger/ledger.ts';
import { systemClock } from '../../../main/app/platform/clock.ts';
import { startComputePlaces, type ComputePlace, type ComputePlaces } from '../../support/accounts/places.ts';
import { whyNoContainers } from '../../support/containers/engine.ts';
import { silentPino } from '../../support/ledger/longLedger.ts';
import { stays } from '../../support/pods/pods.ts';
import { until } from '../../support/core/until.ts';

let all: ComputePlaces;
beforeAll(async () => {
  all = await startComputePlaces();
});
afterAll(() => all.stop());
const noPods = whyNoContainers();
if (noPods !== null) console.warn(`SKIPPED: Pods of engines: ${noPods}`);

const usageSchema = z.array(z.unknown());
const DAY_MS = 86_400_000;
const period = () => ({
  startTime: new Date(Date.now() - 7 * DAY_MS).toISOString(),
  endTime: new Date().toISOString(),
  bucketSize: 'day',
});

let made = 0;
/** An endpoint as the page makes one; answers its id. */
async function makeEndpoint({ compute, image }: ComputePlace, handler: 'plain' | 'streaming'): Promise<string> {
  const name = `conformance ${++made}`;
  const template = { name, imageName: await image(handler), isServerless: true, env: { A: '1' } };
  const { endpointId } = await createEndpoint(compute.management, {
    template,
    endpoint: { name, workersMin: 0, workersMax: 1, idleTimeout: 30 },
  });
  return endpointId;
}

/** Polls as a reader does, until the job has ended. */
async function ended({ compute: { jobs } }: ComputePlace, endpointId: string, jobId: string) {
  return until(
    `the end of ${jobId}`,
    () => jobs.status(endpointId, jobId),
    (answer) => (['IN_QUEUE', 'IN_PROGRESS'].includes(answer.view.status) ? null : answer),
  );
}

const accounts = [
  'this machine',
  'an engine on another machine',
  'the remote service in v1',
  'the remote service in v2',
];
describe.each(accounts)('%s', (name) => {
  let place: ComputePlace;
  let compute: ComputePlace['compute'];
  beforeAll(() => {
    place = all.places.find((one) => one.name === name)!;
    compute = place.compute;
  });

  test('a job is done, and its output is what the worker wrote, to the letter', async () => {
    const endpointId = await makeEndpoint(place, 'plain');
    const sent = await compute.jobs.submit(endpointId, 'run', '{"input":{"n":7,"text":"ä"}}');
    expect(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']).toContain(sent.view.status);
    const { view, output } = await ended(place, endpointId, sent.view.id);
    expect(view).toMatchObject({ id: sent.view.id, status: 'COMPLETED' });
    expect(Number.isInteger(view.executionTime) && Number.isInteger(view.delayTime)).toBe(true);
    expect(output).toBe('{"n":7,"text":"ä"}');
    const health = await compute.jobs.health(endpointId);
    expect(health.jobs).toMatchObject({ completed: 1, inQueue: 0 });

    const sync = await compute.jobs.submit(endpointId, 'runsync', '{"input":{"n":8}}');
    const finished = sync.view.status === 'COMPLETED' ? sync : await ended(place, endpointId, sync.view.id);
    expect(finished.output).toBe('{"n":8}');
  });

  test('the metrics of an endpoint count its jobs; those of a service that has none are from the ledger', async () => {
    const endpointId = await makeEndpoint(place, 'plain');
    const { id } = (await compute.jobs.submit(endpointId, 'run', '{"input":{"n":7}}')).view;
    await ended(place, endpointId, id);
    const ledger = createLedger(':memory:', silentPino, 'test');
    const parts = { compute, ledger, storage: () => ({ oldestSentAt: null, lastPrune: null }), clock: systemClock };
    const read = (id: string) => endpointMetrics(parts, { accountId: 'a', endpointId: id, period: '1h' });
    onTestFinished(() => ledger.stop());
    if (compute.local === null) {
      expect(await read(endpointId)).toMatchObject({ total: { accepted: 0, workers: null }, ledger: { jobs: 0 } });
      expect(await endpointTotals(compute, '24h')).toBeNull();
      return;
    }
    const { total } = await read(endpointId);
    expect(total).toMatchObject({ accepted: 1, completed: 1, failed: 0 });
    const totals = await endpointTotals(compute, '24h');
    expect(totals?.find((one) => one.endpointId === endpointId)?.total).toMatchObject({ completed: 1 });
    await expect(read('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('the history of GPUs comes from every engine; a service has no machine to ask', async () => {
    if (compute.machine === null) return expect(compute.local).toBeNull();
    const [{ gpus }, histories] = await Promise.all([compute.machine.get(), compute.machine.gpuHistory('24h')]);
    expect(histories.map(({ uuid }) => uuid)).toEqual(gpus.map(({ uuid }) => uuid));
  });

  test('the history of the processor comes from every engine', async () => {
    if (compute.machine === null) return expect(compute.local).toBeNull();
    const { period, points } = await compute.machine.processorHistory('6h');
    expect([period, points.length]).toEqual(['6h', 180]);
  });

  test('what a job streams is read once, in order', async () => {
    const endpointId = await makeEndpoint(place, 'streaming');
    const { view } = await compute.jobs.submit(endpointId, 'run', '{"input":{"chunks":3}}');
    const read: string[] = [];
    await until('the end of the stream', async () => {
      const { status, chunks } = await compute.jobs.stream(endpointId, view.id, 1000);
      read.push(...chunks);
      return status === 'COMPLETED';
    });
    expect(read).toEqual(['{"n":0}', '{"n":1}', '{"n":2}']);
    expect((await compute.jobs.stream(endpointId, view.id, 1000)).chunks).toEqual([]);
  });

  test('a job that fails says why, can be tried again under its id, and one that runs or waits can be stopped', async () => {
    const endpointId = await makeEndpoint(place, 'plain');
    const failing = (await compute.jobs.submit(endpointId, 'run', '{"input":{"fail":"no luck"}}')).view.id;
    const { view } = await ended(place, endpointId, failing);
    expect(view.status).toBe('FAILED');
    expect(view.error).toContain('no luck');
    expect((await compute.jobs.health(endpointId)).jobs).toMatchObject({ failed: 1, completed: 0 });
    expect(await compute.jobs.retry(endpointId, failing)).toMatchObject({ id: failing, status: 'IN_QUEUE' });
    expect((await ended(place, endpointId, failing)).view.status).toBe('FAILED');

    const waitingId = (await compute.jobs.submit(endpointId, 'run', '{"input":{"hold":true}}')).view.id;
    await until(
      'the job to run',
      async () => (await compute.jobs.status(endpointId, waitingId)).view.status,
      'IN_PROGRESS',
    );
    const waiting = (await compute.jobs.submit(endpointId, 'run', '{"input":{}}')).view.id;
    expect(await compute.jobs.cancel(endpointId, waiting)).toMatchObject({ id: waiting, status: 'CANCELLED' });
    expect(await compute.jobs.cancel(endpointId, waitingId)).toMatchObject({ status: 'CANCELLED' });
    expect((await ended(place, endpointId, waitingId)).view.status).toBe('CANCELLED');
    await expect(compute.jobs.retry(endpointId, waitingId)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(compute.jobs.status(endpointId, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(compute.jobs.submit('nobody', 'run', '{"input":{}}')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a queue is emptied, and more than the rate allows is refused with the time to come back at', async () => {
    const endpointId = await makeEndpoint(place, 'plain');
    const { requests } = limits.rates.operations['purge-queue'];
    const answers: unknown[] = [];
    // The rate is one of ten seconds, in which a slow machine may not send as many requests.
    const error = await until(
      'a request to be refused',
      () => compute.jobs.purge(endpointId).catch((thrown: unknown) => thrown),
      (answer) => {
        if (answer instanceof Error) return answer;
        answers.push(answer);
        return null;
      },
    );
    expect(new Set(answers)).toEqual(new Set([0]));
    expect(answers.length).toBeGreaterThanOrEqual(requests);
    expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect((error as Error & { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(0);
  });

  test('an endpoint is made, told with what it is made of, changed in both, and removed with it', async () => {
    const endpointId = await makeEndpoint(place, 'plain');
    const { rows } = endpointsNowSchema.parse(await endpointsNow(compute));
    const row = rows.find(({ id }) => id === endpointId);
    expect(row).toMatchObject({ type: 'QB', workersMin: 0, workersMax: 1, healthProblem: null });
    expect(row?.imageName).not.toBeNull();

    await updateEndpoint(compute.management, endpointId, {
      endpoint: { workersMax: 2, scalerType: 'QUEUE_DELAY', scalerValue: 6, executionTimeoutMs: 60_000 },
      template: { env: { A: '2', B: '3' } },
    });
    const detail = endpointDetailSchema.parse(await endpointDetail(compute, endpointId));
    const changed = { workersMax: 2, scalerType: 'QUEUE_DELAY', scalerValue: 6, executionTimeoutMs: 60_000 };
    expect(detail.endpoint).toMatchObject({ ...changed, idleTimeout: 30, workersMin: 0 });
    expect(detail.template).toMatchObject({ env: { A: '2', B: '3' } });
    expect(detail.templateSharedWith).toEqual([]);

    expect(await removeEndpoint(compute.management, endpointId, true)).toEqual({ templateKept: null });
    expect((await compute.management.endpoints()).map(({ id }) => id)).not.toContain(endpointId);
    expect((await compute.management.templates()).map(({ id }) => id)).not.toContain(detail.endpoint.templateId);
    await expect(compute.management.endpoint(endpointId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('templates, volumes and registry credentials are made, listed with what uses them, changed and removed', async () => {
    const { management } = compute;
    const name = `thing ${++made}`;
    const template = await management.createTemplate({
      name,
      imageName: 'example/pod:1',
      ports: ['8888/http'],
      dockerStartCmd: ['python', '-c', "print('hi there')"],
      volumeInGb: 30,
      volumeMountPath: '/data',
    });
    const volume = await management.createVolume({ name, size: 20, dataCenterId: place.region });
    const auth = await management.createRegistryAuth({ name, username: 'me', password: 'secret' });
    await management.updateTemplate(template.id, { name: `${name} again`, env: { C: '4' } });
    await management.updateVolume(volume.id, { size: 40 });

    const now = resourcesNowSchema.parse(await resourcesNow(compute));
    expect(now.templates.find(({ id }) => id === template.id)).toMatchObject({
      name: `${name} again`,
      env: { C: '4' },
      ports: ['8888/http'],
      isServerless: false,
      usedBy: [],
      volumeInGb: 30,
      volumeMountPath: '/data',
    });
    expect(now.volumes.find(({ id }) => id === volume.id)).toMatchObject({
      name,
      size: 40,
      dataCenterId: place.region,
    });
    expect(now.registryAuths.find(({ id }) => id === auth.id)).toMatchObject({ name, usedBy: [] });
    expect(JSON.stringify(now)).not.toContain('secret');
    expect([now.podsProblem, now.hasFiles]).toEqual([null, place.kind === 'engine']);

    await management.deleteTemplate(template.id);
    await management.deleteVolume(volume.id);
    await management.deleteRegistryAuth(auth.id);
    const left = resourcesNowSchema.parse(await resourcesNow(compute));
    const ids = [...left.templates, ...left.volumes, ...left.registryAuths].map(({ id }) => id);
    expect(ids).not.toEqual(expect.arrayContaining([template.id]));
    expect(ids.filter((id) => [volume.id, auth.id].includes(id))).toEqual([]);
  });

  test('a Pod is deployed, told, renamed, stopped, started and deleted', async ({ skip }) => {
    if (place.whyNoPods !== null) skip(place.whyNoPods);
    const { imageName } = place.pod;
    const { pods } = compute;
    const pod = await pods.create({
      name: 'mine',
      ports: ['8888/http', '22/tcp'],
      env: { D: '5' },
      containerDiskInGb: 10,
      volumeInGb: 12,
      volumeMountPath: '/workspace',
      dockerStartCmd: stays(),
      ...place.pod,
    });
    expect(lenientPodSchema.parse(pod)).toMatchObject({
      name: 'mine',
      imageName,
      image: imageName,
      desiredStatus: 'RUNNING',
      env: { D: '5' },
      containerDiskInGb: 10,
      volumeInGb: 12,
      ports: ['8888/http', '22/tcp'],
      dockerStartCmd: stays(),
    });
    const { rows } = podsNowSchema.parse(await podsNow(compute, () => undefined));
    const row = rows.find((one) => one.pod.id === pod.id);
    expect(Number.isNaN(Date.parse(row?.pod.createdAt ?? ''))).toBe(false);
    expect(row?.facts?.id).toBe(pod.id);
    expect(await pods.update(pod.id, { name: 'renamed' })).toMatchObject({ id: pod.id, name: 'renamed' });
    expect(await pods.act(pod.id, 'stop')).toMatchObject({ desiredStatus: 'EXITED' });
    expect(await pods.act(pod.id, 'start')).toMatchObject({ desiredStatus: 'RUNNING' });
    await pods.remove(pod.id);
    const left = await pods.list();
    expect(left.filter(({ id, desiredStatus }) => id === pod.id && desiredStatus !== 'TERMINATED')).toEqual([]);
    await expect(pods.act(pod.id, 'start')).rejects.toMatchObject({
      code: expect.stringMatching(/NOT_FOUND|CONFLICT/),
    });
  });

  test('what was used is told by resource, with the names of what is still there', async () => {
    const endpointId = await makeEndpoint(place, 'plain');
    const charge = {
      id: endpointId,
      gpuTypeId: 'NVIDIA L4',
      at: Date.now() - 3_600_000,
      amount: 0.25,
      timeMs: 1000,
      gb: 5,
    };
    place.remote?.account.charges.push({ kind: 'endpoint', ...charge }, { kind: 'endpoint', ...charge, id: 'deleted' });
    const known = new Map([['deleted', 'its old name']]);
    const output = billingContract.read['~orpc'].outputSchema as z.ZodType;
    const rows = usageSchema.parse(output.parse(await readUsage(compute, period(), 'resource', known)));
    if (place.remote === null) expect(rows).toEqual(expect.any(Array));
    else {
      const mine = { kind: 'endpoint', id: endpointId, amount: 0.25, exists: true };
      expect(rows).toContainEqual(expect.objectContaining(mine));
      const deleted = { id: 'deleted', name: 'its old name', exists: false };
      expect(rows).toContainEqual(expect.objectContaining(deleted));
    }
    const byGpu = readUsage(compute, period(), 'gpu', known);
    if (place.kind === 'v2') await expect(byGpu).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    else expect(output.parse(await byGpu)).toEqual(expect.any(Array));
  });

  test('GPU types are told with memory, price and stock, and endpoints choose from what workers can have', async () => {
    const types = z.array(lenientGpuTypeSchema).parse(await compute.pods.gpuTypes());
    expect(types.length).toBeGreaterThan(0);
    for (const type of types) {
      expect(type.displayName).not.toBe('');
      expect(type.memoryInGb).toBeGreaterThan(0);
    }
    if (place.remote) {
      const out = types.find(({ id }) => id === 'NVIDIA A100 80GB PCIe');
      expect(out?.lowestPrice).toMatchObject({ stockStatus: 'None', uninterruptablePrice: null });
      const there = types.find(({ id }) => id === 'NVIDIA L4');
      expect(there?.lowestPrice).toMatchObject({ stockStatus: 'Medium', uninterruptablePrice: 0.43 });
    }
    // REST v1 tells none, GraphQL no price of one, and an engine the one it has.
    const processors = types.filter(isProcessor);
    expect(processors).toHaveLength(place.kind === 'v1' ? 0 : place.kind === 'v2' ? 2 : 1);
    if (place.kind === 'v2') {
      const small = { id: 'cpu3c', memoryInGb: 2, securePrice: 0.03, vcpu: { min: 2, max: 32 } };
      expect(processors[0]).toMatchObject({ ...small, displayName: 'Compute-Optimized, Gen 3' });
      expect(processors[0]?.lowestPrice).toMatchObject({ stockStatus: 'High', uninterruptablePrice: 0.03 });
      const fields = { name: 'on a processor', imageName: 'example/pod:1', computeType: 'CPU' as const };
      const pod = await compute.pods.create({ ...fields, cpuFlavorIds: ['cpu5c'], vcpuCount: 4 });
      expect(place.remote?.account.pods.get(pod.id)?.cpu).toEqual({ id: 'cpu5c', vcpuCount: 4 });
      await compute.pods.remove(pod.id);
    }
    const { gpuTypes } = await endpointChoices('elsewhere', compute, '/nowhere');
    expect(gpuTypes).not.toBeNull();
    const [first] = gpuTypes ?? [];
    if (place.remote === null || !first) return;
    const endpointId = await makeEndpoint(place, 'plain');
    await compute.management.updateEndpoint(endpointId, { gpuTypeIds: [first.id] });
    expect((await compute.management.endpoint(endpointId)).gpuTypeIds).toEqual([first.id]);
    // Any of them again: where none can be named, all are.
    await compute.management.updateEndpoint(endpointId, { gpuTypeIds: [] });
    const any = place.kind === 'v2' ? gpuTypes?.map(({ id }) => id) : [];
    expect((await compute.management.endpoint(endpointId)).gpuTypeIds).toEqual(any);
  });

  test('a key that is not taken is refused in the words of the service, and a key never stands in an error', async () => {
    const key = 'rpa_WRONG0000000000000000000000000000000000';
    const wrong = all.withKey(place, key);
    try {
      const calls = [
        wrong.compute.jobs.health('x'),
        wrong.compute.management.endpoints(),
        wrong.compute.pods.list(),
        wrong.compute.graphql.ask('{ myself { id } }', {}),
      ];
      for (const one of await Promise.allSettled(calls)) {
        const error = (one.status === 'rejected' ? one.reason : null) as Error;
        expect(error).toMatchObject({ code: 'UNAUTHORIZED' });
        expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(key);
      }
    } finally {
      await wrong.stop();
    }
  });
});
