import { describe, expect, test } from 'vitest';
import { podSchema, type PodChangeRequest, type PodCloudFields, type PodCreate } from '#contract/api/pod.ts';
import {
  A40,
  doneTo,
  fakeGpu,
  claimedGpus,
  L4,
  podMachine,
  untilRuns,
} from '../../../../test/support/pods/fakePods.ts';
import { until } from '../../../../test/support/core/until.ts';

const image = 'me/image:1';

describe('a Pod is made', () => {
  test('with the defaults of the description, and runs on the first GPU there is', async () => {
    const on = podMachine();
    const pod = await on.pods.create({ imageName: image });
    expect(podSchema.parse(pod)).toMatchObject({
      name: 'my pod',
      image,
      imageName: image,
      desiredStatus: 'RUNNING',
      containerDiskInGb: 50,
      volumeInGb: 20,
      volumeMountPath: '/workspace',
      ports: ['8888/http', '22/tcp'],
      env: {},
      dockerEntrypoint: [],
      interruptible: false,
      locked: false,
      gpuCount: 1,
      costPerHr: 0.5,
      portMappings: null,
      publicIp: null,
      networkVolumeId: null,
      templateId: '',
      vcpuCount: 8,
      memoryInGb: 32,
      slsVersion: 0,
      volumeEncrypted: false,
      gpu: { id: A40, count: 1 },
    });
    expect(claimedGpus(on)).toEqual([`GPU-0 ${pod.id}`]);
    await untilRuns(on, pod.id);
    expect(on.pods.get(pod.id)).toMatchObject({ portMappings: { '22': 40_001 }, publicIp: '127.0.0.1' });
    expect(on.driver.plans[0]).toMatchObject({
      mounts: [{ folder: `/pods/${pod.id}`, at: '/workspace' }],
      env: {
        RUNPOD_POD_ID: pod.id,
        RUNPOD_GPU_COUNT: '1',
        RUNPOD_CPU_COUNT: '8',
        RUNPOD_DC_ID: 'LOCAL-1',
        PUBLIC_KEY: 'ssh-ed25519 AAAA me',
      },
    });
  });

  test('with the folder of its own volume, until it is deleted; without a volume it has none', async () => {
    const on = podMachine();
    const [own, none] = [
      await on.pods.create({ imageName: image }),
      await on.pods.create({ imageName: image, volumeInGb: 0 }),
    ];
    expect([own.id, none.id, 'nobody'].map(on.pods.volumeFolder)).toEqual([`/pods/${own.id}`, null, null]);
    await on.pods.terminate(own.id);
    expect(on.pods.volumeFolder(own.id)).toBeNull();
    expect([...on.folders]).toEqual([]);
  });

  test('from its template, whose variables its own are put over', async () => {
    const on = podMachine();
    const template = on.templates.create({
      name: 't',
      imageName: 'from/template',
      env: { A: '1', B: '2' },
      containerDiskInGb: 7,
      volumeInGb: 0,
      ports: ['80/http'],
      dockerStartCmd: ['serve'],
      volumeMountPath: '/data',
    });
    expect(await on.pods.create({ templateId: template.id, env: { B: 'own' } })).toMatchObject({
      image: 'from/template',
      env: { A: '1', B: 'own' },
      containerDiskInGb: 7,
      volumeInGb: 0,
      ports: ['80/http'],
      dockerStartCmd: ['serve'],
      volumeMountPath: '/data',
      templateId: template.id,
    });
    expect(on.pods.usingTemplate(template.id)).toHaveLength(1);
  });

  test.each([
    [{}, 'imageName or templateId is needed'],
    [{ templateId: 'nope' }, 'templateId "nope" names no template'],
    [{ imageName: 'file:///home/me/handler' }, 'which only endpoints run'],
    [{ imageName: 'https://ghcr.io/me' }, '"https://ghcr.io/me" cannot be the name of an image'],
    [{ imageName: image, networkVolumeId: 'v' }, 'networkVolumeId "v" names no network volume'],
    [{ imageName: image, containerRegistryAuthId: 'r' }, 'names no container registry auth'],
    [{ imageName: image, env: { 'A=B': '1' } }, '"A=B" is no name of a variable'],
    [{ imageName: image, ports: ['80/http', '80/tcp'] }, 'ports names 80 twice'],
    [{ imageName: image, vcpuCount: 9 }, 'this machine has 8 cores'],
    [{ imageName: image, memoryInGb: 33 }, 'this machine has 32 GB'],
    [{ imageName: image, minRAMPerGPU: 64 }, '64 GB are wanted'],
  ])('only of what there is: %j is refused in words', async (input, words) => {
    const on = podMachine();
    await expect(on.pods.create(input)).rejects.toThrow(words);
    await expect(on.pods.create(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(on.pods.list()).toEqual([]);
    expect(claimedGpus(on)).toEqual([]);
  });

  test('of a line of arguments only where its quotes are closed', async () => {
    const on = podMachine();
    const refused = on.pods.create({ imageName: image }, { dockerArgs: 'bash -c "sleep 5' });
    await expect(refused).rejects.toThrow('has a " that is not closed');
    const { id } = await on.pods.create({ imageName: image }, { dockerArgs: `bash -c 'sleep 5'` });
    await expect(on.pods.update(id, { dockerArgs: "it's" })).rejects.toThrow("has a ' that is not closed");
    expect(on.pods.record(id).dockerArgs).toBe(`bash -c 'sleep 5'`);
  });

  test('on the first type of its list that is free', async () => {
    const on = podMachine();
    const wish = { imageName: image, gpuTypeIds: [A40, L4] };
    expect((await on.pods.create(wish)).gpu?.id).toBe(A40);
    expect((await on.pods.create(wish)).gpu?.id).toBe(L4);
    const refused = on.pods.create(wish);
    await expect(refused).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(refused).rejects.toThrow(
      /no longer any instances.*Pods "my pod" \(\w+\), "my pod" \(\w+\) hold NVIDIA A40, NVIDIA L4/,
    );
  });

  test('not on a GPU that this machine does not have: it says which it has', async () => {
    const on = podMachine();
    await expect(on.pods.create({ imageName: image, gpuTypeIds: ['NVIDIA H100'] })).rejects.toThrow(
      /no longer any instances.*1 GPU of type NVIDIA H100 is wanted, and this machine has 1 NVIDIA A40, 1 NVIDIA L4/,
    );
  });

  test.each([
    ['gpuCount 0', { gpuCount: 0 }, [fakeGpu(A40, 0, 48)]],
    ['computeType CPU', { computeType: 'CPU' as const }, [fakeGpu(A40, 0, 48)]],
    ['no GPU in the machine, and none named', {}, []],
  ])('on the CPU for %s', async (_, input, gpus) => {
    const on = podMachine({ gpus });
    const pod = await on.pods.create({ imageName: image, ...input });
    expect(pod).toMatchObject({ gpu: null, gpuCount: 0, costPerHr: 0.1, computeType: 'CPU' });
    expect(claimedGpus(on)).toEqual([]);
  });

  test('with the cores that the description gives to a Pod on the CPU', async () => {
    const on = podMachine();
    expect((await on.pods.create({ imageName: image, computeType: 'CPU' })).vcpuCount).toBe(2);
    expect((await on.pods.create({ imageName: image, computeType: 'CPU', vcpuCount: 4 })).vcpuCount).toBe(4);
  });

  test('on the CPU with the memory that is asked for, or that its flavor has for each core', async () => {
    const on = podMachine();
    const made = (fields: object) => on.pods.create({ imageName: image, computeType: 'CPU', vcpuCount: 2, ...fields });
    expect(await made({ memoryInGb: 3 })).toMatchObject({ vcpuCount: 2, memoryInGb: 3 });
    const cpuFlavorIds = ['cpu3m', 'cpu3c'];
    expect(await made({ cpuFlavorIds })).toMatchObject({ memoryInGb: 16, cpuFlavorId: 'cpu3m', cpuFlavorIds });
    expect(await made({ cpuFlavorIds, memoryInGb: 3 })).toMatchObject({ memoryInGb: 3 });
    const { id } = await made({});
    // All that there is.
    expect(on.pods.record(id).memoryInGb).toBe(0);
    expect(on.pods.get(id).memoryInGb).toBe(32);
  });

  test('with what only a cloud heeds kept and told', async () => {
    const on = podMachine();
    const { globalNetworking: _changeable, ...cloud } = {
      cloudType: 'COMMUNITY' as const,
      gpuTypePriority: 'custom' as const,
      cpuFlavorIds: ['cpu5c' as const],
      cpuFlavorPriority: 'custom' as const,
      dataCenterIds: ['EU-RO-1' as const],
      dataCenterPriority: 'custom' as const,
      countryCodes: ['SE'],
      allowedCudaVersions: ['12.4' as const],
      supportPublicIp: true,
      minRAMPerGPU: 1,
      minVCPUPerGPU: 1,
      minDiskBandwidthMBps: 10,
      minDownloadMbps: 20,
      minUploadMbps: 30,
      globalNetworking: false,
    } satisfies Required<PodCloudFields>;
    const { id } = await on.pods.create({ imageName: image, ...cloud });
    expect(on.pods.get(id)).toMatchObject(cloud);
    expect(await on.pods.update(id, { globalNetworking: true })).toMatchObject({ ...cloud, globalNetworking: true });
    const next = await on.again();
    expect(next.pods.get(id)).toMatchObject({ ...cloud, globalNetworking: true });
  });

  test('not without a container engine: what is missing is said', async () => {
    const on = podMachine();
    on.driver.missing = 'Install Docker.';
    await expect(on.pods.create({ imageName: image })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Install Docker.',
    });
    expect(claimedGpus(on)).toEqual([]);
  });

  test('with a network volume in place of its own', async () => {
    const on = podMachine();
    const volume = on.volumes.create({ name: 'v', size: 10, dataCenterId: 'LOCAL-1' });
    const pod = await on.pods.create({ imageName: image, networkVolumeId: volume.id });
    expect(pod).toMatchObject({ networkVolumeId: volume.id, volumeInGb: 0 });
    await untilRuns(on, pod.id);
    expect(on.driver.plans[0]).toMatchObject({
      mounts: [{ folder: on.volumes.folderOf(volume.id), at: '/workspace' }],
      env: { RUNPOD_VOLUME_ID: volume.id },
    });
    expect(on.folders.size).toBe(0);
    expect(on.pods.usingVolume(volume.id)).toHaveLength(1);
  });

  test('with a note of the fields that have no effect beside its others', async () => {
    const on = podMachine();
    const { id: networkVolumeId } = on.volumes.create({ name: 'v', size: 10, dataCenterId: 'LOCAL-1' });
    const notesOf = async (input: Omit<PodCreate, 'imageName'>): Promise<string[] | undefined> => {
      const { id } = await on.pods.create({ imageName: image, ...input });
      return (await on.pods.facts(id)).notes;
    };
    const note = (fields: string): string => `These fields of its request have no effect: ${fields}.`;
    expect(await notesOf({ computeType: 'CPU', gpuTypeIds: [A40], gpuCount: 2 })).toEqual([
      note('gpuTypeIds, gpuCount'),
    ]);
    expect(await notesOf({ networkVolumeId, volumeInGb: 5, cpuFlavorIds: ['cpu3c'] })).toEqual([
      note('volumeInGb, cpuFlavorIds'),
    ]);
    expect(await notesOf({ gpuTypeIds: ['CPU'], cpuFlavorIds: ['cpu3c'], volumeInGb: 5 })).toEqual([]);
  });
});

describe('changes', () => {
  test('of its name and lock are made in place', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await untilRuns(on, id);
    expect(await on.pods.update(id, { name: 'new', locked: true })).toMatchObject({ name: 'new', locked: true });
    expect(doneTo(on, id)).toEqual(['start']);
  });

  test('of what its container is made of make it anew, where it runs', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await untilRuns(on, id);
    await on.pods.update(id, { env: { A: '1' } });
    await until('a new container', () => doneTo(on, id).length, 4);
    expect(doneTo(on, id)).toEqual(['start', 'stop', 'remove', 'start']);
    await on.pods.stop(id);
    await on.pods.update(id, { env: { A: '2' } });
    expect(doneTo(on, id)).toHaveLength(5);
    await on.pods.start(id);
    await until('the change to be used', () => on.driver.plans.at(-1)!.env['A'], '2');
  });

  test('that come together are all kept', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await Promise.all([
      on.pods.update(id, { name: 'a' }),
      on.pods.update(id, { env: { A: '1' } }),
      on.pods.update(id, { ports: ['80/http'] }),
      on.pods.update(id, { containerDiskInGb: 9 }),
    ]);
    expect(on.pods.get(id)).toMatchObject({ name: 'a', env: { A: '1' }, ports: ['80/http'], containerDiskInGb: 9 });
    await untilRuns(on, id);
    expect(on.driver.plans.at(-1)!.pod).toMatchObject({ env: { A: '1' }, ports: ['80/http'] });
  });

  test('of the own volume of a Pod with a network volume are refused, unless they name its size of 0', async () => {
    const on = podMachine();
    const { id: networkVolumeId } = on.volumes.create({ name: 'v', size: 10, dataCenterId: 'LOCAL-1' });
    const { id } = await on.pods.create({ imageName: image, networkVolumeId });
    expect(await on.pods.update(id, { volumeInGb: 0, name: 'other' })).toMatchObject({ name: 'other' });
    await expect(on.pods.update(id, { volumeInGb: 9 })).rejects.toThrow(/network volume .* replaces/);
  });

  test('of what is fixed are refused with what to do instead, unless they name what it is', async () => {
    const on = podMachine();
    const made = await on.pods.create({ imageName: image, gpuCount: 1, dataCenterIds: ['EU-RO-1'] });
    const { id, gpuCount, networkVolumeId, vcpuCount, memoryInGb } = made;
    const same = { gpuCount, networkVolumeId, vcpuCount, memoryInGb, dataCenterIds: ['EU-RO-1'] };
    expect(await on.pods.update(id, { ...same, name: 'other' })).toMatchObject({ name: 'other', gpuCount: 1 });
    for (const [change, words] of [
      [{ gpuCount: 2 }, /gpuCount is fixed .*podResume/],
      [{ networkVolumeId: 'v' }, /networkVolumeId is fixed .*Make another Pod/],
      [{ vcpuCount: 1 }, /vcpuCount is fixed .*PATCH .*limits/],
      [{ dataCenterIds: [] }, 'dataCenterIds is fixed'],
      [{ supportPublicIp: true }, 'supportPublicIp is fixed'],
    ] as const) {
      await expect(on.pods.update(id, { ...change, name: 'third' } as PodChangeRequest)).rejects.toThrow(words);
    }
    expect(on.pods.get(id).name).toBe('other');
  });

  test('that are wrong change nothing', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await expect(on.pods.update(id, { imageName: 'file:///x' })).rejects.toThrow('only endpoints run');
    expect(on.pods.get(id).image).toBe(image);
  });
});

