/**
 * Answers of remote accounts that are not as described, and what an account does not have: shown or said, never a
 * crash.
 */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpointsNowSchema } from '#contract/app/endpointReadModels.ts';
import { podsNowSchema } from '#contract/bridge/pod.ts';
import { endpointsNow } from '../../../main/app/bridge/resources/endpointViews.ts';
import { requirePart } from '../../../main/app/bridge/machine/logs.ts';
import { podsNow } from '../../../main/app/bridge/pods.ts';
import { createComputeApi, type ComputeApi } from '../../../main/app/compute/computeApi.ts';
import { createOutbound } from '../../../main/app/compute/http/outbound.ts';
import { startRemote, type Remote } from '../../support/remote/remote.ts';
import { until } from '../../support/core/until.ts';

let remote: Remote;
const computes = {} as Record<'v1' | 'v2', ComputeApi>;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  remote = await startRemote();
  for (const dialect of ['v1', 'v2'] as const) {
    const to = (address: string) => {
      const target = () => Promise.resolve({ address, key: remote.key });
      const outbound = createOutbound({ name: 'the remote service', logger: pino({ level: 'silent' }), target });
      stops.push(() => outbound.stop());
      return outbound;
    };
    const { jobs, management, graphql } = remote[dialect];
    const outbounds = { jobs: to(jobs), management: to(management), graphql: to(graphql) };
    computes[dialect] = createComputeApi(outbounds, { hasLocal: false, dialect });
  }
});
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  await remote.stop();
});

const bare = { v1: [{ id: 'bare', strange: [1] }], v2: { pods: [{ id: 'bare', strange: [1] }] } };
test.each(['v1', 'v2'] as const)(
  'a Pod of which %s tells nothing but its id is shown, with what nobody knows of',
  async (dialect) => {
    remote.fault({ path: /^pods$/, times: 1, as: { status: 200, json: bare[dialect] } });
    const [row] = podsNowSchema.parse(await podsNow(computes[dialect], () => undefined)).rows;
    expect(row?.pod).toMatchObject({ id: 'bare', name: '', desiredStatus: 'RUNNING', ports: [], strange: [1] });
  },
);

const endpoints = {
  v1: [{ id: 'bare', strange: 1, workersMax: 'many' }],
  v2: { endpoints: [{ id: 'bare', strange: 1 }] },
};
test.each(['v1', 'v2'] as const)('an endpoint of which %s tells nothing but its id is shown', async (dialect) => {
  // REST v2 is asked twice: endpoints hold what templates say.
  const path = dialect === 'v1' ? /^endpoints$/ : /^serverless$/;
  const times = dialect === 'v1' ? 1 : 2;
  remote.fault({ path, times, as: { status: 200, json: endpoints[dialect] } });
  const [row] = endpointsNowSchema.parse(await endpointsNow(computes[dialect])).rows;
  expect(row).toMatchObject({ id: 'bare', name: '', type: 'QB', workersMax: 0, health: null });
  expect(row?.healthProblem).toMatch(/not found/);
});

test('an answer that is no JSON is told as one that cannot be understood', async () => {
  remote.fault({ path: /^pods$/, times: 1, as: { status: 200, text: '<html>', type: 'text/html' } });
  await expect(computes.v2.pods.list()).rejects.toMatchObject({ code: 'UPSTREAM' });
});

test('what REST v2 lacks is refused with a sentence: reset, spot, another entrypoint, a choice of GPUs', async () => {
  const { pods } = computes.v2;
  const pod = remote.addPod({ name: 'kept', image: 'example/pod:1' });
  const of = { name: 'x', imageName: 'example/pod:1', gpuTypeIds: ['NVIDIA L4'] };
  for (const call of [
    () => pods.act(pod.id, 'reset'),
    () => pods.create({ ...of, interruptible: true }),
    () => pods.create({ ...of, dockerEntrypoint: ['sh'] }),
    () => pods.create({ ...of, gpuTypeIds: ['NVIDIA L4', 'NVIDIA RTX A5000'] }),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'UNSUPPORTED', message: expect.stringContaining('REST v2') });
  }
});

