/** Runs Pods: as containers of Docker or Podman that outlive the engine, and are found again by their labels. */
import type { Container, ContainerInspectInfo } from 'dockerode';
import { AppError } from '#contract/errors.ts';
import type { Logger } from '../../domain/ports.ts';
import type { PodContainer, PodDriver, PodPlan } from '../../domain/podPorts.ts';
import { freePorts } from '../freePorts.ts';
import type { ContainerEngine, EngineFinder } from './containerEngine.ts';
import { createDataFolderId } from './dataFolderId.ts';
import { deviceGroups } from './deviceGroups.ts';
import { createDiskQuota } from './diskQuota.ts';
import { createImagePulls } from './imagePulls.ts';
import { createPodEvents } from './podEvents.ts';
import { isStatus, podFailure, stopped } from './podFailure.ts';
import { podLabels } from './podLabels.ts';
import { createPodLoads } from './podLoad.ts';
import { digestOf, podOptions, portsOf } from './podOptions.ts';
import { unfit } from './unfit.ts';

export interface PodDriverOptions {
  dataDir: string;
  logger: Logger;
  finder: EngineFinder;
}

/** What an engine says when a port of this machine has been taken by somebody since it was chosen. */
const PORT_TAKEN = /port is already allocated|address already in use|ports are not available/i;
const PORT_ATTEMPTS = 3;
const NS_PER_S = 1e9;

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** A container that has ended already, or is gone. */
const passed = (error: unknown): void => {
  if (!isStatus(error, 304, 404, 409)) throw error;
};

function containerOf({ State: state, Config: { Labels: labels } }: ContainerInspectInfo): PodContainer {
  const { podId, gpuUuids, ports } = podLabels.read(labels);
  const started = Date.parse(state.StartedAt);
  // Before its first start it is the beginning of the calendar.
  const startedAt = started > 0 ? started : null;
  const running = state.Running;
  return {
    ...{ podId, running, startedAt, gpuUuids },
    exitCode: running || startedAt === null ? null : state.ExitCode,
    outOfMemory: !running && state.OOMKilled,
    ports: new Map(running ? [...ports].map(([inside, port]) => [inside, { host: '127.0.0.1', port }]) : []),
  };
}

