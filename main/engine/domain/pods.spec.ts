import { describe, expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { podSchema } from '#contract/pod.ts';
import { A40, fakeGpu, L4, podMachine, type PodMachineUnderTest } from '../../../test/support/fakePods.ts';
import { until } from '../../../test/support/until.ts';

const image = 'me/image:1';
const runs = (on: PodMachineUnderTest, id: string): Promise<unknown> =>
  until('the container to run', () => on.driver.containers.get(id)?.running === true && !settling(on, id));
const settling = (on: PodMachineUnderTest, id: string): boolean => on.pods.get(id).publicIp === null;
const heldBy = (on: PodMachineUnderTest): string[] =>
  on.gpus.list().flatMap(({ uuid, heldBy: holders }) => holders.map((holder) => `${uuid} ${Object.values(holder)[0]}`));
const calls = (on: PodMachineUnderTest, id: string): string[] =>
  on.driver.done.filter((one) => one.endsWith(id)).map((one) => one.split(' ')[0]!);

describe('a Pod is made', () => {
  test('with the defaults of the description, and runs on the first GPU there is', async () => {
    const on = podMachine();
    const pod = await on.pods.create({ imageName: image });
    expect(podSchema.parse(pod)).toMatchObject({
      ...{ name: 'my pod', image, imageName: image, desiredStatus: 'RUNNING', containerDiskInGb: 50, volumeInGb: 20 },
      ...{ volumeMountPath: '/workspace', ports: ['8888/http', '22/tcp'], env: {}, dockerEntrypoint: [] },
      ...{ interruptible: false, locked: false, gpuCount: 1, costPerHr: 0.5, portMappings: null, publicIp: null },
      ...{ networkVolumeId: null, templateId: '', vcpuCount: 8, memoryInGb: 32, slsVersion: 0, volumeEncrypted: false },
      gpu: { id: A40, count: 1 },
    });
    expect(heldBy(on)).toEqual([`GPU-0 ${pod.id}`]);
    await runs(on, pod.id);
    expect(on.pods.get(pod.id)).toMatchObject({ portMappings: { '22': 40_001 }, publicIp: '127.0.0.1' });
    expect(on.driver.plans[0]).toMatchObject({
      mounts: [{ folder: `/pods/${pod.id}`, at: '/workspace' }],
      env: { RUNPOD_POD_ID: pod.id, RUNPOD_GPU_COUNT: '1', RUNPOD_CPU_COUNT: '8', RUNPOD_DC_ID: 'LOCAL' },
    });
  });

  test('from its template, whose variables its own are put over', async () => {
    const on = podMachine();
    const template = on.templates.create({
      ...{ name: 't', imageName: 'from/template', env: { A: '1', B: '2' }, containerDiskInGb: 7, volumeInGb: 0 },
      ...{ ports: ['80/http'], dockerStartCmd: ['serve'], volumeMountPath: '/data' },
    });
    expect(await on.pods.create({ templateId: template.id, env: { B: 'own' } })).toMatchObject({
      ...{ image: 'from/template', env: { A: '1', B: 'own' }, containerDiskInGb: 7, volumeInGb: 0, ports: ['80/http'] },
      ...{ dockerStartCmd: ['serve'], volumeMountPath: '/data', templateId: template.id },
    });
    expect(on.pods.usingTemplate(template.id)).toHaveLength(1);
  });

  test.each([
    [{}, 'imageName or templateId is needed'],
    [{ templateId: 'nope' }, 'templateId "nope" names no template'],
    [{ imageName: 'file:///home/me/handler' }, 'which only endpoints run'],
    [{ imageName: image, networkVolumeId: 'v' }, 'networkVolumeId "v" names no network volume'],
    [{ imageName: image, containerRegistryAuthId: 'r' }, 'names no container registry auth'],
    [{ imageName: image, env: { 'A=B': '1' } }, '"A=B" is no name of a variable'],
    [{ imageName: image, ports: ['80/http', '80/tcp'] }, 'ports names 80 twice'],
    [{ imageName: image, vcpuCount: 9 }, 'this machine has 8 cores'],
    [{ imageName: image, minRAMPerGPU: 64 }, '64 GB are wanted'],
  ])('only of what there is: %j is refused in words', async (input, words) => {
    const on = podMachine();
    await expect(on.pods.create(input)).rejects.toThrow(words);
    await expect(on.pods.create(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(on.pods.list()).toEqual([]);
    expect(heldBy(on)).toEqual([]);
  });

  test('on the first type of its list that is free', async () => {
    const on = podMachine();
    const wish = { imageName: image, gpuTypeIds: [A40, L4] };
    expect((await on.pods.create(wish)).gpu?.id).toBe(A40);
    expect((await on.pods.create(wish)).gpu?.id).toBe(L4);
    const refused = on.pods.create(wish);
    await expect(refused).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(refused).rejects.toThrow(/no longer any instances.*Pods \w+, \w+ hold NVIDIA A40, NVIDIA L4/);
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
    expect(pod).toMatchObject({ gpu: null, gpuCount: 0, costPerHr: 0.05, computeType: 'CPU' });
    expect(heldBy(on)).toEqual([]);
  });

  test('with the cores that the description gives to a Pod on the CPU', async () => {
    const on = podMachine();
    expect((await on.pods.create({ imageName: image, computeType: 'CPU' })).vcpuCount).toBe(2);
    expect((await on.pods.create({ imageName: image, computeType: 'CPU', vcpuCount: 4 })).vcpuCount).toBe(4);
  });

  test('not without a container engine: what is missing is said', async () => {
    const on = podMachine();
    on.driver.missing = 'Install Docker.';
    await expect(on.pods.create({ imageName: image })).rejects.toMatchObject({
      ...{ code: 'UNAVAILABLE', message: 'Install Docker.' },
    });
    expect(heldBy(on)).toEqual([]);
  });

  test('with a network volume in place of its own', async () => {
    const on = podMachine();
    const volume = on.volumes.create({ name: 'v', size: 10 });
    const pod = await on.pods.create({ imageName: image, networkVolumeId: volume.id });
    expect(pod).toMatchObject({ networkVolumeId: volume.id, volumeInGb: 0 });
    await runs(on, pod.id);
    expect(on.driver.plans[0]).toMatchObject({
      mounts: [{ folder: on.volumes.folderOf(volume.id), at: '/workspace' }],
      env: { RUNPOD_VOLUME_ID: volume.id },
    });
    expect(on.folders.size).toBe(0);
    expect(on.pods.usingVolume(volume.id)).toHaveLength(1);
  });
});

describe('while it is prepared', () => {
  test('what is being done is told, and a stop breaks it off and frees the GPU', async () => {
    const on = podMachine();
    on.driver.hold();
    const { id } = await on.pods.create({ imageName: image });
    expect(await on.pods.facts(id)).toMatchObject({
      preparing: `Pulling ${image}, 40 %`,
      problem: null,
      runtime: null,
    });
    expect(await on.pods.stop(id)).toMatchObject({ desiredStatus: 'EXITED', publicIp: null });
    expect(heldBy(on)).toEqual([]);
    expect(calls(on, id)).toEqual([]);
    expect(await on.pods.facts(id)).toMatchObject({ preparing: null, problem: null, gpus: [] });
  });

  test('a delete breaks it off, and nothing is left of it', async () => {
    const on = podMachine();
    const { release } = on.driver.hold();
    const { id } = await on.pods.create({ imageName: image });
    expect(on.folders.size).toBe(1);
    await on.pods.terminate(id);
    release();
    expect(on.driver.containers.size).toBe(0);
    expect(on.folders.size).toBe(0);
    expect(heldBy(on)).toEqual([]);
  });

  test('a change of its image is what is pulled from then on', async () => {
    const on = podMachine();
    const { release } = on.driver.hold();
    const { id } = await on.pods.create({ imageName: image });
    await on.pods.update(id, { imageName: 'me/other' });
    release();
    await runs(on, id);
    expect(on.driver.plans.at(-1)!.pod.imageName).toBe('me/other');
    expect(calls(on, id)).toEqual(['start']);
  });

  test('an engine that ends breaks it off, and the next one goes on with it', async () => {
    const on = podMachine();
    on.driver.hold();
    const { id } = await on.pods.create({ imageName: image });
    const next = await on.again();
    expect(heldBy(next)).toEqual([`GPU-0 ${id}`]);
    await next.pods.begin();
    await runs(next, id);
    expect(next.pods.get(id).desiredStatus).toBe('RUNNING');
    expect(on.clock.pending()).toBe(0);
  });

  test('an image that cannot be had is said, and tried again later each time', async () => {
    const on = podMachine();
    on.driver.failNext(new AppError('BAD_REQUEST', 'There is no image me/image:1.'));
    const { id } = await on.pods.create({ imageName: image });
    await until('the problem', async () => (await on.pods.facts(id)).problem === 'There is no image me/image:1.');
    on.driver.failNext(new AppError('BAD_REQUEST', 'Still none.'));
    on.clock.advance(1000);
    await until('the next problem', async () => (await on.pods.facts(id)).problem === 'Still none.');
    on.clock.advance(1000);
    expect(on.driver.plans).toHaveLength(2);
    on.clock.advance(1000);
    await runs(on, id);
    expect((await on.pods.facts(id)).problem).toBeNull();
  });
});

describe('stopping and starting', () => {
  test('a stop frees its GPU and keeps its container and its volume; a start takes the same GPU', async () => {
    const on = podMachine({ gpus: [fakeGpu(A40, 0, 48), fakeGpu(A40, 1, 48)] });
    const other = await on.pods.create({ imageName: image });
    const { id } = await on.pods.create({ imageName: image });
    await runs(on, id);
    expect(await on.pods.stop(id)).toMatchObject({ desiredStatus: 'EXITED' });
    expect(await on.pods.runtime(id)).toBeNull();
    expect(on.folders.has(id)).toBe(true);
    await on.pods.terminate(other.id);
    await on.pods.start(id);
    expect(heldBy(on)).toEqual([`GPU-1 ${id}`]);
    await runs(on, id);
    expect(calls(on, id)).toEqual(['start', 'stop', 'start']);
  });

  test('a start says so when its GPU has been given away, and changes nothing', async () => {
    const on = podMachine({ gpus: [fakeGpu(A40, 0, 48)] });
    const { id } = await on.pods.create({ imageName: image });
    await on.pods.stop(id);
    await on.pods.create({ imageName: image });
    await expect(on.pods.start(id)).rejects.toThrow('no longer any instances');
    expect(on.pods.get(id).desiredStatus).toBe('EXITED');
    expect(await on.pods.start(id, 0)).toMatchObject({ desiredStatus: 'RUNNING', gpuCount: 0, gpu: null });
  });

  test('stopping what is stopped, and starting what runs, change nothing', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await runs(on, id);
    const started = await on.pods.start(id);
    expect(started.lastStatusChange).toMatch(/^Rented by User: /);
    await on.pods.stop(id);
    await on.pods.stop(id);
    expect(calls(on, id)).toEqual(['start', 'stop']);
  });

  test('stopped and started at once, its container and its GPU end as the Pod says', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await Promise.all([on.pods.stop(id), on.pods.start(id), on.pods.stop(id), on.pods.start(id), on.pods.stop(id)]);
    const { desiredStatus } = on.pods.get(id);
    const wanted = desiredStatus === 'RUNNING';
    await until('the container to be so', () => (on.driver.containers.get(id)?.running ?? false) === wanted);
    expect(heldBy(on)).toHaveLength(wanted ? 1 : 0);
    await on.pods.stop(id);
    expect(on.driver.containers.get(id)?.running ?? false).toBe(false);
    expect(heldBy(on)).toEqual([]);
  });

  test('a restart keeps the container, a reset makes it anew, and both keep the GPU', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await runs(on, id);
    await on.pods.restart(id);
    expect(calls(on, id)).toEqual(['start', 'restart']);
    await on.pods.reset(id);
    await until('a new container', () => calls(on, id).length === 5);
    expect(calls(on, id)).toEqual(['start', 'restart', 'stop', 'remove', 'start']);
    expect(heldBy(on)).toEqual([`GPU-0 ${id}`]);
  });

  test('a restart of what is stopped is refused, and a reset of it leaves it stopped', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await runs(on, id);
    await on.pods.stop(id);
    await expect(on.pods.restart(id)).rejects.toThrow('is stopped: start it instead');
    expect(await on.pods.reset(id)).toMatchObject({ desiredStatus: 'EXITED' });
    await until('the container to be gone', () => !on.driver.containers.has(id));
  });
});

