import { describe, expect, test, vi } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import { A40, doneTo, fakeGpu, claimedGpus, podMachine, untilRuns } from '../../../../test/support/pods/fakePods.ts';
import { until } from '../../../../test/support/core/until.ts';

const image = 'me/image:1';

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
    expect(claimedGpus(on)).toEqual([]);
    expect(doneTo(on, id)).toEqual([]);
    expect(await on.pods.facts(id)).toMatchObject({ preparing: null, problem: null, gpus: [] });
  });

  test('its load is measured only while its container runs: a container engine may not answer while it starts it', async () => {
    const on = podMachine();
    const measure = vi.spyOn(on.driver, 'latestLoad');
    const { release } = on.driver.hold();
    const { id } = await on.pods.create({ imageName: image });
    expect((await on.pods.facts(id)).runtime).toBeNull();
    expect(measure).not.toHaveBeenCalled();
    release();
    await untilRuns(on, id);
    expect((await on.pods.facts(id)).runtime?.container).toEqual({ cpuPercent: 12.5, memoryPercent: 3 });
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
    expect(claimedGpus(on)).toEqual([]);
  });

  test('deleted Pods that are still listed cost no more steps: their containers are gone', async () => {
    const on = podMachine();
    await on.pods.begin();
    const deleted = await Promise.all([1, 2, 3].map(() => on.pods.create({ imageName: image, computeType: 'CPU' })));
    for (const { id } of deleted) await on.pods.terminate(id);
    await until('the containers to be gone', () => on.driver.containers.size, 0);
    await until('the volumes to be gone', () => on.folders.size, 0);
    const remove = vi.spyOn(on.driver, 'remove');
    const list = vi.spyOn(on.driver, 'list');
    for (const polls of [1, 2, 3]) {
      on.driver.moves();
      await until('a poll', () => list.mock.calls.length >= polls);
    }
    expect(remove).not.toHaveBeenCalled();
  });

  test('a change of its image is what is pulled from then on', async () => {
    const on = podMachine();
    const { release } = on.driver.hold();
    const { id } = await on.pods.create({ imageName: image });
    await on.pods.update(id, { imageName: 'me/other' });
    release();
    await untilRuns(on, id);
    expect(on.driver.plans.at(-1)!.pod.imageName).toBe('me/other');
    expect(doneTo(on, id)).toEqual(['start']);
  });

  test('an engine that ends breaks it off, and the next one goes on with it', async () => {
    const on = podMachine();
    on.driver.hold();
    const { id } = await on.pods.create({ imageName: image });
    const next = await on.again();
    expect(claimedGpus(next)).toEqual([`GPU-0 ${id}`]);
    await next.pods.begin();
    await untilRuns(next, id);
    expect(next.pods.get(id).desiredStatus).toBe('RUNNING');
    expect(on.clock.pending()).toBe(0);
  });

  test('an image that cannot be had is said, and tried again later each time', async () => {
    const on = podMachine();
    on.driver.failNext(new AppError('BAD_REQUEST', 'There is no image me/image:1.'));
    const { id } = await on.pods.create({ imageName: image });
    await until('the problem', async () => (await on.pods.facts(id)).problem, 'There is no image me/image:1.');
    on.driver.failNext(new AppError('BAD_REQUEST', 'Still none.'));
    on.clock.advance(1000);
    await until('the next problem', async () => (await on.pods.facts(id)).problem, 'Still none.');
    expect((await on.pods.facts(id)).nextTryAt).toBe(new Date(on.clock.now() + 2000).toISOString());
    on.clock.advance(1000);
    expect(on.driver.plans).toHaveLength(2);
    on.clock.advance(1000);
    await untilRuns(on, id);
    expect(await on.pods.facts(id)).toMatchObject({ problem: null, nextTryAt: null });
  });
});

