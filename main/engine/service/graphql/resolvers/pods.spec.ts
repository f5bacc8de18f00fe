/** What tools of the cloud send about Pods and GPU types, asked of the schema over the rules of Pods, with the driver and the prices made up. */
import { graphql } from 'graphql';
import { expect, test } from 'vitest';
import type { GpuType, LowestPrice } from '#contract/api/gpuType.ts';
import { MASK } from '#contract/core/secretPatterns.ts';
import { createFakeIds } from '../../../../../test/support/core/fakes.ts';
import { A40, L4, podMachine, untilRuns, type PodMachineUnderTest } from '../../../../../test/support/pods/fakePods.ts';
import { createManagement } from '../../../domain/resources/resourceService.ts';
import type { Prices } from '../../../domain/billing/pricing.ts';
import { endpointOperations } from './endpoints.ts';
import { gpuTypeOperations } from './gpuTypes.ts';
import { podOperations } from './pods.ts';
import { templateOperations } from './templates.ts';
import { volumeOperations } from './volumes.ts';
import { createGraphql } from '../schema.ts';

const gpuType = (id: string, memoryInGb: number, price: number): GpuType => ({
  id,
  displayName: id,
  manufacturer: 'NVIDIA',
  memoryInGb,
  cudaCores: null,
  maxGpuCount: 1,
  secureCloud: true,
  communityCloud: false,
  securePrice: price,
  communityPrice: price,
});

const prices: Prices = {
  gpuTypes: () => [gpuType(A40, 48, 0.5), gpuType(L4, 24, 0.5), gpuType('CPU', 32, 0.05)],
  perGbHour: () => 0.01,
  perHour: (type, count) => (type === 'CPU' ? 0.05 : 0.5) * count,
  lowestPrice: (gpuTypeId, count): LowestPrice | null => ({
    gpuTypeId,
    gpuName: gpuTypeId,
    uninterruptablePrice: count > 1 ? null : 0.5,
    minimumBidPrice: null,
    minMemory: 32,
    minVcpu: 8,
    stockStatus: count > 1 ? 'None' : 'Low',
    availableGpuCounts: [1],
    maxUnreservedGpuCount: 1,
    totalCount: 2,
    rentedCount: 1,
  }),
};

function asker(machine: PodMachineUnderTest = podMachine()) {
  const now = (): string => new Date(machine.clock.now()).toISOString();
  const { pods, templates, volumes, registryAuths } = machine;
  const nothing = (): never[] => [];
  const unused = {} as Parameters<typeof createManagement>[0]['endpoints'];
  const endpoints = {
    ...unused,
    list: nothing,
    usingTemplate: nothing,
  };
  const management = createManagement({
    ids: createFakeIds(),
    templates,
    endpoints,
    volumes,
    registryAuths,
    pods,
    onEndpointChange: () => undefined,
    onEndpointDelete: () => undefined,
  });
  const { schema, root } = createGraphql([
    templateOperations(templates, management, () => null),
    endpointOperations({
      endpoints,
      templates,
      volumes,
      management,
      workerState: () => ({}) as never,
    }),
    volumeOperations({ volumes, registryAuths, management }),
    gpuTypeOperations({
      prices,
      computer: { cpuModel: 'Some CPU', cores: 8, memoryInGb: 32 },
      dataCenterId: 'LOCAL-1',
    }),
    podOperations({ pods, prices, volumes, workersPerHour: () => 0.25, now }),
  ]);
  /** The answer without its prototypes; errors as messages. */
  const ask = async (
    source: string,
    variableValues?: Record<string, unknown>,
    seesSecrets = true,
  ): Promise<Record<string, unknown>> => {
    const { data, errors } = await graphql({
      schema,
      source,
      rootValue: root,
      contextValue: { seesSecrets },
      ...(variableValues && { variableValues }),
    });
    if (errors) throw new Error(errors.map(({ message }) => message).join('\n'));
    return JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
  };
  return { ...machine, ask };
}

