/** Starts the container of a Pod: the existing one, or a new one from an image that may have to be pulled. */
import type { Container } from 'dockerode';
import { messageOf } from '#contract/core/errors.ts';
import { requireValue } from '#contract/core/requireValue.ts';
import { pullWords, type PodPlan } from '../../../domain/pods/podInterfaces.ts';
import type { Logger } from '../../../domain/core/ports.ts';
import { freePorts } from '../../process/freePorts.ts';
import type { ContainerEngine } from '../engine/discovery.ts';
import type { DataFolderId } from '../engine/dataFolderId.ts';
import { deviceGroups } from '../engine/deviceGroups.ts';
import { createDiskQuota } from '../engine/diskQuota.ts';
import { createImagePulls } from '../images/pulls.ts';
import { isStatus } from '../engine/errorMessages.ts';
import { removeContainer } from '../removal.ts';
import { passed, podFailure, stopped } from './failure.ts';
import { podLabels } from './labels.ts';
import { fitLimits } from './limits.ts';
import { digestOf, fitsPlan, podOptions, portsOf } from './options.ts';
import { findPod, findPods } from './search.ts';

/** The error texts of engines when another program has taken a port since it was chosen. */
const PORT_TAKEN = /port is already allocated|address already in use|ports are not available/i;
const PORT_ATTEMPTS = 3;

export type StartPod = (
  engine: ContainerEngine,
  plan: PodPlan,
  onProgress: (phase: string) => void,
  signal: AbortSignal,
) => Promise<Container>;

/** Rejects with AppError. When `signal` aborts, no container runs. */
export function createPodStart({ folder, logger }: { folder: DataFolderId; logger: Logger }): StartPod {
  const pulls = createImagePulls();
  const disks = createDiskQuota();

  /** Chooses free ports of this machine that no stopped Pod uses. */
  async function choosePorts(engine: ContainerEngine, { pod }: PodPlan): Promise<Map<number, number>> {
    const containerPorts = portsOf(pod.ports);
    const others = (await findPods(engine, folder)).filter(
      ({ Config }) => podLabels.read(Config.Labels).podId !== pod.id,
    );
    const reserved = new Set(others.flatMap(({ Config }) => [...podLabels.read(Config.Labels).ports.values()]));
    const free = freePorts(containerPorts.length + reserved.size).filter((port) => !reserved.has(port));
    return new Map(containerPorts.map((port, place) => [port, requireValue(free[place], 'a free TCP port')]));
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

  /** Starts the container. Returns false where another program has taken one of its ports. */
  async function run(container: Container, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    try {
      await container.start();
    } catch (error) {
      if (isStatus(error, 304)) return true;
      if (PORT_TAKEN.test(messageOf(error))) return false;
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
    const existing = await findPod(engine, folder, pod.id);
    if (existing && fitsPlan(podLabels.read(existing.info.Config.Labels).digest, existing.info.Config.Env, plan)) {
      onProgress('Starting its container');
      // A change of its limits may have been interrupted. With its old limits it is better than without a container.
      await fitLimits(engine, existing, pod).catch((err: unknown) =>
        logger.warn({ podId: pod.id, err }, 'the limits of a Pod could not be changed; its container has the old ones'),
      );
      if (await run(existing.container, signal)) return existing.container;
      logger.info({ podId: pod.id }, 'a port of the Pod was taken while it was stopped: its container is recreated');
    }
    const { imageName: name } = pod;
    await pulls
      .get({ engine, name, credentials: registryAuth }, signal, ({ percent }) => onProgress(pullWords(name, percent())))
      .catch((error: unknown) => {
        throw podFailure(error, { ...about(engine, plan), phase: 'pull' });
      });
    signal.throwIfAborted();
    onProgress(`Starting a container of ${name}`);
    if (existing) await removeContainer(existing.container);
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
      throw podFailure(error, { ...about(engine, plan), phase: 'start' });
    }
  };
}

const about = ({ name }: ContainerEngine, { pod, registryAuth }: PodPlan) => ({
  name,
  image: pod.imageName,
  credentials: registryAuth !== null,
});