describe('changes', () => {
  test('of its name and lock are made in place', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await runs(on, id);
    expect(await on.pods.update(id, { name: 'new', locked: true })).toMatchObject({ name: 'new', locked: true });
    expect(calls(on, id)).toEqual(['start']);
  });

  test('of what its container is made of make it anew, where it runs', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await runs(on, id);
    await on.pods.update(id, { env: { A: '1' } });
    await until('a new container', () => calls(on, id).length === 4);
    expect(calls(on, id)).toEqual(['start', 'stop', 'remove', 'start']);
    await on.pods.stop(id);
    await on.pods.update(id, { env: { A: '2' } });
    expect(calls(on, id)).toHaveLength(5);
    await on.pods.start(id);
    await until('the change to be used', () => on.driver.plans.at(-1)!.env['A'] === '2');
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
    await runs(on, id);
    expect(on.driver.plans.at(-1)!.pod).toMatchObject({ env: { A: '1' }, ports: ['80/http'] });
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
    await runs(on, id);
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

describe('a deleted Pod', () => {
  test('is told of as TERMINATED for an hour, in no list but that of the deleted', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await runs(on, id);
    await on.pods.terminate(id);
    expect(on.pods.get(id)).toMatchObject({ desiredStatus: 'TERMINATED', portMappings: null });
    expect(on.pods.list()).toEqual([]);
    expect(on.pods.list('TERMINATED')).toHaveLength(1);
    for (const change of ['start', 'stop', 'reset', 'restart', 'terminate'] as const) {
      await expect(on.pods[change](id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    on.clock.advance(3_600_000);
    expect(() => on.pods.get(id)).toThrow('There is no Pod');
    expect(on.rows.size).toBe(0);
    expect(on.clock.pending()).toBe(0);
  });

  test('is gone also where there is no container engine just now: its container goes once there is one', async () => {
    const on = podMachine();
    await on.pods.begin();
    const { id } = await on.pods.create({ imageName: image });
    await runs(on, id);
    on.driver.missing = 'Start Docker.';
    const stop = on.driver.stop.bind(on.driver);
    on.driver.stop = () => Promise.reject(new AppError('UNAVAILABLE', 'Start Docker.'));
    await on.pods.terminate(id);
    expect(on.pods.get(id).desiredStatus).toBe('TERMINATED');
    expect(heldBy(on)).toEqual([]);
    Object.assign(on.driver, { missing: null, stop });
    on.driver.moves();
    await until('the container to be gone', () => on.driver.containers.size === 0);
  });
});

describe('at a time that was set', () => {
  test('it stops, and later it is deleted', async () => {
    const on = podMachine();
    const now = on.clock.now();
    const more = { stopAfter: now + 60_000, terminateAfter: now + 120_000 };
    const { id } = await on.pods.create({ imageName: image }, more);
    await runs(on, id);
    on.clock.advance(59_999);
    expect(on.pods.get(id).desiredStatus).toBe('RUNNING');
    on.clock.advance(1);
    await until('it to be stopped', () => calls(on, id).includes('stop'));
    on.clock.advance(60_000);
    await until('it to be deleted', () => on.pods.get(id).desiredStatus === 'TERMINATED');
  });

  test('a locked one stays, until it is unlocked', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image, locked: true }, { stopAfter: on.clock.now() + 1000 });
    await runs(on, id);
    on.clock.advance(5000);
    expect(on.pods.get(id).desiredStatus).toBe('RUNNING');
    await on.pods.update(id, { locked: false });
    on.clock.advance(0);
    await until('it to be stopped', () => on.pods.get(id).desiredStatus === 'EXITED');
  });
});

describe('a container that ends by itself', () => {
  test('is started again, later each time, and its exit code is told until it has run for a while', async () => {
    const on = podMachine();
    await on.pods.begin();
    const { id } = await on.pods.create({ imageName: image });
    await runs(on, id);
    on.driver.ends(id, 3);
    await until(
      'its end to be noticed',
      async () => (await on.pods.facts(id)).problem?.includes('exit code 3') === true,
    );
    expect(on.pods.get(id)).toMatchObject({ desiredStatus: 'RUNNING', portMappings: null });
    expect(await on.pods.runtime(id)).toBeNull();
    expect(heldBy(on)).toHaveLength(1);
    on.clock.advance(1000);
    await runs(on, id);
    on.driver.ends(id, 4);
    await until('the second end', async () => (await on.pods.facts(id)).problem?.includes('2 times') === true);
    on.clock.advance(1000);
    expect(calls(on, id)).toHaveLength(2);
    on.clock.advance(1000);
    await runs(on, id);
    expect((await on.pods.facts(id)).problem).toContain('exit code 4');
    on.clock.advance(60_000);
    expect((await on.pods.facts(id)).problem).toBeNull();
  });

  test('stays stopped where the Pod is stopped meanwhile', async () => {
    const on = podMachine();
    await on.pods.begin();
    const { id } = await on.pods.create({ imageName: image });
    await runs(on, id);
    on.driver.ends(id, 0);
    await until('its end to be noticed', async () => (await on.pods.facts(id)).problem !== null);
    await on.pods.stop(id);
    on.clock.advance(60_000);
    expect(calls(on, id)).toEqual(['start']);
    expect((await on.pods.facts(id)).problem).toBeNull();
    expect(heldBy(on)).toEqual([]);
  });
});

describe('the truth is found again', () => {
  test('after the engine: what runs goes on with its GPU, what should run is started, what should not is stopped', async () => {
    const on = podMachine({ gpus: [fakeGpu(A40, 0, 48), fakeGpu(A40, 1, 48), fakeGpu(A40, 2, 48)] });
    const goesOn = await on.pods.create({ imageName: image });
    const ended = await on.pods.create({ imageName: image });
    const stopped = await on.pods.create({ imageName: image });
    for (const { id } of [goesOn, ended, stopped]) await runs(on, id);
    await on.pods.stop(stopped.id);
    expect((await on.pods.leave()).map(({ id }) => id)).toEqual([goesOn.id, ended.id]);
    // While no engine looked.
    const { containers } = on.driver;
    containers.set(ended.id, { ...containers.get(ended.id)!, running: false });
    containers.set(stopped.id, { ...containers.get(stopped.id)!, running: true });
    on.rows.set(goesOn.id, { ...on.rows.get(goesOn.id)!, gpuUuids: [] });

    const next = await on.again();
    await next.pods.begin();
    await runs(next, goesOn.id);
    await runs(next, ended.id);
    await until('the stopped one to be stopped', () => !containers.get(stopped.id)!.running);
    expect(heldBy(next)).toEqual([`GPU-0 ${goesOn.id}`, `GPU-1 ${ended.id}`]);
    expect(calls(next, goesOn.id)).toEqual([]);
    expect(next.pods.get(goesOn.id).portMappings).toEqual({ '22': 40_001 });
  });

  test('a container whose Pod is not known is stopped, and not removed', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await runs(on, id);
    on.rows.clear();
    const next = await on.again();
    await next.pods.begin();
    expect(on.driver.containers.get(id)?.running).toBe(false);
  });

  test('after the container engine: while it is away that is the problem, and then all run again at once', async () => {
    const on = podMachine();
    await on.pods.begin();
    const { id } = await on.pods.create({ imageName: image });
    await runs(on, id);
    on.driver.missing = 'Start Docker.';
    on.driver.containers.set(id, { ...on.driver.containers.get(id)!, running: false, exitCode: 137 });
    on.driver.moves();
    await until('the problem', async () => (await on.pods.facts(id)).problem === 'Start Docker.');
    expect(on.pods.get(id)).toMatchObject({ desiredStatus: 'RUNNING', publicIp: null });
    on.driver.missing = null;
    on.driver.moves();
    await runs(on, id);
    expect((await on.pods.facts(id)).problem).toBeNull();
    expect(on.clock.pending()).toBe(0);
  });
});

describe('what is told of one that runs', () => {
  test('its uptime, its ports, its GPUs and what its container uses', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await runs(on, id);
    on.clock.advance(5500);
    expect(await on.pods.facts(id)).toEqual({
      ...{ id, preparing: null, problem: null, gpus: ['GPU-0'] },
      httpAddresses: { '8888': `http://${id}-8888.localhost:47800/` },
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
    await runs(on, id);
    expect(on.pods.reach(id, 8888)).toMatchObject({ host: '127.0.0.1', port: 40_000 });
    expect(() => on.pods.reach(id, 22)).toThrow('its http ports: 8888');
    await on.pods.stop(id);
    expect(() => on.pods.reach(id, 8888)).toThrow('It is stopped');
    expect(() => on.pods.reach('nope', 8888)).toThrow('There is no Pod "nope"');
  });
});
