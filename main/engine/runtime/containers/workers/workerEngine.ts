/**
 * The container engine for workers. It is ready once containers of earlier runs are removed and new ones can reach this
 * engine.
 */
import { messageOf } from '#contract/core/errors.ts';
import type { Logger } from '../../../domain/core/ports.ts';
import { unfit } from '../engine/compatibility.ts';
import type { ContainerEngine, EngineFinder } from '../engine/discovery.ts';
import { findHostAccess, type HostAccess, type HostNetwork } from '../engine/hostAccess.ts';
import type { ContainerLabels } from '../engine/labels.ts';
import { removeContainer } from '../removal.ts';

/** A container engine, and the access of its containers to this engine. */
export interface ReadyEngine {
  engine: ContainerEngine;
  access: HostAccess;
}

export interface WorkerEngine {
  /** The engine, or a sentence that says why there is none. */
  ready(): Promise<ReadyEngine | string>;
  /** Removes the containers of earlier runs, where their engine answers. Otherwise `ready` removes them. */
  sweep(): Promise<void>;
  /** Adds a container that could not be removed. It is removed once its engine answers again. */
  addLeftover(containerId: string, engine: ContainerEngine): void;
}

export interface WorkerEngineOptions {
  logger: Logger;
  finder: EngineFinder;
  labels: ContainerLabels;
  host: HostNetwork;
}

export function createWorkerEngine({ logger, finder, labels, host }: WorkerEngineOptions): WorkerEngine {
  /** The addresses of engines whose old containers are removed. */
  const swept = new Set<string>();
  /** By the id of the container: the address of its engine. */
  const leftovers = new Map<string, string>();
  let access: { engine: ContainerEngine; hostAccess: HostAccess | string } | null = null;
  /** Settles with the sweep that was requested last. It never rejects. */
  let lastSweep: Promise<unknown> = Promise.resolve();

  async function sweepOnce({ docker, place }: ContainerEngine): Promise<void> {
    const left = [...leftovers].flatMap(([id, address]) => (address === place.address ? [id] : []));
    if ((swept.has(place.address) && left.length === 0) || !labels.used()) return;
    const containers = await docker.listContainers({ all: true, filters: { label: [labels.ours] } });
    await Promise.all(
      containers
        .filter(({ Id, Labels }) => left.includes(Id) || !labels.ofThisRun(Labels))
        .map(async ({ Id, Names }) => {
          logger.info({ container: Names[0] }, 'removing a container that was left behind');
          await removeContainer(docker.getContainer(Id));
        }),
    );
    swept.add(place.address);
    // Others may have been added meanwhile.
    for (const id of left) leftovers.delete(id);
  }

  /** Sweeps run one after the other: two at once would remove the same containers. */
  function sweepEngine(engine: ContainerEngine): Promise<void> {
    const sweep = lastSweep.then(() => sweepOnce(engine));
    lastSweep = sweep.catch(() => undefined);
    return sweep;
  }

  return {
    addLeftover: (containerId, { place }) => void leftovers.set(containerId, place.address),
    async ready() {
      const engine = await finder.find();
      if (typeof engine === 'string') return engine;
      const reason = unfit(engine);
      if (reason !== null) return reason;
      try {
        await sweepEngine(engine);
      } catch (error) {
        return `Containers that an earlier run left behind cannot be removed: ${messageOf(error)}`;
      }
      // Without access, such as without a network, search again each time.
      if (access?.engine !== engine || typeof access.hostAccess === 'string') {
        access = { engine, hostAccess: await findHostAccess(engine, host) };
      }
      const { hostAccess } = access;
      return typeof hostAccess === 'string' ? hostAccess : { engine, access: hostAccess };
    },
    async sweep() {
      if (!labels.used()) return;
      const engine = await finder.find();
      if (typeof engine === 'string') return;
      await sweepEngine(engine).catch((error: unknown) => {
        logger.warn({ error }, 'containers of an earlier run could not be removed; the next check tries again');
      });
    },
  };
}
