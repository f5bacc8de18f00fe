/** What is used of this machine, what it costs, and billing history over HTTP. */
import { delimiter, dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  billingRecordSchema,
  volumeBillingRecordSchema,
  type BillingRecord,
  type VolumeBillingRecord,
} from '#contract/api/billing.ts';
import { cloudDataCenters } from '#contract/core/cloudNames.ts';
import { machineSchema } from '#contract/local/machine.ts';
import type { Endpoint, NetworkVolume } from '#contract/api/resources.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { createGpuPrograms, gpuFixture } from '../../support/gpus/programs.ts';
import { allCommitted, jobsOf } from '../../support/jobs/jobs.ts';
import { accepted, makeEndpoint } from '../../support/resources/resources.ts';
import { changeSettings } from '../../support/engine/settings.ts';
import { until } from '../../support/core/until.ts';
import { needsPosix } from '../../support/core/skip.ts';
import { messageOf } from '../../support/http/client.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** An engine on whose clock only the time passes that a test lets pass. */
async function startHeldEngine(): Promise<ClockedEngine> {
  const started = await startClockedEngine();
  await started.hold();
  return started;
}

let engine: ClockedEngine;
let cores: number;
beforeAll(async () => {
  engine = await startHeldEngine();
  cores = machineSchema.parse(accepted(await engine.http.get('/local/v1/machine'))).cpu.cores;
});
afterAll(() => engine.close());

type Query = Record<string, string>;
const ask = (path: string, query: Query = {}, of = engine) =>
  of.http.get(`/v1/billing/${path}?${new URLSearchParams(query).toString()}`);
const endpointRecords = async (query: Query = {}, of = engine): Promise<BillingRecord[]> =>
  billingRecordSchema.array().parse(accepted(await ask('endpoints', query, of)));
const volumeRecords = async (query: Query = {}, of = engine): Promise<VolumeBillingRecord[]> =>
  volumeBillingRecordSchema.array().parse(accepted(await ask('networkvolumes', query, of)));
const timeOf = (records: readonly BillingRecord[]): number =>
  records.reduce((sum, { timeBilledMs }) => sum + timeBilledMs, 0);
/** What has passed is stored with one of the next commits. */
const stored = (query: Query, ms: number, of = engine) =>
  until(
    `${ms} ms are stored`,
    async () => timeOf(await endpointRecords(query, of)),
    (billedMs) => billedMs >= ms,
  );
const amountOf = (records: readonly { amount: number }[]): number =>
  records.reduce((sum, { amount }) => sum + amount, 0);

/** An endpoint with one worker, which is there now. */
async function worked(of = engine): Promise<Endpoint> {
  const { endpoint } = await makeEndpoint(
    of,
    { 'handler.mjs': 'export default () => 1;\n' },
    { endpoint: { workersMin: 1, workersMax: 1 } },
  );
  await until('its worker is ready', async () => (await jobsOf(of, endpoint.id).health()).workers.ready, 1);
  return endpoint;
}
const makeVolume = async (size: number, of = engine): Promise<NetworkVolume> =>
  accepted(
    await of.http.post('/v1/networkvolumes', { name: 'models', size, dataCenterId: 'EU-RO-1' }),
  ) as NetworkVolume;