describe('a locked Pod', () => {
  test('refuses to be stopped, reset, deleted and made anew, until it is unlocked', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image, locked: true });
    await untilRuns(on, id);
    await expect(on.pods.stop(id)).rejects.toThrow('is locked, so it is not stopped');
    await expect(on.pods.reset(id)).rejects.toThrow('is locked, so it is not reset');
    await expect(on.pods.terminate(id)).rejects.toThrow('is locked, so it is not deleted');
    await expect(on.pods.update(id, { env: { A: '1' } })).rejects.toThrow('is locked');
    await on.pods.restart(id);
    await on.pods.update(id, { env: { A: '1' }, locked: false });
    await on.pods.stop(id);
    expect(on.pods.get(id).desiredStatus).toBe('EXITED');
  });
});

describe('changes of Pods', () => {
  test('each change of a record, a container and a step is told, until the listener leaves or the engine ends', async () => {
    const on = podMachine();
    await on.pods.begin();
    const changedIds = new Set<string>();
    const leave = on.pods.onChange((podId) => void changedIds.add(podId));
    const { release } = on.driver.hold();
    const { id } = await on.pods.create({ imageName: image });
    expect(changedIds.has(id)).toBe(true);
    changedIds.clear();
    on.driver.reports(id, `Pulling ${image}, 80 %`);
    expect(changedIds.has(id)).toBe(true);
    expect((await on.pods.facts(id)).preparing).toBe(`Pulling ${image}, 80 %`);
    release();
    await untilRuns(on, id);
    changedIds.clear();
    on.driver.ends(id, 3);
    await until('its end to be told', () => changedIds.has(id));
    leave();
    changedIds.clear();
    await on.pods.stop(id);
    expect(changedIds.size).toBe(0);
  });
});

