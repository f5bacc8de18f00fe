/** Runs Pods as containers of Docker or Podman. They outlive the engine, and their labels identify them later. */
import type { Container } from 'dockerode';
import { AppError } from '#contract/core/errors.ts';
import type { PodContainer, PodDriver, PodPlan } from '../../../domain/pods/podInterfaces.ts';
import type { ComputeLimits } from '../../../domain/resources/ports.ts';
import type { Logger } from '../../../domain/core/ports.ts';
import type { ContainerEngine, EngineFinder } from '../engine/discovery.ts';
import { createDataFolderId } from '../engine/dataFolderId.ts';
import { createPodEvents } from './events.ts';
import { passed, podFailure } from './failure.ts';
import { fitLimits } from './limits.ts';
import { createPodLoads, sampleOnce } from './load.ts';
import { containerOf, findPod, findPods } from './search.ts';
import { createPodOutput } from './logs.ts';
import { createPodStart } from './start.ts';
import { removeContainer } from '../removal.ts';
import { unfit } from '../engine/compatibility.ts';

export interface PodDriverOptions {
  dataDir: string;
  logger: Logger;
  finder: EngineFinder;
}

const NS_PER_S = 1e9;

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** Operations on the container of a Pod run one after the other. */
function createTurns() {
  const turns = new Map<string, Promise<unknown>>();
  return {
    inTurn<T>(podId: string, work: () => Promise<T>): Promise<T> {
      const before = turns.get(podId) ?? Promise.resolve();
      const turn = before.catch(() => undefined).then(work);
      turns.set(podId, turn);
      const leave = (): void => {
        if (turns.get(podId) === turn) turns.delete(podId);
      };
      turn.then(leave, leave);
      return turn;
    },
    allDone: () => Promise.allSettled(turns.values()),
  };
}

/** Requests to the container engine, with errors for a person. */
function createRequests(finder: EngineFinder) {
  async function usable(): Promise<ContainerEngine | string> {
    const engine = await finder.find();
    return typeof engine === 'string' ? engine : (unfit(engine) ?? engine);
  }

  /** Sends a request to the container engine. Throws AppError with a message for a person. */
  async function ask<T>(doing: string, request: (engine: ContainerEngine) => Promise<T>): Promise<T> {
    const engine = await usable();
    if (typeof engine === 'string') throw new AppError('UNAVAILABLE', engine);
    try {
      return await request(engine);
    } catch (error) {
      throw podFailure(error, { name: engine.name, doing });
    }
  }

  return { usable, ask };
}

export function createPodDriver({ dataDir, logger, finder }: PodDriverOptions): PodDriver {
  const folder = createDataFolderId(dataDir);
  const events = createPodEvents({ finder, folder, logger });
  const startPod = createPodStart({ folder, logger });
  const loads = createPodLoads();
  const { inTurn, allDone } = createTurns();
  const { usable, ask } = createRequests(finder);
  const starting = new Map<string, AbortController>();

  async function measure<T>(
    podId: string,
    read: (container: Container, cores: number | null) => T | null | Promise<T | null>,
  ): Promise<T | null> {
    return ask('measure the container', async (engine) => {
      const existing = await findPod(engine, folder, podId);
      if (!existing?.info.State.Running) return null;
      const { NanoCpus: nanoCpus = 0 } = existing.info.HostConfig;
      return read(existing.container, nanoCpus > 0 ? nanoCpus / NS_PER_S : null);
    });
  }

  const breakOff = (podId: string): void =>
    starting.get(podId)?.abort(new AppError('CONFLICT', 'The Pod was stopped before it ran.'));

  async function start(
    plan: PodPlan,
    onProgress: (phase: string | null) => void,
    signal: AbortSignal,
  ): Promise<PodContainer> {
    const { id } = plan.pod;
    const own = new AbortController();
    starting.set(id, own);
    let reported: string | null = null;
    const reportOnce = (phase: string | null): void => {
      if (phase !== reported) onProgress((reported = phase));
    };
    try {
      return await ask('start the container', async (engine) => {
        await events.begin();
        const container = await startPod(engine, plan, reportOnce, AbortSignal.any([signal, own.signal]));
        return containerOf(await container.inspect());
      });
    } finally {
      starting.delete(id);
      reportOnce(null);
    }
  }

  const limit = (podId: string, wanted: ComputeLimits): Promise<void> =>
    ask('change the limits of the container', async (engine) => {
      const existing = await findPod(engine, folder, podId);
      if (!existing) return;
      await fitLimits(engine, existing, wanted);
      // The load is a part of what the container may use.
      loads.forget(existing.container);
    });

  return {
    async unavailable() {
      const engine = await usable();
      return typeof engine === 'string' ? engine : null;
    },
    async list() {
      if (!folder.used()) return [];
      return (await ask('list its containers', (engine) => findPods(engine, folder))).map(containerOf);
    },
    start: (plan, onProgress, signal) => inTurn(plan.pod.id, () => start(plan, onProgress, signal)),
    async stop(podId, graceMs) {
      breakOff(podId);
      await inTurn(podId, () =>
        ask('stop the container', async (engine) => {
          const existing = await findPod(engine, folder, podId);
          if (existing?.info.State.Running) await existing.container.stop({ t: seconds(graceMs) }).catch(passed);
        }),
      );
    },
    async restart(podId, graceMs) {
      return inTurn(podId, () =>
        ask('restart the container', async (engine) => {
          const existing = await findPod(engine, folder, podId);
          if (!existing) throw new AppError('NOT_FOUND', `The Pod ${podId} has no container. Start it.`);
          await existing.container.restart({ t: seconds(graceMs) });
          return containerOf(await existing.container.inspect());
        }),
      );
    },
    async remove(podId) {
      breakOff(podId);
      await inTurn(podId, async () => {
        if (!folder.used()) return;
        await ask('remove the container', async (engine) => {
          const all = await findPods(engine, folder, podId);
          await Promise.all(all.map(({ Id }) => removeContainer(engine.docker.getContainer(Id))));
        });
      });
    },
    limit: (podId, wanted) => inTurn(podId, () => limit(podId, wanted)),
    load: (podId) => measure(podId, loads.of),
    latestLoad: (podId) => measure(podId, loads.latest),
    sample: (podId) => measure(podId, sampleOnce),
    output: createPodOutput(
      (podId) => ask('read its log', (engine) => findPod(engine, folder, podId)),
      events.onChange,
    ),
    onChange: events.onChange,
    async close() {
      for (const podId of starting.keys()) breakOff(podId);
      await allDone();
      await Promise.all([events.close(), loads.close()]);
    },
  };
}