describe('the time of workers', () => {
  test('is in a report up to now, also within its first minute', async () => {
    const { id: endpointId } = await worked();
    await engine.advance(7000);
    expect(timeOf(await endpointRecords({ endpointId }))).toBe(7000);
    await engine.advance(2000);
    expect(timeOf(await endpointRecords({ endpointId }))).toBe(9000);
  });

  test('is billed while they run, by the price of a core, and by their endpoint', async () => {
    await changeSettings(engine, { machine: { prices: { cpuHour: 0.5 } } });
    const { id: endpointId, templateId } = await worked();
    await engine.advance(2 * HOUR);
    await stored({ endpointId }, 2 * HOUR);
    const records = await endpointRecords({ endpointId, bucketSize: 'hour' });
    expect(new Set(records.map((record) => record.endpointId))).toEqual(new Set([endpointId]));
    expect(records.length).toBeGreaterThan(1);
    expect(timeOf(records)).toBe(2 * HOUR);
    expect(amountOf(records)).toBeCloseTo((timeOf(records) / HOUR) * cores * 0.5, 6);
    for (const { time } of records) expect(new Date(time).getTime() % HOUR).toBe(0);
    for (const bucketSize of ['day', 'week', 'month', 'year'])
      expect(timeOf(await endpointRecords({ endpointId, bucketSize }))).toBe(timeOf(records));

    const [ofWorker] = await endpointRecords({ endpointId, grouping: 'podId', bucketSize: 'year' });
    expect(ofWorker?.podId).toMatch(/^w-/);
    expect(ofWorker).not.toHaveProperty('endpointId');
    const [ofType] = await endpointRecords({ endpointId, grouping: 'gpuTypeId', bucketSize: 'year' });
    expect(ofType).toMatchObject({ gpuTypeId: 'CPU', timeBilledMs: timeOf(records) });

    for (const matching of [
      { templateId },
      { gpuTypeId: 'NVIDIA A40,CPU' },
      { dataCenterId: 'LOCAL-1' },
      { dataCenterId: cloudDataCenters.join(',') },
    ])
      expect(timeOf(await endpointRecords({ endpointId, ...(matching as Query) }))).toBe(timeOf(records));
    for (const other of [
      { templateId: 'x' },
      { gpuTypeId: 'NVIDIA A40' },
      { dataCenterId: 'EU-RO-1' },
      { imageName: 'x' },
    ])
      expect(await endpointRecords({ endpointId, ...(other as Query) })).toEqual([]);
    expect(await endpointRecords({ endpointId, endTime: '2020-01-01T00:00:00Z' })).toEqual([]);
  });

  test('ends with them, and what their endpoint has used is still told once it is deleted', async () => {
    const { id: endpointId } = await worked();
    await engine.advance(10 * MINUTE);
    expect((await engine.http.send('DELETE', `/v1/endpoints/${endpointId}`)).status).toBe(204);
    await until(
      'its worker is gone',
      async () => accepted(await engine.http.get('/local/v1/workers')) as { endpointId: string }[],
      (workers) => workers.every((worker) => worker.endpointId !== endpointId),
    );
    await stored({ endpointId }, 10 * MINUTE);
    await allCommitted(engine);
    const before = timeOf(await endpointRecords({ endpointId }));
    await engine.advance(HOUR);
    expect(timeOf(await endpointRecords({ endpointId }))).toBe(before);
  });

  test('keeps the price it had when it passed', async () => {
    await changeSettings(engine, { machine: { prices: { cpuHour: 1 } } });
    const { id: endpointId } = await worked();
    await engine.advance(30 * MINUTE);
    await changeSettings(engine, { machine: { prices: { cpuHour: 0 } } });
    await stored({ endpointId }, 30 * MINUTE);
    await allCommitted(engine);
    const before = await endpointRecords({ endpointId });
    await engine.advance(HOUR);
    await stored({ endpointId }, 89 * MINUTE);
    const after = await endpointRecords({ endpointId });
    expect(timeOf(after)).toBeGreaterThan(timeOf(before));
    expect(amountOf(after)).toBeCloseTo((timeOf(before) / HOUR) * cores, 6);
  });

  test('is kept to the second when the engine is stopped', async () => {
    await using own = await startHeldEngine();
    const { id: endpointId } = await worked(own);
    const [worker] = accepted(await own.http.get('/local/v1/workers')) as { id: string }[];
    await own.advance(30_000);
    await own.stop();
    await own.restart();
    // The endpoint has another worker now.
    const records = await endpointRecords({ endpointId, bucketSize: 'year', grouping: 'podId' }, own);
    expect(records.find(({ podId }) => podId === worker!.id)?.timeBilledMs).toBe(30_000);
  });

  test('survives a crash of the engine but for the last minute, and is never counted twice', async () => {
    await using own = await startHeldEngine();
    const { id: endpointId } = await worked(own);
    await own.advance(HOUR + 30_000);
    await stored({ endpointId }, HOUR, own);
    // The endpoint gets another worker after the crash.
    const query = { endpointId, grouping: 'podId', bucketSize: 'year' };
    const [before] = await endpointRecords(query, own);
    await own.kill9();
    await own.restart();
    const after = (await endpointRecords(query, own)).find(({ podId }) => podId === before!.podId);
    expect(after?.timeBilledMs).toBeGreaterThanOrEqual(before!.timeBilledMs - MINUTE);
    expect(after?.timeBilledMs).toBeLessThanOrEqual(before!.timeBilledMs);
  });
});

// A program with this name is started by its shebang, which Windows does not know.
test(
  'a GPU costs the electricity that was measured while it was used, until its type is given a price',
  needsPosix,
  async () => {
    const type = 'NVIDIA GeForce RTX 4090';
    const programs = createGpuPrograms('nvidia-smi');
    onTestFinished(() => programs.remove());
    programs.says('table', gpuFixture('desktop535.csv'));
    programs.says('report', gpuFixture('desktop535.txt'));
    const env = { PATH: [programs.folder, dirname(process.execPath)].join(delimiter) };
    await using own = await startClockedEngine({ env });
    const load = async () =>
      machineSchema.parse(accepted(await own.http.get('/local/v1/machine'))).gpus[0]?.load ?? null;
    const watts = (await until('its load', load)).powerW!;
    expect(watts).toBeGreaterThan(0);
    await changeSettings(own, { machine: { prices: { perKwh: 0.4 } } });
    const { id: endpointId } = await worked(own);
    await own.advance(HOUR);
    await stored({ endpointId, gpuTypeId: type }, HOUR - MINUTE, own);
    const year = { endpointId, bucketSize: 'year', grouping: 'gpuTypeId' };
    const [electricity] = await endpointRecords(year, own);
    expect(electricity).toMatchObject({ gpuTypeId: type });
    expect(electricity!.amount).toBeCloseTo((electricity!.timeBilledMs / HOUR) * (watts / 1000) * 0.4, 6);

    await changeSettings(own, { machine: { prices: { gpuHour: { [type]: 2 } } } });
    const [before] = await endpointRecords(year, own);
    await own.advance(HOUR);
    await stored({ endpointId }, before!.timeBilledMs + HOUR - MINUTE, own);
    const [after] = await endpointRecords(year, own);
    const hours = (after!.timeBilledMs - electricity!.timeBilledMs) / HOUR;
    expect(after!.amount - electricity!.amount).toBeCloseTo(hours * 2, 1);
  },
);