describe('what is told of one that runs', () => {
  test('its uptime, its ports, its GPUs and what its container uses', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await untilRuns(on, id);
    on.clock.advance(5500);
    expect(await on.pods.facts(id)).toEqual({
      id,
      limits: { vcpuCount: null, memoryInGb: null },
      autoStop: expect.objectContaining({ next: null, stopped: null }),
      preparing: null,
      problem: null,
      nextTryAt: null,
      gpus: ['GPU-0'],
      httpAddresses: { '8888': `http://${id}-8888.localhost:47800/` },
      asksForKey: true,
      notes: [],
      restarts: null,
      runtime: {
        uptimeInSeconds: 5,
        ports: [
          { ip: '127.0.0.1', isIpPublic: false, privatePort: 8888, publicPort: 40_000, type: 'http' },
          { ip: '127.0.0.1', isIpPublic: true, privatePort: 22, publicPort: 40_001, type: 'tcp' },
        ],
        gpus: [{ id: 'GPU-0', gpuUtilPercent: 0, memoryUtilPercent: 0 }],
        container: { cpuPercent: 12.5, memoryPercent: 3 },
      },
    });
  });

  test('where its http ports are reached, and why they are not', async () => {
    const on = podMachine();
    const { release } = on.driver.hold();
    const { id } = await on.pods.create({ imageName: image });
    expect(() => on.pods.reach(id, 8888)).toThrow(`Pulling ${image}, 40 %`);
    release();
    await untilRuns(on, id);
    expect(on.pods.reach(id, 8888)).toMatchObject({ host: '127.0.0.1', port: 40_000 });
    expect(() => on.pods.reach(id, 22)).toThrow('its http ports: 8888');
    await on.pods.stop(id);
    expect(() => on.pods.reach(id, 8888)).toThrow('It is stopped');
    expect(() => on.pods.reach('nope', 8888)).toThrow('There is no Pod "nope"');
  });
});
