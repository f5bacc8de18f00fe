/** The lives of Pods on real containers: what is kept and what is wiped, what ends by itself, and the truth after whatever ends. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { volumeListingSchema } from '#contract/local/files.ts';
import { machineSchema } from '#contract/local/machine.ts';
import { podsSampleSchema } from '#contract/local/changes/samples.ts';
import { stateChangeSchema } from '#contract/local/changes/stateChange.ts';
import { podEventSchema } from '#contract/local/podEvent.ts';
import { whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import { makeUserImage } from '../../support/containers/images.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { createGpuPrograms, gpuFixture, type GpuPrograms } from '../../support/gpus/programs.ts';
import { openEvents } from '../../support/logs/events.ts';
import { startPodContainers, startPodEngine, type PodEngine } from '../../support/pods/podEngine.ts';
import {
  containersOf,
  podsOf,
  refused,
  SHELL_IMAGE,
  stays,
  volumeOf,
  WORKS,
  wrote,
  type PodsOf,
} from '../../support/pods/pods.ts';
import { accepted } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoContainers();

describe('the life of a Pod', skipFor(none), () => {
  let started: PodEngine;
  let containers: TestContainerEngine;
  let engine: TestEngine;
  let pods: PodsOf;
  let programs: GpuPrograms;
  beforeAll(async () => {
    programs = createGpuPrograms('nvidia-smi');
    programs.says('table', gpuFixture('desktop535.csv'));
    programs.says('report', gpuFixture('desktop535.txt'));
    started = await startPodEngine({ env: { PATH: `${programs.folder}:${process.env['PATH']}` } });
    ({ containers, engine, pods } = started);
  });
  afterEach(() => pods.deleteAll());
  afterAll(async () => {
    await started.close();
    programs.remove();
  });

  test('an image that runs as a user of its own writes to both kinds of volumes, also after a restart of its container', async () => {
    await makeUserImage(containers.docker, SHELL_IMAGE, 'hangar-user:1', '1000');
    const made = await engine.http.post('/v1/networkvolumes', { name: 'shared', size: 1, dataCenterId: 'LOCAL-1' });
    const { id: networkVolumeId } = accepted(made) as { id: string };
    const writes = stays('mkdir -p /workspace/of/mine && id -u > /workspace/of/mine/user');
    const own = await pods.make({ imageName: 'hangar-user:1', dockerStartCmd: writes });
    await wrote(engine, own.id, 'of/mine/user', '1000\n');
    // Its own choice for its folder stays.
    chmodSync(volumeOf(engine, own.id, ''), 0o773);
    await pods.act(own.id, 'stop');
    await pods.act(own.id, 'start');
    await pods.running(own.id);
    expect(statSync(volumeOf(engine, own.id, '')).mode & 0o777).toBe(0o773);
    const shared = await pods.make({ imageName: 'hangar-user:1', networkVolumeId, dockerStartCmd: writes });
    await pods.running(shared.id);
    const folder = readdirSync(join(engine.dataDir, 'volumes')).find((name) => name.endsWith(networkVolumeId))!;
    const file = join(engine.dataDir, 'volumes', folder, 'of/mine/user');
    await until('the file of the shared volume', () => existsSync(file) && readFileSync(file, 'utf8'), '1000\n');
    expect(statSync(engine.dataDir).mode & 0o077).toBe(0);
    await pods.deleteAll();
    expect((await engine.http.send('DELETE', `/v1/networkvolumes/${networkVolumeId}`)).status).toBe(204);
    expect(existsSync(volumeOf(engine, own.id, ''))).toBe(false);
  });

  test('a stop keeps container and volume, a start goes on with both, a reset wipes the container and keeps the volume', async () => {
    const counts = 'echo x >> /disk; echo -n y >> /workspace/kept; cat /disk | tr -d "\\n" > /workspace/disk';
    const { id } = await pods.make({ dockerStartCmd: stays(counts) });
    await wrote(engine, id, 'disk', 'x');
    await pods.running(id);
    expect(await pods.act(id, 'stop')).toMatchObject({ desiredStatus: 'EXITED', publicIp: null, portMappings: null });
    expect((await pods.facts(id)).runtime).toBeNull();
    const { entries } = volumeListingSchema.parse(
      accepted(await engine.http.get(`/local/v1/volumes/${id}/files?path=`)),
    );
    expect(entries.map(({ name }) => name)).toEqual(['disk', 'kept']);
    expect(await containersOf(containers, id)).toMatchObject([{ State: 'exited' }]);
    expect(await pods.act(id, 'start')).toMatchObject({ desiredStatus: 'RUNNING' });
    await wrote(engine, id, 'disk', 'xx');
    expect(await pods.act(id, 'restart')).toMatchObject({ desiredStatus: 'RUNNING' });
    await wrote(engine, id, 'disk', 'x'.repeat(3));
    expect(await pods.act(id, 'reset')).toMatchObject({ desiredStatus: 'RUNNING' });
    await wrote(engine, id, 'disk', 'x');
    await wrote(engine, id, 'kept', 'yyyy');
  });

  test('runtime tells the uptime, the ports and a load that rises under work', async () => {
    const { id } = await pods.make({
      ports: ['70/tcp'],
      vcpuCount: 1,
      dockerStartCmd: stays(`while [ ! -e /workspace/go ]; do sleep 0.1; done; ${WORKS}`),
    });
    await pods.running(id);
    const idle = (await pods.facts(id)).runtime!;
    expect(idle.ports).toEqual([
      {
        ip: '127.0.0.1',
        isIpPublic: true,
        privatePort: 70,
        publicPort: (await pods.get(id)).portMappings!['70'],
        type: 'tcp',
      },
    ]);
    expect(idle.gpus).toEqual([]);
    writeFileSync(volumeOf(engine, id, 'go'), '');
    const busy = await pods.untilFacts(
      id,
      'the load to rise',
      ({ runtime }) => (runtime?.container?.cpuPercent ?? 0) > 10,
    );
    expect(busy.runtime!.container!.memoryPercent).toBeGreaterThanOrEqual(0);
    await pods.untilFacts(id, 'the uptime to move', ({ runtime }) => runtime!.uptimeInSeconds > idle.uptimeInSeconds);
    await pods.act(id, 'stop');
  });

  test('whoever follows the changes of Pods reads each of them at once', async () => {
    await using changes = await openEvents(engine, '/local/v1/changes');
    const next = async () => stateChangeSchema.parse(JSON.parse((await changes.next()).data)).id;
    expect(await next()).toBeNull();
    const { id } = await pods.make();
    // A change that can be read later than its event has an event of its own. Pods of other tests have theirs, too.
    do {
      while ((await next()) !== id);
    } while ((await pods.facts(id)).runtime === null);
  });

  test('whoever follows Pods is sent the load of each one that runs, and no longer of one that is deleted', async () => {
    const { id } = await pods.make({ dockerStartCmd: stays(WORKS) });
    await pods.running(id);
    await using samples = await openEvents(engine, '/local/v1/pods/events?everyMs=1000');
    const next = async () => podsSampleSchema.parse(JSON.parse((await samples.next()).data)).pods;
    const own = async () => (await next()).find((facts) => facts.id === id);
    let facts = await own();
    while (!facts?.runtime?.container) facts = await own();
    expect(facts.runtime.container.cpuPercent).toBeGreaterThan(0);
    const { uptimeInSeconds } = facts.runtime;
    while ((facts?.runtime?.uptimeInSeconds ?? 0) <= uptimeInSeconds) facts = await own();
    expect((await engine.http.send('DELETE', `/v1/pods/${id}`)).status).toBe(204);
    while ((await own()) !== undefined);
    for (const everyMs of [999, 60_001])
      expect((await engine.http.get(`/local/v1/pods/events?everyMs=${everyMs}`)).status).toBe(400);
  });

  test('pausing stops no Pod, and says so', async () => {
    const { id } = await pods.make();
    await pods.running(id);
    const paused = accepted(await engine.http.post('/local/v1/pause', { when: 'now' })) as { message: string };
    expect(paused.message).toBe('Paused by you. 1 Pod runs on: stop it under Pods.');
    expect((await pods.get(id)).publicIp).toBe('127.0.0.1');
    expect(accepted(await engine.http.send('DELETE', '/local/v1/pause'))).toMatchObject({ message: null });
  });

  test('an image that cannot be had leaves the Pod RUNNING with the reason, and a stop or a delete breaks the attempt off', async () => {
    const { id } = await pods.make({ imageName: '127.0.0.1:9/none' });
    const { problem, runtime } = await pods.untilFacts(id, 'the problem', (facts) => facts.problem !== null);
    expect([problem, runtime]).toEqual([expect.stringContaining('127.0.0.1:9/none'), null]);
    expect((await pods.get(id)).desiredStatus).toBe('RUNNING');
    expect((await pods.act(id, 'stop')).desiredStatus).toBe('EXITED');
    expect((await pods.facts(id)).problem).toBeNull();
  });

  test('a container that ends by itself is started again, and its exit code and its last lines are told', async () => {
    const { id } = await pods.make({
      dockerStartCmd: ['/bin/sh', '-c', 'echo -n x >> /workspace/runs; echo goodbye; sleep 0.3; exit 3'],
    });
    const { problem } = await pods.untilFacts(id, 'its end', (facts) => facts.problem !== null);
    expect(problem).toContain('exit code 3');
    await until(
      'it to run again',
      () => readFileSync(volumeOf(engine, id, 'runs'), 'utf8'),
      (text) => text.startsWith('xx'),
    );
    expect((await pods.get(id)).desiredStatus).toBe('RUNNING');
    const { restarts } = await pods.untilFacts(
      id,
      'its last lines',
      (facts) => facts.restarts?.lastLines[0] !== undefined,
    );
    expect(restarts).toMatchObject({ text: 'Its container ended with exit code 3 (an error of its program).' });
    expect(restarts?.lastLines[0]).toBe('goodbye');
    // The lines of its first end may be read after those of a later one.
    const events = await until(
      'the last lines of its first end',
      async () => podEventSchema.array().parse(accepted(await engine.http.get(`/local/v1/pods/${id}/events`))),
      (all) => all.find(({ kind }) => kind === 'ended')?.lastLines[0] !== undefined,
    );
    expect(events[0]).toMatchObject({ kind: 'made', by: 'person' });
    const [start, end] = events.filter(({ kind }) => kind === 'started' || kind === 'ended');
    expect([start?.kind, end?.kind, end?.exitCode, end?.lastLines[0]]).toEqual(['started', 'ended', 3, 'goodbye']);
  });

  test('a container that ends at once is started ever later, and how it ends, how often and when it is started next is told', async () => {
    const { id } = await pods.make({ dockerStartCmd: ['/bin/sh', '-c', 'echo -n x >> /workspace/runs; exit 3'] });
    /** By how often it has ended: how long it rests then, in milliseconds. */
    const rests = new Map<number, number>();
    const times = async (): Promise<number> => {
      const { problem } = await pods.facts(id);
      expect(problem ?? 'with exit code 3').toContain('with exit code 3');
      const words = /at (\S+Z) \((\d+) times so far\)\. It restarts automatically at (\S+Z)\./.exec(problem ?? '');
      if (words === null) return 0;
      const [endedAt, count, againAt] = [Date.parse(words[1]!), Number(words[2]), Date.parse(words[3]!)];
      rests.set(count, againAt - endedAt);
      return count;
    };
    const before = await until('its third end', times, (seen) => seen >= 3);
    const runs = readFileSync(volumeOf(engine, id, 'runs'), 'utf8').length;
    expect(runs).toBeGreaterThanOrEqual(before);
    const after = await until('the times to be told', times, (seen) => seen > 0);
    expect(runs).toBeLessThanOrEqual(after + 1);
    const { firstMs, mostMs } = limits.pod.again;
    for (const [count, rest] of rests) {
      expect(rest, `after ${count} ends`).toBeGreaterThanOrEqual(Math.min(firstMs * 2 ** (count - 1), mostMs));
    }
    expect(rests.has(before)).toBe(true);
  });

  test('Pods run on when the engine ends, and are found again as they were, with what happened meanwhile', async () => {
    await using engine = await startEngine({ env: { DOCKER_HOST: containers.host } });
    const pods = podsOf(engine);
    const [goesOn, ends, stopped] = [await pods.make(), await pods.make(), await pods.make()];
    for (const { id } of [goesOn, ends, stopped]) await pods.running(id);
    await pods.act(stopped.id, 'stop');
    const startedAt = (await pods.get(goesOn.id)).lastStartedAt;
    const containerOf = async (id: string) =>
      containers.docker.getContainer((await containersOf(containers, id))[0]!.Id);
    expect(await engine.tell({ type: 'stop' })).toMatchObject({
      type: 'leaving',
      message: expect.stringContaining(`"my pod" (${goesOn.id})`) as string,
    });
    await engine.exited();
    expect((await containersOf(containers, goesOn.id))[0]).toMatchObject({ State: 'running' });
    await (await containerOf(ends.id)).remove({ force: true });
    await (await containerOf(stopped.id)).start();
    await engine.restart();
    await pods.running(goesOn.id);
    expect((await pods.get(goesOn.id)).lastStartedAt).toBe(startedAt);
    await pods.running(ends.id);
    await until(
      'the stopped one to be stopped again',
      async () => (await containersOf(containers, stopped.id))[0]?.State,
      'exited',
    );
    await pods.deleteAll();
  });

  test('when the container engine goes, that is the problem of its Pods; when it comes back they run again', async () => {
    await using containers = await startPodContainers();
    await using engine = await startEngine({ env: { DOCKER_HOST: containers.host } });
    const pods = podsOf(engine);
    const { id } = await pods.make();
    await pods.running(id);
    await containers.stop();
    // Its container ends first, which is its problem for a moment.
    await pods.untilFacts(
      id,
      'the container engine to be its problem',
      ({ runtime, problem }) => runtime === null && /container engine|Docker/.test(problem ?? ''),
    );
    const { message } = await until(
      'calls to say so',
      () => refused(engine, 'POST', `/v1/pods/${id}/start`),
      (answer) => answer.status === 503,
    );
    expect(message).toMatch(/container engine|Docker/);
    await containers.start();
    await pods.running(id);
    // The container engine is thrown away with all that is on it.
  });

  test('a Pod holds the GPU it was made for until it is stopped; meanwhile another is refused and told who holds it', async () => {
    const holders = async () => machineSchema.parse(accepted(await engine.http.get('/local/v1/machine'))).gpus[0];
    const gpu = await until('the GPU to be known', holders);
    const fields = { gpuCount: 1, gpuTypeIds: ['NVIDIA H100 80GB HBM3', gpu.typeId] };
    const pod = await pods.make(fields);
    expect(pod).toMatchObject({ gpuCount: 1, gpu: { id: gpu.typeId, count: 1 }, computeType: 'GPU' });
    expect((await holders())!.heldBy).toMatchObject([{ podId: pod.id, podName: pod.name }]);
    expect((await pods.facts(pod.id)).gpus).toEqual([gpu.uuid]);
    const other = await refused(engine, 'POST', '/v1/pods', { imageName: SHELL_IMAGE, ...fields });
    expect(other.status).toBe(400);
    expect(other.message).toMatch(
      new RegExp(`no longer any instances available.*Pod ${JSON.stringify(pod.name)} \\(${pod.id}\\) holds`),
    );
    await pods.act(pod.id, 'stop');
    expect((await holders())!.heldBy).toEqual([]);
    expect((await pods.get(pod.id)).gpu).toMatchObject({ id: gpu.typeId });
  });
});