export function createPodDriver({ dataDir, logger, finder }: PodDriverOptions): PodDriver {
  const folder = createDataFolderId(dataDir);
  const events = createPodEvents({ finder, folder });
  const pulls = createImagePulls();
  const disks = createDiskQuota();
  const loads = createPodLoads();
  /** What is done to a Pod's container is done one after the other. */
  const turns = new Map<string, Promise<unknown>>();
  const starting = new Map<string, AbortController>();

  async function usable(): Promise<ContainerEngine | string> {
    const engine = await finder.find();
    return typeof engine === 'string' ? engine : (unfit(engine) ?? engine);
  }

  /** Asks the engine; whatever fails is told in words for a person. */
  async function ask<T>(doing: string, asked: (engine: ContainerEngine) => Promise<T>): Promise<T> {
    const engine = await usable();
    if (typeof engine === 'string') throw new AppError('UNAVAILABLE', engine);
    try {
      return await asked(engine);
    } catch (error) {
      throw podFailure(error as Error, { name: engine.name, doing });
    }
  }

  function inTurn<T>(podId: string, work: () => Promise<T>): Promise<T> {
    const before = turns.get(podId) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(work);
    turns.set(podId, mine);
    const leave = (): void => {
      if (turns.get(podId) === mine) turns.delete(podId);
    };
    mine.then(leave, leave);
    return mine;
  }

  const breakOff = (podId: string): void =>
    starting.get(podId)?.abort(new AppError('CONFLICT', 'The Pod was stopped before it ran.'));

  async function found({ docker }: ContainerEngine, podId?: string): Promise<ContainerInspectInfo[]> {
    if (!folder.used()) return [];
    const label = podLabels.filter(folder, podId);
    const listed = await docker.listContainers({ all: true, filters: { label } });
    const seen = listed.map(({ Id }) =>
      docker
        .getContainer(Id)
        .inspect()
        .catch((error: unknown) => {
          // Gone since it was listed.
          if (isStatus(error, 404)) return null;
          throw error;
        }),
    );
    return (await Promise.all(seen)).filter((info) => info !== null);
  }

  async function only(
    engine: ContainerEngine,
    podId: string,
  ): Promise<{ container: Container; info: ContainerInspectInfo } | null> {
    const [info] = await found(engine, podId);
    return info ? { container: engine.docker.getContainer(info.Id), info } : null;
  }

  const removeContainer = (container: Container): Promise<void> =>
    container.remove({ force: true, v: true }).catch(passed) as Promise<void>;

  /** Ports of this machine, none of which a stopped Pod will want back. */
  async function choosePorts(engine: ContainerEngine, { pod }: PodPlan): Promise<Map<number, number>> {
    const wanted = portsOf(pod.ports);
    const others = (await found(engine)).filter(({ Config }) => podLabels.read(Config.Labels).podId !== pod.id);
    const kept = new Set(others.flatMap(({ Config }) => [...podLabels.read(Config.Labels).ports.values()]));
    const free = freePorts(wanted.length + kept.size).filter((port) => !kept.has(port));
    return new Map(wanted.map((port, place) => [port, free[place]!]));
  }

  async function make(engine: ContainerEngine, plan: PodPlan): Promise<Container> {
    const { pod, gpus } = plan;
    const ports = await choosePorts(engine, plan);
    const gpuUuids = gpus.map(({ uuid }) => uuid);
    const labels = podLabels.of(folder, { podId: pod.id, digest: digestOf(plan), gpuUuids, ports });
    const name = podLabels.name(folder, pod.id);
    const made = { name, plan, engine, labels, ports, deviceGroups: await deviceGroups(gpus) };
    return disks.create(
      engine,
      (limitDisk) => podOptions({ ...made, limitDisk }),
      (why) => logger.info({ podId: pod.id }, why),
    );
  }

  /** False where a port that it was made with has been taken meanwhile. */
  async function run(container: Container, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    try {
      await container.start();
    } catch (error) {
      if (isStatus(error, 304)) return true;
      if (PORT_TAKEN.test((error as Error).message)) return false;
      throw error;
    }
    if (!signal.aborted) return true;
    await container.kill().catch(passed);
    throw signal.reason;
  }

  async function bring(engine: ContainerEngine, plan: PodPlan, tell: (what: string) => void, signal: AbortSignal) {
    const { pod, registryAuth } = plan;
    const there = await only(engine, pod.id);
    if (there && podLabels.read(there.info.Config.Labels).digest === digestOf(plan)) {
      tell('Starting its container');
      if (await run(there.container, signal)) return there.container;
      logger.info({ podId: pod.id }, 'a port of the Pod was taken while it was stopped: its container is made anew');
    }
    const { imageName: name } = pod;
    await pulls.get({ engine, name, credentials: registryAuth }, signal, (percent) =>
      tell(`Pulling ${name}${percent() === null ? '' : `, ${percent()} %`}`),
    );
    signal.throwIfAborted();
    tell(`Starting a container of ${name}`);
    if (there) await removeContainer(there.container);
    for (let attempt = 1; ; attempt++) {
      const container = await make(engine, plan);
      try {
        if (await run(container, signal)) return container;
        if (attempt === PORT_ATTEMPTS)
          throw new Error('ports of this machine are taken again and again by other programs');
      } catch (error) {
        await removeContainer(container);
        throw error;
      }
      await removeContainer(container);
    }
  }

  async function start(plan: PodPlan, tell: (what: string | null) => void, asked: AbortSignal): Promise<PodContainer> {
    const { pod, registryAuth } = plan;
    const own = new AbortController();
    const signal = AbortSignal.any([asked, own.signal]);
    starting.set(pod.id, own);
    const now: { said: string | null } = { said: null };
    const tellOnce = (what: string | null): void => {
      if (what !== now.said) tell((now.said = what));
    };
    const engine = await usable();
    try {
      if (typeof engine === 'string') throw new AppError('UNAVAILABLE', engine);
      await events.begin();
      const container = await bring(engine, plan, tellOnce, signal);
      return containerOf(await container.inspect());
    } catch (error) {
      if (typeof engine === 'string') throw error;
      if (signal.aborted) throw stopped(signal);
      throw podFailure(error as Error, {
        ...{ name: engine.name, image: pod.imageName, credentials: registryAuth !== null },
        phase: now.said?.startsWith('Pulling') ? 'pull' : 'start',
      });
    } finally {
      starting.delete(pod.id);
      tellOnce(null);
    }
  }

  return {
    async unavailable() {
      const engine = await usable();
      return typeof engine === 'string' ? engine : null;
    },
    async list() {
      if (!folder.used()) return [];
      return (await ask('list its containers', found)).map(containerOf);
    },
    start: (plan, tell, signal) => inTurn(plan.pod.id, () => start(plan, tell, signal)),
    async stop(podId, graceMs) {
      breakOff(podId);
      await inTurn(podId, () =>
        ask('stop the container', async (engine) => {
          const there = await only(engine, podId);
          if (there?.info.State.Running) await there.container.stop({ t: seconds(graceMs) }).catch(passed);
        }),
      );
    },
    async restart(podId, graceMs) {
      return inTurn(podId, () =>
        ask('restart the container', async (engine) => {
          const there = await only(engine, podId);
          if (!there) throw new AppError('NOT_FOUND', `The Pod ${podId} has no container. Start it.`);
          await there.container.restart({ t: seconds(graceMs) });
          return containerOf(await there.container.inspect());
        }),
      );
    },
    async remove(podId) {
      breakOff(podId);
      await inTurn(podId, async () => {
        if (!folder.used()) return;
        await ask('remove the container', async (engine) => {
          const all = await found(engine, podId);
          await Promise.all(all.map(({ Id }) => removeContainer(engine.docker.getContainer(Id))));
        });
      });
    },
    async load(podId) {
      return ask('measure the container', async (engine) => {
        const there = await only(engine, podId);
        if (!there?.info.State.Running) return null;
        const { NanoCpus: nanoCpus = 0 } = there.info.HostConfig;
        return loads.of(there.container, nanoCpus > 0 ? nanoCpus / NS_PER_S : null);
      });
    },
    onChange: events.onChange,
    async close() {
      for (const podId of starting.keys()) breakOff(podId);
      await Promise.allSettled(turns.values());
      await Promise.all([events.close(), loads.close()]);
    },
  };
}
