/** GPU types, their prices and stock over GraphQL, on a machine whose GPUs are what nvidia-smi prints. */
import { cpus, totalmem } from 'node:os';
import { dirname, delimiter } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processorName } from '#contract/core/processorName.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { createGpuPrograms, gpuFixture, idleDesktopReport, type GpuPrograms } from '../../support/gpus/programs.ts';
import { askGraphql, graphqlData } from '../../support/http/graphql.ts';
import { changeSettings } from '../../support/engine/settings.ts';
import { until } from '../../support/core/until.ts';
import { needsPosix } from '../../support/core/skip.ts';

const GPU = 'NVIDIA GeForce RTX 4090';

// A program with this name is started by its shebang, which Windows does not know.
describe('the GPU types', needsPosix, () => {
  let engine: TestEngine;
  let programs: GpuPrograms;
  beforeAll(async () => {
    programs = createGpuPrograms('nvidia-smi');
    programs.says('table', gpuFixture('desktop535.csv'));
    programs.says('report', idleDesktopReport());
    engine = await startEngine({ env: { PATH: [programs.folder, dirname(process.execPath)].join(delimiter) } });
    await until(
      'its GPU to be found',
      () => gpuTypes('{ gpuTypes { id } }'),
      ({ length }) => length > 1,
    );
  });
  afterAll(async () => {
    await engine.close();
    programs.remove();
  });

  const gpuTypes = async (query: string, variables?: object): Promise<Record<string, unknown>[]> =>
    (await graphqlData(engine, query, variables))['gpuTypes'] as Record<string, unknown>[];

  test('gpuTypes lists the GPUs of this machine by product name, and its processor after them', async () => {
    const types = await gpuTypes(
      'query GpuTypes { gpuTypes { id displayName memoryInGb secureCloud communityCloud } }',
    );
    expect(types.map(({ id }) => id)).toEqual([GPU, 'CPU']);
    expect(types[0]).toMatchObject({ memoryInGb: 24, secureCloud: true, communityCloud: false });
    expect(types[1]).toMatchObject({ memoryInGb: Math.floor(totalmem() / 1024 ** 3) });
  });

  test('a GPU type is asked for by its id, with the lowest price of as many GPUs as are wanted', async () => {
    await changeSettings(engine, { machine: { prices: { gpuHour: { [GPU]: 0.4 }, cpuHour: 0.02 } } });
    const one = (count: number): string => `query GpuTypes { gpuTypes(input: { id: "${GPU}" }) {
    maxGpuCount id displayName manufacturer memoryInGb cudaCores secureCloud communityCloud securePrice communityPrice
    oneMonthPrice threeMonthPrice oneWeekPrice communitySpotPrice secureSpotPrice
    lowestPrice(input: { gpuCount: ${count}, secureCloud: true }) {
      minimumBidPrice uninterruptablePrice stockStatus availableGpuCounts totalCount rentedCount minVcpu } } }`;
    expect(await gpuTypes(one(1))).toMatchObject([
      {
        id: GPU,
        manufacturer: 'NVIDIA',
        memoryInGb: 24,
        maxGpuCount: 1,
        securePrice: 0.4,
        oneMonthPrice: null,
        lowestPrice: {
          uninterruptablePrice: 0.4,
          stockStatus: 'High',
          availableGpuCounts: [1],
          totalCount: 1,
          rentedCount: 0,
          minVcpu: cpus().length,
        },
      },
    ]);
    const [two] = await gpuTypes(one(2));
    expect(two!['lowestPrice']).toMatchObject({ uninterruptablePrice: null, stockStatus: 'None' });
    expect(await gpuTypes('{ gpuTypes(input: { id: "NVIDIA H100 PCIe" }) { id } }')).toEqual([]);
  });

  test('a GPU that its person keeps is not in stock', async () => {
    const facts = (await engine.http.get('/local/v1/machine')).json as { gpus: { uuid: string }[] };
    const { uuid } = facts.gpus[0]!;
    const stock =
      'query ($lowest: GpuLowestPriceInput!) { gpuTypes(input: { ids: ["NVIDIA GeForce RTX 4090"] }) { lowestPrice(input: $lowest) { stockStatus availableGpuCounts } } }';
    const lowest = { lowest: { gpuCount: 1, minMemoryInGb: 8, minVcpuCount: 1, secureCloud: true } };
    await changeSettings(engine, { machine: { gpus: { [uuid]: { enabled: false } } } });
    expect(await gpuTypes(stock, lowest)).toEqual([{ lowestPrice: { stockStatus: 'None', availableGpuCounts: [] } }]);
    await changeSettings(engine, { machine: { gpus: { [uuid]: { enabled: true } } } });
    expect(await gpuTypes(stock, lowest)).toEqual([{ lowestPrice: { stockStatus: 'High', availableGpuCounts: [1] } }]);
  });

  test('the processor is a flavor with a price for its cores, and this machine the one data center, all without a key', async () => {
    await changeSettings(engine, { machine: { prices: { cpuHour: 0.02 } } });
    const { status, data } = await askGraphql(
      engine,
      `{ cpuTypes { id displayName cores } dataCenters { id name location gpuAvailability { gpuTypeId displayName stockStatus } }
      gpuTypes { id } cpuFlavors { id groupId minVcpu maxVcpu specifics(input: { instanceId: "cpu3c-2-4" }) { stockStatus securePrice } } }`,
      { key: null },
    );
    expect(status).toBe(200);
    expect(data).toMatchObject({
      cpuTypes: [{ displayName: processorName(cpus()[0]?.model ?? '') || process.arch, cores: cpus().length }],
      dataCenters: [
        {
          id: 'LOCAL-1',
          location: null,
          gpuAvailability: [{ gpuTypeId: GPU, stockStatus: 'High' }, { gpuTypeId: 'CPU' }],
        },
      ],
      gpuTypes: [{ id: GPU }, { id: 'CPU' }],
      cpuFlavors: [
        { id: 'CPU', minVcpu: 1, maxVcpu: cpus().length, specifics: { stockStatus: 'High', securePrice: 0.04 } },
      ],
    });
  });
});