interface Told {
  id: string;
}

/** As the Python SDK writes it, but for its spaces. */
const deployed = (more: string, name = 'podFindAndDeployOnDemand'): string => `mutation {
  ${name}(input: { name: "mine", imageName: "me/image:1", cloudType: ALL, startSsh: true, dataCenterId: null, ${more} }) {
    id imageName env machineId machine { podHostId }
  } }`;

test('podFindAndDeployOnDemand makes the Pod that was asked for', async () => {
  await using on = closing(asker());
  const { podFindAndDeployOnDemand: deployedPod } = (await on.ask(
    deployed(`gpuTypeId: "${L4}", supportPublicIp: true, gpuCount: 1, volumeInGb: 40, minVcpuCount: 2, minMemoryInGb: 15,
      dockerArgs: "python -u 'a b.py'", containerDiskInGb: 10, ports: "8888/http,22/tcp", volumeMountPath: "/data",
      env: [{ key: "A", value: "1" }, { key: "B", value: "x=y" }], allowedCudaVersions: ["12.4", "12.5"],
      countryCode: "SE", minDownload: 100, minUpload: 50, globalNetwork: true`),
  )) as { podFindAndDeployOnDemand: Told };
  expect(deployedPod).toEqual({
    id: deployedPod.id,
    imageName: 'me/image:1',
    env: ['A=1', 'B=x=y'],
    machineId: 'LOCAL-1',
    machine: { podHostId: null },
  });
  expect(on.pods.record(deployedPod.id)).toMatchObject({
    name: 'mine',
    gpuTypeIds: [L4],
    gpuCount: 1,
    gpuUuids: ['GPU-1'],
    volumeInGb: 40,
    containerDiskInGb: 10,
    ports: ['8888/http', '22/tcp'],
    volumeMountPath: '/data',
    dockerArgs: `python -u 'a b.py'`,
    interruptible: false,
    ineffectiveFields: [],
    cloud: {
      cloudType: 'ALL',
      countryCodes: ['SE'],
      allowedCudaVersions: ['12.4', '12.5'],
      supportPublicIp: true,
      globalNetworking: true,
      minDownloadMbps: 100,
      minUploadMbps: 50,
    },
  });
});

test('a Pod names the fields of its request that have no effect, and startJupyter gives it a password', async () => {
  await using on = closing(asker());
  const fields = `gpuTypeId: "${L4}", bidPerGpu: 0.2, minDisk: 20, port: null, startJupyter: true`;
  const { podRentInterruptable: made } = (await on.ask(deployed(fields, 'podRentInterruptable'))) as Record<
    string,
    Told
  >;
  expect((await on.pods.facts(made!.id)).notes).toEqual([
    'These fields of its request have no effect: bidPerGpu, minDisk.',
  ]);
  expect(on.pods.record(made!.id).env).toEqual({ JUPYTER_PASSWORD: expect.stringMatching(/^.{40}$/) });
});

test('of the variables of a Pod, whoever may not see secrets is told the names alone', async () => {
  await using on = closing(asker());
  await on.ask(
    deployed(`gpuTypeId: "${L4}", gpuCount: 1, env: [{ key: "A", value: "1" }, { key: "B", value: "x=y" }]`),
  );
  const query = '{ myself { pods { env } } }';
  expect(await on.ask(query)).toEqual({ myself: { pods: [{ env: ['A=1', 'B=x=y'] }] } });
  expect(await on.ask(query, {}, false)).toEqual({ myself: { pods: [{ env: [`A=${MASK}`, `B=${MASK}`] }] } });
});

