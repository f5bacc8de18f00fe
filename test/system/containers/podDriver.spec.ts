/**
 * Pods as containers: what is kept and what is wiped, ports, load, ends of every kind, pulls, and a container engine
 * that goes.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createContainerDriver } from '../../../main/engine/runtime/containers/workers/driver.ts';
import { hostNetwork } from '../../../main/engine/runtime/containers/engine/hostAccess.ts';
import { createEngineFinder } from '../../../main/engine/runtime/containers/engine/discovery.ts';
import { whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { silentLogger } from '../../support/core/fakes.ts';
import { until } from '../../support/core/until.ts';
import { startPodContainers } from '../../support/pods/podEngine.ts';
import { answerAt, createPodMachine, GRACE_MS, POD_IMAGE, shell, STAYS } from './podMachine.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoContainers();
const unexpected = (): never => {
  throw new Error('nothing of this is asked for');
};

describe('containers: Pods', skipFor(none), () => {
  let containers: TestContainerEngine;
  beforeAll(async () => {
    containers = await startPodContainers((docker) => makeShellImage(docker, POD_IMAGE));
  });
  afterAll(() => containers.closeEmpty());

  test('a Pod that is stopped and started keeps what it wrote; made anew it keeps its volume only', async () => {
    await using machine = createPodMachine(containers.host);
    const { driver } = machine;
    // It shows both counts at once, by its last step: x for each start of the container, y for each start of the Pod.
    const counting =
      'cd /workspace; echo x >> /root-disk; echo y >> kept; cat /root-disk kept | tr -d "\\n" > counting; mv counting counts';
    const plan = machine.plan('kept', { dockerStartCmd: shell(`${counting}; ${STAYS}`) });
    const counts = (text: string) => until(`the counts ${text}`, () => machine.reads('kept', 'counts'), text);
    const before = Date.now();
    const first = await machine.start(plan);
    expect(first).toMatchObject({ podId: 'kept', running: true, exitCode: null, outOfMemory: false });
    expect(first.startedAt).toBeGreaterThanOrEqual(before);
    expect(first.startedAt).toBeLessThanOrEqual(Date.now());
    await counts('xy');
    await driver.stop('kept', GRACE_MS);
    expect(await machine.find('kept')).toMatchObject({ running: false, exitCode: 0, startedAt: first.startedAt });
    expect((await machine.start(plan)).running).toBe(true);
    await counts('xxyy');
    await driver.restart('kept', GRACE_MS);
    await counts('xxxyyy');
    await driver.remove('kept');
    expect(await machine.find('kept')).toBeUndefined();
    await machine.start(plan);
    await counts('xyyyy');
    // Another plan is another container.
    await driver.stop('kept', GRACE_MS);
    await machine.start({ ...plan, writtenEnv: { ...plan.env, NEW: 'yes' }, env: { ...plan.env, NEW: 'yes' } });
    await counts('xyyyyy');
  });

  test('http and tcp ports answer from outside at ports of 127.0.0.1, of which it is told, also after a stop', async () => {
    await using machine = createPodMachine(containers.host);
    const serve =
      'env > /workspace/env; mkdir -p /www; echo hello > /www/index.html; httpd -p 8888 -h /www; httpd -p 22 -h /www';
    const plan = machine.plan('ports', {
      ports: ['8888/http', '22/tcp'],
      dockerStartCmd: shell(`${serve}; ${STAYS}`),
    });
    for (const _start of ['first', 'second']) {
      const { ports } = await machine.start(plan);
      expect([...ports.keys()].sort()).toEqual([22, 8888]);
      for (const at of ports.values()) {
        expect(at.host).toBe('127.0.0.1');
        await until('its port to answer', () => answerAt(at), 'hello\n');
      }
      expect(machine.reads('ports', 'env')).toContain(`RUNPOD_TCP_PORT_22=${ports.get(22)!.port}`);
      await machine.driver.stop('ports', GRACE_MS);
      expect((await machine.find('ports'))!.ports.size).toBe(0);
    }
  });

  test("the container of a Pod is found by its id while it runs, and nobody else's", async () => {
    await using machine = createPodMachine(containers.host);
    await using other = createPodMachine(containers.host);
    expect(await machine.running.ofPod('found')).toBeNull();
    await machine.start(machine.plan('found'));
    const { Id } = (await containers.docker.listContainers())[0]!;
    expect((await machine.running.ofPod('found'))!.id).toBe(Id);
    expect(await machine.running.ofWorker('pod-found')).toBeNull();
    expect(await machine.running.ofPod('../../version?')).toBeNull();
    expect(await other.running.ofPod('found')).toBeNull();
    // A copied data folder has Pods of the same ids.
    await other.start(other.plan('found'));
    expect((await other.running.ofPod('found'))!.id).not.toBe(Id);
    await machine.driver.stop('found', GRACE_MS);
    expect(await machine.running.ofPod('found')).toBeNull();
  });

  test('ends of every kind are told, with exit codes and the reason: by itself, killed, out of memory', async () => {
    await using machine = createPodMachine(containers.host);
    const ended = (id: string) =>
      until(
        `the end of ${id} to be told, and found`,
        async () => machine.reasons.includes(id) && (await machine.find(id))?.running === false && machine.find(id),
      );
    await machine.start(machine.plan('itself', { dockerStartCmd: ['/bin/sh', '-c', 'sleep 0.2; exit 3'] }));
    expect(await ended('itself')).toMatchObject({ exitCode: 3, outOfMemory: false });
    await machine.start(machine.plan('killed'));
    await (await machine.running.ofPod('killed'))!.kill();
    expect(await ended('killed')).toMatchObject({ exitCode: 137, outOfMemory: false });
    const eat = 'exec dd if=/dev/zero of=/dev/null bs=1500M count=1';
    await machine.start(machine.plan('eater', { memoryInGb: 1, dockerStartCmd: ['/bin/sh', '-c', eat] }));
    expect(await ended('eater')).toMatchObject({ outOfMemory: true });
    // Whoever stops one that has ended, or is not there, has nothing to do.
    await machine.driver.stop('killed', GRACE_MS);
    await machine.driver.stop('nobody', GRACE_MS);
    await machine.driver.remove('nobody');
    await expect(machine.driver.restart('nobody', GRACE_MS)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('its load moves with what it does, in percent of the cores and the memory that it may use', async () => {
    await using machine = createPodMachine(containers.host);
    const { driver } = machine;
    const busy = `dd if=/dev/zero of=/dev/shm/full bs=1M count=128; while [ ! -e /workspace/calm ]; do :; done; sleep 600 & wait`;
    await machine.start(machine.plan('busy', { vcpuCount: 1, memoryInGb: 1, dockerStartCmd: shell(busy) }));
    const load = await until(
      'it to be busy',
      () => driver.load('busy'),
      (load) => load !== null && load.cpuPercent > 5 && load.memoryPercent > 12 && load,
    );
    expect(load.cpuPercent).toBeLessThanOrEqual(100);
    expect(load.memoryPercent).toBeLessThan(25);
    const sample = (await driver.sample('busy'))!;
    expect(sample).toMatchObject({ cores: 1, limitBytes: 2 ** 30 });
    expect(sample.memoryBytes).toBeGreaterThan(2 ** 27);
    await until(
      'its processor time to grow',
      async () => (await driver.sample('busy'))!,
      (later) => later.busyNs > sample.busyNs && later.at > sample.at,
    );
    machine.write('busy', 'calm', '');
    await until(
      'it to be calm',
      async () => (await driver.load('busy'))!.cpuPercent,
      (cpuPercent) => cpuPercent < 2,
    );
    const loads = await Promise.all([driver.load('busy'), driver.load('busy'), driver.load('nobody')]);
    expect(loads[0]).toEqual(loads[1]);
    expect(loads[2]).toBeNull();
    await driver.stop('busy', GRACE_MS);
    expect(await driver.load('busy')).toBeNull();
    expect([await driver.sample('busy'), await driver.sample('nobody')]).toEqual([null, null]);
  });

  test('limits that were asked for hold, room for shared memory is half of it, and signals are waited for', async () => {
    await using machine = createPodMachine(containers.host);
    const script =
      'df -m /dev/shm | tail -n 1 > /workspace/shm; trap "" TERM; echo deaf > /workspace/deaf; while :; do sleep 1; done';
    await machine.start(
      machine.plan('limited', { vcpuCount: 1, memoryInGb: 2, dockerStartCmd: ['/bin/sh', '-c', script] }),
    );
    await until('it to be deaf', () => machine.reads('limited', 'deaf'), 'deaf');
    expect(machine.reads('limited', 'shm')!.split(/ +/)[1]).toBe('1024');
    const { HostConfig } = await (await machine.running.ofPod('limited'))!.inspect();
    expect(HostConfig).toMatchObject({ NanoCpus: 1e9, Memory: 2 * 1024 ** 3, RestartPolicy: { Name: 'no' } });
    const begunAt = performance.now();
    await machine.driver.stop('limited', 1000);
    expect(performance.now() - begunAt).toBeGreaterThan(900);
    expect(await machine.find('limited')).toMatchObject({ running: false, exitCode: 137 });
  });

  test('a Pod whose port was taken while it was stopped gets another one', async () => {
    await using machine = createPodMachine(containers.host);
    const serve = 'mkdir -p /www; echo hello > /www/index.html; httpd -p 80 -h /www';
    const plan = machine.plan('port', { ports: ['80/tcp'], dockerStartCmd: shell(`${serve}; ${STAYS}`) });
    const before = (await machine.start(plan)).ports.get(80)!;
    await machine.driver.stop('port', GRACE_MS);
    const thief = createServer().listen(before.port, '127.0.0.1');
    await once(thief, 'listening');
    try {
      const after = (await machine.start(plan)).ports.get(80)!;
      expect(after.port).not.toBe(before.port);
      await until('its port to answer', () => answerAt(after), 'hello\n');
    } finally {
      thief.close();
    }
  });

  test('dockerArgs is one line that becomes the words of its command', async () => {
    await using machine = createPodMachine(containers.host);
    const dockerArgs = `/bin/sh -c 'echo "$1 and \\"$2\\"" > /workspace/said; sleep 600' sh "two words" it\\'s`;
    await machine.start(machine.plan('line', { dockerArgs }));
    const line = await until('it to have spoken', () => machine.reads('line', 'said'));
    expect(line).toBe('two words and "it\'s"');
  });

  test('Pods run on when the engine ends, are found again by it and by nobody else, and the sweep of workers leaves them alone', async () => {
    await using machine = createPodMachine(containers.host);
    await using other = createPodMachine(containers.host);
    await other.start(other.plan('theirs'));
    const { docker } = containers;
    const sweeper = createContainerDriver({
      dataDir: machine.dataDir,
      logger: silentLogger,
      finder: createEngineFinder({ env: { DOCKER_HOST: containers.host } }),
      logs: { open: unexpected, note: unexpected },
      address: unexpected,
      listenForWorkers: unexpected,
      host: hostNetwork(false),
    });
    const plan = machine.plan('on', { ports: ['80/http'], gpuUuids: [] });
    const started = await machine.start(plan);
    const { Labels } = (await docker.listContainers()).find(({ Names }) => Names[0]!.startsWith('/hangar-pod-on-'))!;
    const left = await docker.createContainer({
      name: 'hangar-left',
      Image: POD_IMAGE,
      Cmd: ['true'],
      Labels: { 'hangar.data': Labels['hangar.pod.data']!, 'hangar.run': 'an earlier one' },
    });
    await sweeper.sweep();
    await expect(left.inspect()).rejects.toMatchObject({ statusCode: 404 });
    const again = await machine.again();
    expect(await again.list()).toEqual([started]);
    expect(await again.start(plan, () => undefined, new AbortController().signal)).toEqual(started);
  });

  test('a volume that its image asks for is kept over a stop, and goes with the container', async () => {
    await using machine = createPodMachine(containers.host);
    const { docker } = containers;
    const base = await docker.createContainer({ Image: POD_IMAGE, Cmd: ['true'] });
    await base.commit({ repo: 'hangar-anonymous', tag: '1', changes: 'VOLUME /scratch' });
    await base.remove();
    const script = `echo x >> /scratch/kept; cat /scratch/kept > /workspace/kept; ${STAYS}`;
    const plan = machine.plan('scratch', { imageName: 'hangar-anonymous:1', dockerStartCmd: shell(script) });
    await machine.start(plan);
    await until('it to have written', () => machine.reads('scratch', 'kept'), 'x');
    await machine.driver.stop('scratch', GRACE_MS);
    await machine.start(plan);
    await until('it to have written again', () => machine.reads('scratch', 'kept'), 'x\nx');
    expect((await docker.listVolumes()).Volumes).toHaveLength(1);
    await machine.driver.remove('scratch');
    expect((await docker.listVolumes()).Volumes).toEqual([]);
  });

  test('a command that is not in the image is refused in words about the Pod, and nothing is left of it', async () => {
    await using machine = createPodMachine(containers.host);
    const failed = machine.start(machine.plan('wrong', { dockerStartCmd: ['/bin/nothing'] }));
    await expect(failed).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/dockerStartCmd of the Pod/) as string,
    });
    expect(await machine.driver.list()).toEqual([]);
  });
});