describe('stopping and starting', () => {
  test('a new Pod gets another idle GPU than a stopped Pod had, which then starts with its container', async () => {
    const on = podMachine({ gpus: [fakeGpu(A40, 0, 48), fakeGpu(A40, 1, 48)] });
    const { id } = await on.pods.create({ imageName: image });
    await untilRuns(on, id);
    await on.pods.stop(id);
    const other = await on.pods.create({ imageName: image });
    expect(on.gpus.list().map(({ lastHeldBy }) => lastHeldBy?.map(({ podId }) => podId))).toEqual([[id], []]);
    await untilRuns(on, other.id);
    await on.pods.start(id);
    expect(claimedGpus(on).toSorted()).toEqual([`GPU-0 ${id}`, `GPU-1 ${other.id}`].toSorted());
  });

  test('a stop frees its GPU and keeps its container and its volume; a start takes the same GPU', async () => {
    const on = podMachine({ gpus: [fakeGpu(A40, 0, 48), fakeGpu(A40, 1, 48)] });
    const other = await on.pods.create({ imageName: image });
    const { id } = await on.pods.create({ imageName: image });
    await untilRuns(on, id);
    expect(await on.pods.stop(id)).toMatchObject({ desiredStatus: 'EXITED' });
    expect(await on.pods.runtime(id)).toBeNull();
    expect(on.folders.has(id)).toBe(true);
    await on.pods.terminate(other.id);
    await on.pods.start(id);
    expect(claimedGpus(on)).toEqual([`GPU-1 ${id}`]);
    await untilRuns(on, id);
    expect(doneTo(on, id)).toEqual(['start', 'stop', 'start']);
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
    await untilRuns(on, id);
    const started = await on.pods.start(id);
    expect(started.lastStatusChange).toMatch(/^Rented by User: /);
    await on.pods.stop(id);
    await on.pods.stop(id);
    expect(doneTo(on, id)).toEqual(['start', 'stop']);
  });

  test('stopped and started at once, its container and its GPU end as the Pod says', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await Promise.all([on.pods.stop(id), on.pods.start(id), on.pods.stop(id), on.pods.start(id), on.pods.stop(id)]);
    const { desiredStatus } = on.pods.get(id);
    const wanted = desiredStatus === 'RUNNING';
    await until('the container to be so', () => on.driver.containers.get(id)?.running ?? false, wanted);
    expect(claimedGpus(on)).toHaveLength(wanted ? 1 : 0);
    await on.pods.stop(id);
    expect(on.driver.containers.get(id)?.running ?? false).toBe(false);
    expect(claimedGpus(on)).toEqual([]);
  });

  test('a restart keeps the container, a reset makes it anew, and both keep the GPU', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await untilRuns(on, id);
    await on.pods.restart(id);
    expect(doneTo(on, id)).toEqual(['start', 'restart']);
    await on.pods.reset(id);
    await until('a new container', () => doneTo(on, id).length, 5);
    expect(doneTo(on, id)).toEqual(['start', 'restart', 'stop', 'remove', 'start']);
    expect(claimedGpus(on)).toEqual([`GPU-0 ${id}`]);
  });

  test('a reset says that the old container is being stopped for as long as that serves on, and not after', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await untilRuns(on, id);
    const stopping = on.driver.holdStops();
    await on.pods.reset(id);
    expect(await on.pods.facts(id)).toMatchObject({
      preparing: 'Resetting: the old container is being stopped',
      problem: null,
    });
    expect(on.driver.containers.get(id)?.running).toBe(true);
    const pulling = on.driver.hold();
    stopping.release();
    await until('the new one', async () => (await on.pods.facts(id)).preparing, `Pulling ${image}, 40 %`);
    pulling.release();
    await untilRuns(on, id);
    expect((await on.pods.facts(id)).preparing).toBeNull();
  });

  test('a restart of what is stopped is refused, and a reset of it leaves it stopped', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await untilRuns(on, id);
    await on.pods.stop(id);
    await expect(on.pods.restart(id)).rejects.toThrow('is stopped: start it instead');
    expect(await on.pods.reset(id)).toMatchObject({ desiredStatus: 'EXITED' });
    await until('the container to be gone', () => !on.driver.containers.has(id));
  });
});

describe('a deleted Pod', () => {
  test('is told of as TERMINATED for an hour, in no list but that of the deleted', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await untilRuns(on, id);
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
    await untilRuns(on, id);
    on.driver.missing = 'Start Docker.';
    const stop = on.driver.stop.bind(on.driver);
    on.driver.stop = () => Promise.reject(new AppError('UNAVAILABLE', 'Start Docker.'));
    await on.pods.terminate(id);
    expect(on.pods.get(id).desiredStatus).toBe('TERMINATED');
    expect(claimedGpus(on)).toEqual([]);
    Object.assign(on.driver, { missing: null, stop });
    on.driver.moves();
    await until('the container to be gone', () => on.driver.containers.size, 0);
  });
});

describe('a container that ends by itself', () => {
  test('is started again, later each time, and its exit code is told until it has run for a while', async () => {
    const on = podMachine();
    await on.pods.begin();
    const { id } = await on.pods.create({ imageName: image });
    await untilRuns(on, id);
    on.driver.ends(id, 3);
    await until(
      'its end to be noticed',
      async () => (await on.pods.facts(id)).problem,
      (problem) => problem?.includes('exit code 3'),
    );
    expect(on.pods.get(id)).toMatchObject({ desiredStatus: 'RUNNING', portMappings: null });
    expect(await on.pods.runtime(id)).toBeNull();
    expect(claimedGpus(on)).toHaveLength(1);
    on.clock.advance(1000);
    await untilRuns(on, id);
    on.driver.ends(id, 4);
    await until(
      'the second end',
      async () => (await on.pods.facts(id)).problem,
      (problem) => problem?.includes('2 times'),
    );
    on.clock.advance(1000);
    expect(doneTo(on, id)).toHaveLength(2);
    on.clock.advance(1000);
    await untilRuns(on, id);
    expect(await on.pods.facts(id)).toMatchObject({
      problem: null,
      restarts: { times: 2, text: expect.stringContaining('exit code 4') },
    });
  });

  test('stays stopped where the Pod is stopped meanwhile', async () => {
    const on = podMachine();
    await on.pods.begin();
    const { id } = await on.pods.create({ imageName: image });
    await untilRuns(on, id);
    on.driver.ends(id, 0);
    await until(
      'its end to be noticed',
      async () => (await on.pods.facts(id)).problem,
      (problem) => problem !== null,
    );
    await on.pods.stop(id);
    on.clock.advance(60_000);
    expect(doneTo(on, id)).toEqual(['start']);
    expect((await on.pods.facts(id)).problem).toBeNull();
    expect(claimedGpus(on)).toEqual([]);
  });
});