test('what a Pod writes is told by REST v2 with where it comes from, and gone on from', async () => {
  const pod = remote.addPod({ name: 'writing' });
  remote.write(pod.id, 'serving at 8888');
  const logs = requirePart(computes.v2, 'logs');
  const [line] = await until(
    'the line',
    async () => (await logs.page({ podId: pod.id }, { limit: 10 })).lines,
    (lines) => lines.length > 0,
  );
  expect(line).toMatchObject({ text: 'serving at 8888', workerId: 'container', endpointId: '', stream: 'stdout' });
  remote.advance(5);
  const leave = new AbortController();
  const following = logs.follow({ podId: pod.id }, line!.n, leave.signal);
  const next = following.next();
  remote.write(pod.id, 'asked by somebody');
  expect((await next).value).toMatchObject({ text: 'asked by somebody' });
  leave.abort();
  await following.return();
  expect(computes.v2.pods.lacks.map(({ what }) => what)).not.toContain('logs');
  expect(computes.v1.pods.lacks.map(({ what }) => what)).toContain('logs');
});

test('an endpoint of REST v2 that runs on the processor is not given GPUs, which is said before it is asked', async () => {
  const { id } = remote.addEndpoint({ name: 'slow', gpu: null, cpu: [{ id: 'cpu3c', vcpuCount: 2 }] });
  const requestCount = remote.requests.length;
  await expect(computes.v2.management.updateEndpoint(id, { gpuTypeIds: ['ADA_24'] })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('runs on the CPU'),
  });
  expect(remote.requests.slice(requestCount).filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('where REST v1 has been retired, the service says so itself', async () => {
  await using retired = await startRemote();
  retired.retireV1();
  const target = () => Promise.resolve({ address: retired.v1.management, key: retired.key });
  const outbound = createOutbound({ name: 'the remote service', logger: pino({ level: 'silent' }), target });
  const outbounds = { jobs: outbound, management: outbound, graphql: outbound };
  const { management } = createComputeApi(outbounds, { hasLocal: false, dialect: 'v1' });
  await expect(management.endpoints()).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: 'REST v1 has been retired. Use REST v2.',
  });
  await outbound.stop();
});

test('what workers write is told by REST v2, filtered and gone on from, and by v1 not at all, which is said', async () => {
  const { id } = remote.addEndpoint({ name: 'writing', workersMax: 1 });
  const [lane] = await requirePart(computes.v2, 'workers').lanes(id, 60_000);
  expect(lane).toMatchObject({ endpointId: id, spans: [{ state: 'idle', to: null }], end: null });
  const line = JSON.stringify({ requestId: 'job-1', message: 'half done', level: 'WARNING' });
  remote.write(lane!.workerId, 'begun', line);
  const logs = requirePart(computes.v2, 'logs');
  /** A page has what came within moments; a machine that is busy may take longer. */
  const page = (level: 'warn' | undefined, count: number) =>
    until(
      `${count} lines`,
      async () => (await logs.page({ endpointId: id, ...(level && { level }) }, { limit: 10 })).lines,
      (lines) => lines.length === count,
    );
  const lines = await page(undefined, 2);
  expect(lines.map(({ text }) => text)).toEqual(['begun', 'half done']);
  expect(lines[1]).toMatchObject({ jobId: 'job-1', level: 'warn', workerId: lane?.workerId });
  expect(lines[1]!.n).toBeGreaterThan(lines[0]!.n);
  expect((await page('warn', 1)).map(({ text }) => text)).toEqual(['half done']);

  remote.advance(5);
  const leave = new AbortController();
  const following = logs.follow({ endpointId: id }, lines[1]!.n, leave.signal);
  const next = following.next();
  remote.write(lane!.workerId, 'done');
  expect((await next).value).toMatchObject({ text: 'done' });
  leave.abort();
  await following.return();
  await expect(logs.page({}, { limit: 10 })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  expect(() => requirePart(computes.v1, 'logs')).toThrow(/does not report what its workers write/);
  expect(() => requirePart(computes.v1, 'workers')).toThrow(/does not report its workers/);
});