test('network volumes are billed by the GB and the hour while they are there, in each size they had', async () => {
  await changeSettings(engine, { machine: { prices: { volumeGbMonth: 7.2 } } });
  const { id: networkVolumeId } = await makeVolume(20);
  // A full hour lies between two others.
  await engine.advance(2 * HOUR);
  accepted(await engine.http.send('PATCH', `/v1/networkvolumes/${networkVolumeId}`, { size: 40 }));
  await engine.advance(2 * HOUR);
  expect((await engine.http.send('DELETE', `/v1/networkvolumes/${networkVolumeId}`)).status).toBe(204);
  await engine.advance(HOUR);
  const query = { networkVolumeId, bucketSize: 'hour' };
  const amount = (20 + 40) * 2 * 0.01;
  await until(
    'all of it is stored',
    async () => amountOf(await volumeRecords(query)),
    (billed) => billed > amount - 0.001,
  );
  await allCommitted(engine);
  const records = await volumeRecords(query);
  expect(amountOf(records)).toBeCloseTo(amount, 6);
  expect(records[1]).toMatchObject({ diskSpaceBilledGb: 20, highPerformanceStorageAmount: 0 });
  expect(records.at(-1)).toMatchObject({ diskSpaceBilledGb: 40, highPerformanceStorageDiskSpaceBilledGb: 0 });
  expect(amountOf(await volumeRecords())).toBeCloseTo(amountOf(records), 9);
});

test('network volumes are told one by one where that is asked for, else all together', async () => {
  await using own = await startClockedEngine();
  await changeSettings(own, { machine: { prices: { volumeGbMonth: 7.2 } } });
  const sizes = new Map<string, number>();
  for (const size of [10, 30]) sizes.set((await makeVolume(size, own)).id, size);
  await own.advance(HOUR);
  const query = { grouping: 'networkVolumeId', bucketSize: 'year' };
  await until(
    'all of it is stored',
    async () => amountOf(await volumeRecords(query, own)),
    (billed) => billed >= 40 * 0.01 - 0.01,
  );
  const [together] = await volumeRecords({ bucketSize: 'year' }, own);
  expect(together).toMatchObject({ diskSpaceBilledGb: 40 });
  expect(together).not.toHaveProperty('networkVolumeId');
  const each = await volumeRecords(query, own);
  expect(new Map(each.map((one) => [one.networkVolumeId!, one.diskSpaceBilledGb]))).toEqual(sizes);
  // Asked a moment later.
  expect(amountOf(each)).toBeGreaterThan(together!.amount - 0.001);
  expect(amountOf(each)).toBeLessThan(together!.amount + 0.1);
  expect((await ask('networkvolumes', { grouping: 'podId' }, own)).status).toBe(400);
});

test('billing history of Pods is a list, empty where none ran', async () => {
  expect(accepted(await ask('pods'))).toEqual([]);
});

test.each<[string, string, Query, RegExp]>([
  ['a bucketSize there is not', 'pods', { bucketSize: 'minute' }, /bucketSize .*"hour".*"year".*"minute"/],
  ['a grouping there is not', 'pods', { grouping: 'endpointId' }, /grouping .*"podId".*"gpuTypeId"/],
  ['a grouping of another kind', 'endpoints', { grouping: 'templateId' }, /grouping/],
  ['a time that is none', 'networkvolumes', { startTime: 'yesterday' }, /startTime/],
  [
    'a period that ends before it begins',
    'endpoints',
    { startTime: '2026-01-02T00:00:00Z', endTime: '2026-01-01T00:00:00Z' },
    /startTime must not be after endTime/,
  ],
])('%s is a 400 that names the field', async (_what, path, query, message) => {
  const { status, json } = await ask(path, query);
  expect(status).toBe(400);
  expect(messageOf({ json })).toMatch(message);
});

test('billing history takes a key', async () => {
  for (const path of ['pods', 'endpoints', 'networkvolumes'])
    expect((await engine.http.get(`/v1/billing/${path}`, { authorization: null })).status).toBe(401);
});
