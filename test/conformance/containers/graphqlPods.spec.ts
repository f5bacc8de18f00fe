/** Pods over GraphQL, on real containers, with the operations that public tools send. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { askGraphql, graphqlData } from '../../support/http/graphql.ts';
import { startPodEngine, type PodEngine } from '../../support/pods/podEngine.ts';
import { SHELL_IMAGE, type PodsOf } from '../../support/pods/pods.ts';
import { changeSettings } from '../../support/engine/settings.ts';
import { until } from '../../support/core/until.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoContainers();
/** One line, as tools send a command: it stays until it is asked to end. */
const STAYS = `sh -c 'trap \\"exit 0\\" TERM; env > /workspace/env; echo -n x >> /workspace/starts; while :; do sleep 0.1; done'`;

interface Told {
  id: string;
  desiredStatus: string;
}

describe('Pods over GraphQL', skipFor(none), () => {
  let started: PodEngine;
  let containers: TestContainerEngine;
  let engine: TestEngine;
  let pods: PodsOf;
  beforeAll(async () => {
    started = await startPodEngine();
    ({ containers, engine, pods } = started);
  });
  afterEach(() => pods.deleteAll());
  afterAll(() => started.close());

  const one = async <T = Told>(query: string, field: string, variables?: object): Promise<T> =>
    (await graphqlData(engine, query, variables))[field] as T;
  const fileOf = (id: string, name: string): string => {
    const file = join(engine.dataDir, 'pods', id, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };

  /** The text of the Python SDK for a Pod with a GPU of any type, but for its spaces. */
  const deploy = (more = ''): string => `mutation {
    podFindAndDeployOnDemand(input: { name: "mine", imageName: "${SHELL_IMAGE}", cloudType: ALL, startSsh: true,
      gpuTypeId: "CPU", supportPublicIp: true, gpuCount: 1, volumeInGb: 1, minVcpuCount: 1, minMemoryInGb: 1,
      dataCenterId: null, dockerArgs: "${STAYS}", containerDiskInGb: 1, ports: "8000/http,9000/tcp",
      volumeMountPath: "/workspace", env: [{ key: "GREETING", value: "hello" }]${more} }) {
      id imageName env machineId machine { podHostId }
    }
  }`;
  const MY_PODS = `query myPods { myself { currentSpendPerHr pods { id containerDiskInGb costPerHr desiredStatus dockerArgs dockerId env
    gpuCount imageName lastStatusChange machineId memoryInGb name podType port ports uptimeSeconds vcpuCount volumeInGb
    volumeMountPath runtime { uptimeInSeconds container { cpuPercent memoryPercent }
      ports { ip isIpPublic privatePort publicPort PortType: type } }
    machine { gpuDisplayName location gpuAvailable maintenanceStart maintenanceEnd maintenanceNote } } } }`;

  test('podFindAndDeployOnDemand, as the Python SDK writes it, starts a container with its variables and the public key', async () => {
    await graphqlData(engine, 'mutation { updateUserSettings(input: { pubKey: "ssh-ed25519 AAAA me" }) { id } }');
    const made = await one(deploy(), 'podFindAndDeployOnDemand');
    expect(made).toEqual({
      id: made.id,
      imageName: SHELL_IMAGE,
      env: ['GREETING=hello'],
      machineId: 'LOCAL-1',
      machine: { podHostId: null },
    });
    await until('it to write', () => fileOf(made.id, 'starts'), 'x');
    const env = fileOf(made.id, 'env');
    expect(env).toMatch(/^GREETING=hello$/m);
    expect(env).toMatch(/^PUBLIC_KEY=ssh-ed25519 AAAA me$/m);
    expect(await pods.get(made.id)).toMatchObject({ name: 'mine', desiredStatus: 'RUNNING', volumeInGb: 1 });
  });

  test('the list of Pods, as the Python SDK and the command-line tool ask for it, tells of a running one', async () => {
    await changeSettings(engine, { machine: { prices: { cpuHour: 0.5 } } });
    const { id } = await one(deploy(), 'podFindAndDeployOnDemand');
    await pods.running(id);
    const { portMappings, costPerHr } = await pods.get(id);
    const { currentSpendPerHr, pods: list } = await one<{ currentSpendPerHr: number; pods: object[] }>(
      MY_PODS,
      'myself',
    );
    expect([currentSpendPerHr, costPerHr > 0]).toEqual([costPerHr, true]);
    expect(list).toMatchObject([
      {
        id,
        name: 'mine',
        desiredStatus: 'RUNNING',
        podType: 'RESERVED',
        ports: '8000/http,9000/tcp',
        costPerHr,
        dockerArgs: STAYS.replaceAll('\\"', '"'),
        env: ['GREETING=hello'],
        dockerId: null,
        port: null,
        runtime: {
          container: { cpuPercent: expect.any(Number) as number, memoryPercent: expect.any(Number) as number },
        },
        machine: { maintenanceStart: null, gpuDisplayName: expect.any(String) as string },
      },
    ]);
    const { runtime } = list[0] as { runtime: { ports: object[] } };
    expect(runtime.ports).toContainEqual({
      ip: '127.0.0.1',
      isIpPublic: true,
      privatePort: 9000,
      publicPort: portMappings!['9000'],
      PortType: 'tcp',
    });
  });

  test('podStop stops it and keeps its volume, podResume goes on with it, podTerminate deletes it', async () => {
    const { id } = await one(deploy(), 'podFindAndDeployOnDemand');
    await until('it to write', () => fileOf(id, 'starts'), 'x');
    expect(await one(`mutation { podStop(input: { podId: "${id}" }) { id desiredStatus } }`, 'podStop')).toEqual({
      id,
      desiredStatus: 'EXITED',
    });
    const stopped = await one<object>(
      `query pod { pod(input: { podId: "${id}" }) { desiredStatus uptimeSeconds runtime { uptimeInSeconds } } }`,
      'pod',
    );
    expect(stopped).toEqual({ desiredStatus: 'EXITED', uptimeSeconds: 0, runtime: null });
    const resume = `mutation { podResume(input: { podId: "${id}" }) { id costPerHr desiredStatus lastStatusChange } }`;
    expect(await one(resume, 'podResume')).toMatchObject({ id, desiredStatus: 'RUNNING' });
    await until('it to write again', () => fileOf(id, 'starts'), 'xx');
    expect(await graphqlData(engine, `mutation { podTerminate(input: { podId: "${id}" }) }`)).toEqual({
      podTerminate: null,
    });
    expect(await pods.list()).toEqual([]);
    expect(await containers.docker.listContainers({ all: true })).toEqual([]);
    const again = await askGraphql(engine, `mutation { podTerminate(input: { podId: "nothing" }) }`);
    expect(again).toMatchObject({ status: 200, data: { podTerminate: null }, errors: [{ code: 'NOT_FOUND' }] });
  });

  test('deployCpuPod, as the Python SDK writes it, runs on the CPU with the cores and the memory of its instance, and says what holds its disk', async () => {
    const made = await one(
      `mutation { deployCpuPod(input: { name: "cpu", imageName: "${SHELL_IMAGE}", cloudType: SECURE, startSsh: true, instanceId: "cpu3c-1-1",
        dataCenterId: null, dockerArgs: "${STAYS}", containerDiskInGb: 1, ports: "80/tcp", templateId: "runpod-ubuntu" })
        { id imageName env machineId machine { podHostId } } }`,
      'deployCpuPod',
    );
    await pods.running(made.id);
    expect(await pods.get(made.id)).toMatchObject({ vcpuCount: 1, memoryInGb: 1, gpuCount: 0, gpu: null });
    const [{ Id } = { Id: '' }] = await containers.docker.listContainers();
    const { HostConfig } = await containers.docker.getContainer(Id).inspect();
    expect(HostConfig).toMatchObject({ NanoCpus: 1e9, Memory: 2 ** 30, MemorySwap: 2 ** 30 });
    // The storage of the engine here has no quotas.
    expect((await pods.facts(made.id)).notes).toEqual([
      expect.stringContaining('containerDiskInGb (1) is not enforced'),
    ]);
  });

  test('podEditJob changes what a Pod runs, and podRentInterruptable makes one that is INTERRUPTABLE', async () => {
    const input = {
      imageName: SHELL_IMAGE,
      gpuTypeId: '',
      bidPerGpu: 0.1,
      gpuCount: 1,
      ports: '',
      dockerArgs: STAYS.replaceAll('\\"', '"'),
    };
    const made = await one<Told & { podType: string }>(
      'mutation Rent($input: PodRentInterruptableInput!) { podRentInterruptable(input: $input) { id podType } }',
      'podRentInterruptable',
      { input },
    );
    expect(made.podType).toBe('INTERRUPTABLE');
    await until('it to write', () => fileOf(made.id, 'starts'), 'x');
    const edit = 'mutation Edit($input: PodEditJobInput!) { podEditJob(input: $input) { env dockerArgs imageName } }';
    const changed = { podId: made.id, env: [{ key: 'WORD', value: 'new' }], imageName: SHELL_IMAGE };
    expect(await one<object>(edit, 'podEditJob', { input: changed })).toMatchObject({ env: ['WORD=new'] });
    await until(
      'it to run with it',
      () => fileOf(made.id, 'env'),
      (text) => text.includes('WORD=new'),
    );
  });

  test('what is not possible is an error of the mutation, in the words of /v1', async () => {
    const refused = async (more: string): Promise<string> =>
      (await askGraphql(engine, deploy(more))).errors[0]!.message;
    expect(await refused(', networkVolumeId: "none"')).toMatch(/"none" names no network volume/);
    expect(await refused(', templateId: "none"')).toMatch(/"none" names no template/);
    expect(await refused(', stopAfter: "soon"')).toMatch(/no moment/);
    const many = deploy().replace('minMemoryInGb: 1,', 'minMemoryInGb: 100000,');
    const { status, errors } = await askGraphql(engine, many);
    expect([status, errors[0]?.code]).toEqual([200, 'BAD_USER_INPUT']);
    expect(await pods.list()).toEqual([]);
  });
});
