/** Brings the container of a Pod to run: the one that there is, or a new one of an image that may have to be pulled. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Container } from 'dockerode';
import type { PodPlan } from '../../../domain/pods/podInterfaces.ts';
import type { Logger } from '../../../domain/core/ports.ts';
import { freePorts } from '../../process/freePorts.ts';
import type { ContainerEngine } from '../engine/discovery.ts';
import type { DataFolderId } from '../engine/dataFolderId.ts';
import { deviceGroups } from '../engine/deviceGroups.ts';
import { createDiskQuota } from '../engine/diskQuota.ts';
import { createImagePulls } from '../images/pulls.ts';
import { isStatus, passed, podFailure, stopped } from './failure.ts';
import { podLabels } from './labels.ts';
import { digestOf, podOptions, portsOf } from './options.ts';
import { findPod, findPods } from './search.ts';

/** What an engine says when a port of this machine has been taken by somebody since it was chosen. */
const PORT_TAKEN = /port is already allocated|address already in use|ports are not available/i;
const PORT_ATTEMPTS = 3;

export type StartPod = (
  engine: ContainerEngine,
  plan: PodPlan,
  onProgress: (phase: string) => void,
  signal: AbortSignal,
) => Promise<Container>;

/** An engine that has just been started, or has just ended a container, may still hold its disk: on a busy machine for longer than 5 s. */
const DISK_BUSY = /device or resource busy|failed to remove root filesystem/i;
const BUSY_ATTEMPTS = 60;
const BUSY_PAUSE_MS = 500;

export async function removeContainer(container: Container): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await container.remove({ force: true, v: true }).catch(passed);
      return;
    } catch (error) {
      if (attempt === BUSY_ATTEMPTS || !DISK_BUSY.test((error as Error).message)) throw error;
      await delay(BUSY_PAUSE_MS);
    }
  }
}

/** Rejects with AppError; where `signal` aborts, nothing runs. */
export function createPodStart({ folder, logger }: { folder: DataFolderId; logger: Logger }): StartPod {
  const pulls = createImagePulls();
  const disks = createDiskQuota();

  /** Ports of this machine, none of which a stopped Pod will want back. */
  async function choosePorts(engine: ContainerEngine, { pod }: PodPlan): Promise<Map<number, number>> {
    const containerPorts = portsOf(pod.ports);
    const others = (await findPods(engine, folder)).filter(
      ({ Config }) => podLabels.read(Config.Labels).podId !== pod.id,
    );
    const reserved = new Set(others.flatMap(({ Config }) => [...podLabels.read(Config.Labels).ports.values()]));
    const free = freePorts(containerPorts.length + reserved.size).filter((port) => !reserved.has(port));
    return new Map(containerPorts.map((port, place) => [port, free[place]!]));
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
      (reason) => logger.info({ podId: pod.id }, reason),
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

  async function bring(
    engine: ContainerEngine,
    plan: PodPlan,
    onProgress: (phase: string) => void,
    signal: AbortSignal,
  ) {
    const { pod, registryAuth } = plan;
    const there = await findPod(engine, folder, pod.id);
    if (there && podLabels.read(there.info.Config.Labels).digest === digestOf(plan)) {
      onProgress('Starting its container');
      if (await run(there.container, signal)) return there.container;
      logger.info({ podId: pod.id }, 'a port of the Pod was taken while it was stopped: its container is made anew');
    }
    const { imageName: name } = pod;
    await pulls
      .get({ engine, name, credentials: registryAuth }, signal, (percent) =>
        onProgress(`Pulling ${name}${percent() === null ? '' : `, ${percent()} %`}`),
      )
      .catch((error: unknown) => {
        throw podFailure(error as Error, { ...about(engine, plan), phase: 'pull' });
      });
    signal.throwIfAborted();
    onProgress(`Starting a container of ${name}`);
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

  return async (engine, plan, onProgress, signal) => {
    try {
      return await bring(engine, plan, onProgress, signal);
    } catch (error) {
      if (signal.aborted) throw stopped(signal);
      throw podFailure(error as Error, { ...about(engine, plan), phase: 'start' });
    }
  };
}

const about = ({ name }: ContainerEngine, { pod, registryAuth }: PodPlan) => ({
  name,
  image: pod.imageName,
  credentials: registryAuth !== null,
});