describe('the truth is found again', () => {
  test('after the engine: what runs goes on with its GPU, what should run is started, what should not is stopped', async () => {
    const on = podMachine({ gpus: [fakeGpu(A40, 0, 48), fakeGpu(A40, 1, 48), fakeGpu(A40, 2, 48)] });
    const goesOn = await on.pods.create({ imageName: image });
    const ended = await on.pods.create({ imageName: image });
    const stopped = await on.pods.create({ imageName: image });
    for (const { id } of [goesOn, ended, stopped]) await untilRuns(on, id);
    await on.pods.stop(stopped.id);
    expect(on.pods.listRunning()).toContain(`These Pods run on: "my pod" (${goesOn.id}), "my pod" (${ended.id}).`);
    // These changes happen while no engine runs.
    const { containers } = on.driver;
    containers.set(ended.id, { ...containers.get(ended.id)!, running: false });
    containers.set(stopped.id, { ...containers.get(stopped.id)!, running: true });
    on.rows.set(goesOn.id, { ...on.rows.get(goesOn.id)!, gpuUuids: [] });

    const next = await on.again();
    await next.pods.begin();
    await untilRuns(next, goesOn.id);
    await untilRuns(next, ended.id);
    await until('the stopped one to be stopped', () => !containers.get(stopped.id)!.running);
    expect(claimedGpus(next)).toEqual([`GPU-0 ${goesOn.id}`, `GPU-1 ${ended.id}`]);
    expect(doneTo(next, goesOn.id)).toEqual(['limit']);
    expect(next.pods.get(goesOn.id).portMappings).toEqual({ '22': 40_001 });
  });

  test('a container whose Pod is not known is stopped, and not removed', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image });
    await untilRuns(on, id);
    on.rows.clear();
    const next = await on.again();
    await next.pods.begin();
    expect(on.driver.containers.get(id)?.running).toBe(false);
  });

  test('after the container engine: while it is away that is the problem, and then all run again at once', async () => {
    const on = podMachine();
    await on.pods.begin();
    const { id } = await on.pods.create({ imageName: image });
    await untilRuns(on, id);
    on.driver.missing = 'Start Docker.';
    on.driver.containers.set(id, { ...on.driver.containers.get(id)!, running: false, exitCode: 137 });
    on.driver.moves();
    await until('the problem', async () => (await on.pods.facts(id)).problem, 'Start Docker.');
    expect(on.pods.get(id)).toMatchObject({ desiredStatus: 'RUNNING', publicIp: null });
    on.driver.missing = null;
    on.driver.moves();
    await untilRuns(on, id);
    expect((await on.pods.facts(id)).problem).toBeNull();
    expect(on.clock.pending()).toBe(0);
  });

  test('a Pod whose start ends the container engine again and again starts later each time, and says so', async () => {
    const on = podMachine();
    await on.pods.begin();
    const { id } = await on.pods.create({ imageName: image });
    const loseEngine = async (): Promise<void> => {
      await untilRuns(on, id);
      on.driver.missing = 'Start Docker.';
      on.driver.containers.set(id, { ...on.driver.containers.get(id)!, running: false, exitCode: 137 });
      on.driver.moves();
      await until('the problem', async () => (await on.pods.facts(id)).problem, 'Start Docker.');
      on.driver.missing = null;
      on.driver.moves();
    };
    // The first two may have another reason.
    for (let times = 1; times <= 3; times++) await loseEngine();
    const { problem } = await until(
      'the reason',
      () => on.pods.facts(id),
      ({ problem: words }) => words?.includes('(3 times so far)') === true,
    );
    expect(problem).toMatch(/^Its container ended with the container engine, soon after its start, at .* \(3 times/);
    expect(problem).toContain('the Pod may be what makes it end');
    expect(on.driver.containers.get(id)!.running).toBe(false);
    on.clock.advance(8000);
    await loseEngine();
    await until('the next wait', async () => (await on.pods.facts(id)).problem?.includes('(4 times so far)'), true);
    on.clock.advance(15_999);
    expect(on.driver.containers.get(id)!.running).toBe(false);
    on.clock.advance(1);
    await untilRuns(on, id);
    // It has run for a while: the next loss of the engine tells nothing about it.
    on.clock.advance(60_000);
    await loseEngine();
    await untilRuns(on, id);
  });
});