test('a Pod says what the list of tools asks for, with its runtime measured once', async () => {
  await using on = closing(asker());
  let measured = 0;
  const load = on.driver.load;
  on.driver.load = (id) => {
    measured += 1;
    return load(id);
  };
  on.volumes.create({ name: 'v', size: 5, dataCenterId: 'LOCAL-1' });
  const { id } = await on.pods.create({
    imageName: 'me/image:1',
    gpuTypeIds: [A40],
    ports: ['22/tcp'],
    dockerStartCmd: ['sh', '-c', 'a b'],
  });
  await untilRuns(on, id);
  on.clock.advance(5000);
  const { myself } =
    (await on.ask(`query myPods { myself { currentSpendPerHr spendDetails { gpuComputePerHour networkStoragePerHour localStoragePerHour } pods {
    id containerDiskInGb costPerHr desiredStatus dockerArgs dockerId env gpuCount imageName lastStatusChange machineId
    memoryInGb name podType port ports uptimeSeconds vcpuCount volumeInGb volumeMountPath gpus { id podId }
    runtime { uptimeInSeconds gpus { id gpuUtilPercent } container { cpuPercent memoryPercent }
      ports { ip isIpPublic privatePort publicPort PortType: type } }
    latestTelemetry { state cpuUtilization individualGpuMetrics { id percentUtilization powerWatts } averageGpuMetrics { percentUtilization } }
    machine { gpuDisplayName gpuAvailable maintenanceStart maintenanceEnd maintenanceNote location dataCenterId gpuType { id lowestPrice { stockStatus } } }
  } } }`)) as { myself: { pods: Told[] } };
  expect(myself).toMatchObject({
    currentSpendPerHr: 0.75,
    spendDetails: { gpuComputePerHour: 0.5, networkStoragePerHour: 0.05, localStoragePerHour: 0.2 },
    pods: [
      {
        id,
        costPerHr: 0.5,
        desiredStatus: 'RUNNING',
        dockerArgs: `sh -c 'a b'`,
        dockerId: null,
        gpuCount: 1,
        podType: 'RESERVED',
        ports: '22/tcp',
        uptimeSeconds: 5,
        gpus: [{ id: 'GPU-0', podId: id }],
        runtime: {
          uptimeInSeconds: 5,
          container: { cpuPercent: 12.5, memoryPercent: 3 },
          ports: [{ ip: '127.0.0.1', isIpPublic: true, privatePort: 22, PortType: 'tcp' }],
        },
        latestTelemetry: {
          state: 'RUNNING',
          cpuUtilization: 12.5,
          individualGpuMetrics: [{ id: 'GPU-0', powerWatts: null }],
        },
        machine: {
          gpuDisplayName: A40,
          gpuAvailable: 1,
          maintenanceStart: null,
          dataCenterId: 'LOCAL-1',
          gpuType: { id: A40, lowestPrice: { stockStatus: 'Low' } },
        },
      },
    ],
  });
  expect(measured).toBe(1);
});

test('deployCpuPod takes the cores and the memory of its instance, and its template only where there is one of that name', async () => {
  await using on = closing(asker());
  const { deployCpuPod } = (await on.ask(
    deployed('instanceId: "cpu3c-4-8", templateId: "runpod-ubuntu"', 'deployCpuPod'),
  )) as { deployCpuPod: Told };
  expect(on.pods.record(deployCpuPod.id)).toMatchObject({
    computeType: 'CPU',
    gpuCount: 0,
    vcpuCount: 4,
    memoryInGb: 8,
    cloud: { cpuFlavorIds: ['cpu3c'] },
    templateId: '',
  });
  await expect(on.ask(deployed('instanceId: "cpu3c-4-8", templateId: "other"', 'deployCpuPod'))).rejects.toThrow(
    /"other" names no template/,
  );
  await expect(on.ask(deployed('instanceId: "cpu3c-4-64"', 'deployCpuPod'))).rejects.toThrow(/memoryInGb is 64/);
  await expect(on.ask(deployed('instanceId: "cpu3c"', 'deployCpuPod'))).rejects.toThrow(/as in cpu3c-2-4/);
  await expect(on.ask(deployed('volumeKey: "secret"'))).rejects.toThrow(/volumeKey is not supported/);
  await expect(
    on.ask('mutation { deployCpuPod(input: { instanceId: "cpu3c-2-4", templateId: "runpod-ubuntu" }) { id } }'),
  ).rejects.toThrow(/"runpod-ubuntu" names no template/);
});

