/** The limits of Pods on real containers: they change while the container runs on, and stay through every start. */
import { cpus } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContainerInspectInfo } from 'dockerode';
import { podLimitsSchema, type PodLimits } from '#contract/api/pod.ts';
import { podEventSchema } from '#contract/local/podEvent.ts';
import { whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import { skipFor } from '../../support/core/skip.ts';
import { until } from '../../support/core/until.ts';
import { startEngine } from '../../support/engine/engine.ts';
import { startPodContainers } from '../../support/pods/podEngine.ts';
import { containersOf, podsOf, refused, stays, wrote } from '../../support/pods/pods.ts';
import { accepted } from '../../support/resources/resources.ts';

const GIB = 2 ** 30;
const CORES = cpus().length;
/** Writes its memory limit, as the kernel applies it, to the volume again and again. */
const TELLS = `echo kept > /disk
  read_limit() { cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null | tr -d '\\n'; }
  (while :; do read_limit > /workspace/.new; mv /workspace/.new /workspace/limit; sleep 0.2; done) & true`;

describe('the limits of a Pod', skipFor(whyNoContainers()), () => {
  let containers: TestContainerEngine;
  beforeAll(async () => {
    containers = await startPodContainers();
  });
  afterAll(() => containers.closeEmpty());

  /** An engine of its own for each test, whose Pods are deleted with it. */
  async function start() {
    const engine = await startEngine({ env: { DOCKER_HOST: containers.host } });
    const pods = podsOf(engine);
    const path = (id: string): string => `/local/v1/pods/${id}/limits`;
    return {
      engine,
      pods,
      change: async (id: string, limits: object): Promise<PodLimits> =>
        podLimitsSchema.parse(accepted(await engine.http.send('PATCH', path(id), limits))),
      refusedChange: (id: string, limits: object) => refused(engine, 'PATCH', path(id), limits),
      async [Symbol.asyncDispose]() {
        await pods.deleteAll();
        await engine.close();
      },
    };
  }
  async function inspect(id: string): Promise<ContainerInspectInfo> {
    const [{ Id } = { Id: '' }] = await containersOf(containers, id);
    return containers.docker.getContainer(Id).inspect();
  }

  test('change at once while its container runs on, and stay through a stop and an end of the engine', async () => {
    await using on = await start();
    const { id } = await on.pods.make({ vcpuCount: 1, memoryInGb: 1, dockerStartCmd: stays(TELLS) });
    await wrote(on.engine, id, 'limit', String(GIB));
    // The program may have run before its start has ended, which a change begins anew.
    await on.pods.running(id);
    const before = await inspect(id);
    expect(await on.change(id, { memoryInGb: 2 })).toEqual({ vcpuCount: 1, memoryInGb: 2 });
    expect((await on.pods.facts(id)).limits).toEqual({ vcpuCount: 1, memoryInGb: 2 });
    expect(await on.pods.get(id)).toMatchObject({ vcpuCount: 1, memoryInGb: 2 });
    await wrote(on.engine, id, 'limit', String(2 * GIB));
    expect(await on.change(id, { vcpuCount: CORES })).toEqual({ vcpuCount: CORES, memoryInGb: 2 });
    const { Id, State, HostConfig } = await inspect(id);
    expect(Id).toBe(before.Id);
    expect(State.StartedAt).toBe(before.State.StartedAt);
    expect(HostConfig).toMatchObject({ NanoCpus: CORES * 1e9, Memory: 2 * GIB, MemorySwap: 2 * GIB });
    // A stopped container is changed, too, and goes on with its disk.
    await on.pods.act(id, 'stop');
    expect(await on.change(id, { vcpuCount: 1 })).toEqual({ vcpuCount: 1, memoryInGb: 2 });
    await on.pods.act(id, 'start');
    await on.pods.running(id);
    expect(await inspect(id)).toMatchObject({ Id: before.Id, HostConfig: { NanoCpus: 1e9, Memory: 2 * GIB } });
    // The engine ends between the change of its record and that of its container.
    const container = containers.docker.getContainer(before.Id);
    await container.update({ Memory: 3 * GIB, MemorySwap: 3 * GIB });
    await on.engine.kill9();
    await on.engine.restart();
    await on.pods.running(id);
    await until('the limit of the record', async () => (await inspect(id)).HostConfig.Memory, 2 * GIB);
    expect((await inspect(id)).Id).toBe(before.Id);
    expect((await on.pods.facts(id)).limits).toEqual({ vcpuCount: 1, memoryInGb: 2 });
    const events = podEventSchema.array().parse(accepted(await on.engine.http.get(`/local/v1/pods/${id}/events`)));
    expect(events.filter(({ kind }) => kind === 'changed').map(({ text }) => text)).toContain(
      'Its limits were changed: 1 CPU core, 2 GB of memory.',
    );
    // A new container has them from the start, and knows them.
    await on.pods.act(id, 'reset');
    const started = await until(
      'a new container that runs',
      () => containersOf(containers, id),
      (all) => all.find((other) => other.Id !== before.Id && other.State === 'running'),
    );
    const fresh = await containers.docker.getContainer(started.Id).inspect();
    expect(fresh.HostConfig).toMatchObject({ NanoCpus: 1e9, Memory: 2 * GIB });
    expect(fresh.Config.Env).toContain('RUNPOD_MEM_GB=2');
  });

  test('go: the container may then use all of the machine', async () => {
    await using on = await start();
    const { id } = await on.pods.make({ vcpuCount: 1, memoryInGb: 1, dockerStartCmd: stays(TELLS) });
    await wrote(on.engine, id, 'limit', String(GIB));
    await on.pods.running(id);
    const { Id } = await inspect(id);
    expect(await on.change(id, { vcpuCount: null, memoryInGb: null })).toEqual({ vcpuCount: CORES, memoryInGb: null });
    const { MemTotal } = (await containers.docker.info()) as { MemTotal: number };
    expect(await inspect(id)).toMatchObject({ Id, HostConfig: { NanoCpus: CORES * 1e9, Memory: MemTotal } });
    await on.pods.act(id, 'stop');
    await on.pods.act(id, 'start');
    await on.pods.running(id);
    expect((await inspect(id)).Id).toBe(Id);
  });

  test('above the machine, below what the Pod uses now, and out of range are refused, and nothing changes', async () => {
    await using on = await start();
    const fills = 'dd if=/dev/zero of=/dev/shm/full bs=1M count=1200; echo -n full > /workspace/full';
    const { id } = await on.pods.make({ vcpuCount: 1, dockerStartCmd: stays(fills) });
    await wrote(on.engine, id, 'full', 'full');
    await on.pods.running(id);
    expect(await on.refusedChange(id, { vcpuCount: CORES + 1 })).toEqual({
      status: 400,
      message: `vcpuCount is ${CORES + 1}, and this machine has ${CORES} cores. Ask for ${CORES} or fewer.`,
    });
    expect((await on.refusedChange(id, { memoryInGb: 1 })).message).toMatch(
      /^memoryInGb is 1, and the Pod uses 1\.[2-9] GB now: its programs would be killed\. Ask for 2 or more, or stop/,
    );
    for (const limits of [{ vcpuCount: 0 }, { memoryInGb: 1.5 }, { memoryInGb: '2' }, { volumeInGb: 2 }]) {
      expect((await on.refusedChange(id, limits)).status).toBe(400);
    }
    expect((await on.pods.facts(id)).limits).toEqual({ vcpuCount: 1, memoryInGb: null });
    expect((await inspect(id)).HostConfig).toMatchObject({ NanoCpus: 1e9, Memory: 0 });
    // Stopped, nothing is lost.
    await on.pods.act(id, 'stop');
    expect(await on.change(id, { memoryInGb: 1 })).toEqual({ vcpuCount: 1, memoryInGb: 1 });
    expect((await on.refusedChange('nobody', { memoryInGb: 1 })).status).toBe(404);
  });
});