test('an empty GPU type is a Pod on the CPU, and podRentInterruptable makes one that is INTERRUPTABLE', async () => {
  await using on = closing(asker());
  const made = (await on.ask(deployed('gpuTypeId: ""'))) as { podFindAndDeployOnDemand: Told };
  expect(on.pods.record(made.podFindAndDeployOnDemand.id).computeType).toBe('CPU');
  const rent = 'mutation R($input: PodRentInterruptableInput!) { podRentInterruptable(input: $input) { podType } }';
  const input = { imageName: 'me/image:1', bidPerGpu: 0.2, gpuTypeIdList: ['NVIDIA H100 PCIe', A40] };
  expect(await on.ask(rent, { input })).toMatchObject({ podRentInterruptable: { podType: 'INTERRUPTABLE' } });
  expect(on.pods.list().map(({ gpu }) => gpu?.id)).toEqual([undefined, A40]);
});

test('a Pod gets the disk of its template where it names none, and stops and ends at its times', async () => {
  await using on = closing(asker());
  const made = { name: 't', imageName: 'me/of-template', containerDiskInGb: 7, env: { T: '1' } };
  const template = on.templates.create(made);
  const at = (ms: number): string => new Date(on.clock.now() + ms).toISOString();
  const deploy =
    'mutation ($input: PodFindAndDeployOnDemandInput!) { podFindAndDeployOnDemand(input: $input) { id containerDiskInGb imageName } }';
  const input = {
    templateId: template.id,
    imageName: '',
    gpuCount: 0,
    stopAfter: at(60_000),
    terminateAfter: at(120_000),
  };
  const { podFindAndDeployOnDemand: pod } = (await on.ask(deploy, { input })) as { podFindAndDeployOnDemand: Told };
  expect(pod).toMatchObject({ containerDiskInGb: 7, imageName: 'me/of-template' });
  const { stopAfter, terminateAfter } = on.pods.record(pod.id);
  expect([stopAfter, terminateAfter]).toEqual([on.clock.now() + 60_000, on.clock.now() + 120_000]);
  await expect(on.ask(deploy, { input: { ...input, stopAfter: 'tomorrow' } })).rejects.toThrow(/no moment/);
});

test('podStop, podResume, podEditJob and podTerminate act on a Pod; one that is not there is null, or an error of what was to be done', async () => {
  await using on = closing(asker());
  const { id } = await on.pods.create({ imageName: 'me/image:1', gpuTypeIds: [A40] });
  await untilRuns(on, id);
  expect(
    await on.ask(
      `mutation { podStop(input: { podId: "${id}" }) { id desiredStatus runtime { uptimeInSeconds } uptimeSeconds } }`,
    ),
  ).toEqual({
    podStop: { id, desiredStatus: 'EXITED', runtime: null, uptimeSeconds: 0 },
  });
  const resume = `mutation { podResume(input: { podId: "${id}", gpuCount: 1 }) { id desiredStatus imageName env machineId machine { podHostId } } }`;
  expect(await on.ask(resume)).toMatchObject({ podResume: { desiredStatus: 'RUNNING' } });
  await on.ask(`mutation { podStop(input: { podId: "${id}" }) { id } }`);
  expect(
    await on.ask(`mutation { podBidResume(input: { podId: "${id}", bidPerGpu: 0.1, gpuCount: 1 }) { desiredStatus } }`),
  ).toEqual({
    podBidResume: { desiredStatus: 'RUNNING' },
  });
  const edit = `mutation { podEditJob(input: { podId: "${id}", dockerArgs: "sleep 5", env: [{ key: "X", value: "y" }], ports: "80/tcp", volumeInGb: 30 }) { dockerArgs env ports volumeInGb imageName } }`;
  expect(await on.ask(edit)).toEqual({
    podEditJob: { dockerArgs: 'sleep 5', env: ['X=y'], ports: '80/tcp', volumeInGb: 30, imageName: 'me/image:1' },
  });
  expect(await on.ask(`mutation { podTerminate(input: { podId: "${id}" }) }`)).toEqual({ podTerminate: null });
  expect(await on.ask('{ myself { pods { id } } }')).toEqual({ myself: { pods: [] } });
  expect(await on.ask('{ pod(input: { podId: "none" }) { id } }')).toEqual({ pod: null });
  await expect(on.ask('mutation { podStop(input: { podId: "none" }) { id } }')).rejects.toThrow(/no Pod "none"/);
});

test('GPU types are told with their lowest price, by id where one is named', async () => {
  const on = asker();
  expect(await on.ask('query GpuTypes { gpuTypes { id displayName memoryInGb } }')).toMatchObject({
    gpuTypes: [{ id: A40, memoryInGb: 48 }, { id: L4 }, { id: 'CPU' }],
  });
  const one = `query GpuTypes { gpuTypes(input: { id: "${A40}" }) { maxGpuCount id displayName manufacturer memoryInGb cudaCores secureCloud
    communityCloud securePrice communityPrice oneMonthPrice threeMonthPrice oneWeekPrice communitySpotPrice secureSpotPrice
    maxGpuCountSecureCloud maxGpuCountCommunityCloud
    lowestPrice(input: { gpuCount: 2 }) { minimumBidPrice uninterruptablePrice stockStatus availableGpuCounts rentalPercentage } } }`;
  expect(await on.ask(one)).toMatchObject({
    gpuTypes: [
      {
        id: A40,
        securePrice: 0.5,
        oneMonthPrice: null,
        maxGpuCountSecureCloud: 1,
        maxGpuCountCommunityCloud: 0,
        lowestPrice: {
          uninterruptablePrice: null,
          stockStatus: 'None',
          availableGpuCounts: [1],
          rentalPercentage: 0.5,
        },
      },
    ],
  });
  const several =
    'query ($input: GpuTypeFilter, $lowest: GpuLowestPriceInput!) { gpuTypes(input: $input) { id lowestPrice(input: $lowest) { gpuName gpuTypeId minMemory minVcpu } } }';
  const variables = {
    input: { ids: [L4, 'NVIDIA H100 PCIe'] },
    lowest: { gpuCount: 1, secureCloud: true, totalDisk: 20 },
  };
  expect(await on.ask(several, variables)).toMatchObject({ gpuTypes: [{ id: L4, lowestPrice: { minMemory: 32 } }] });
});

test('the processor is a flavor of its own, and this machine the one data center', async () => {
  const on = asker();
  expect(
    await on.ask(`{ cpuTypes { id cores } cpuFlavors(input: { id: "CPU" }) { id displayName minVcpu maxVcpu ramMultiplier
      specifics(input: { instanceId: "cpu3c-4-8" }) { stockStatus securePrice slsPrice } } none: cpuFlavors(input: { id: "cpu3c" }) { id } }`),
  ).toEqual({
    cpuTypes: [{ id: 'Some CPU', cores: 8 }],
    cpuFlavors: [
      {
        id: 'CPU',
        displayName: 'Some CPU',
        minVcpu: 1,
        maxVcpu: 8,
        ramMultiplier: 4,
        specifics: { stockStatus: 'Low', securePrice: 0.2, slsPrice: 0.2 },
      },
    ],
    none: [],
  });
  expect(
    await on.ask(
      '{ dataCenters { id name location gpuAvailability { gpuTypeId displayName stockStatus available } } }',
    ),
  ).toMatchObject({
    dataCenters: [
      {
        id: 'LOCAL-1',
        location: null,
        gpuAvailability: [{ gpuTypeId: A40, stockStatus: 'Low', available: true }, {}, {}],
      },
    ],
  });
});

const closing = <T extends PodMachineUnderTest>(on: T): T & AsyncDisposable =>
  Object.assign(on, {
    [Symbol.asyncDispose]: async () => {
      await on.pods.leave();
    },
  });
