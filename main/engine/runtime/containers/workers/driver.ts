/** Runs the workers of images: as containers of Docker or Podman, unchanged. */
import type { ContainerInspectInfo } from 'dockerode';
import type { Logger } from '../../../domain/core/ports.ts';
import type { WorkerDriver, WorkerStart } from '../../../domain/autoscaling/ports.ts';
import { freePorts, ownPorts } from '../../process/freePorts.ts';
import type { WorkerLogs } from '../../logs/workerLogs.ts';
import type { ContainerEngine, EngineFinder } from '../engine/discovery.ts';
import { containerOptions } from './options.ts';
import { startContainer } from './process.ts';
import { createDataFolderId } from '../engine/dataFolderId.ts';
import { deviceGroups } from '../engine/deviceGroups.ts';
import { createDiskQuota } from '../engine/diskQuota.ts';
import { startFailure } from '../engine/errorMessages.ts';
import { findHostAccess, type Door, type HostAccess, type HostNetwork } from '../engine/hostAccess.ts';
import { createImagePulls } from '../images/pulls.ts';
import { createContainerLabels } from '../engine/labels.ts';
import { unfit } from '../engine/compatibility.ts';

export interface ContainerDriverOptions {
  dataDir: string;
  logger: Logger;
  logs: Pick<WorkerLogs, 'open' | 'note'>;
  finder: EngineFinder;
  host: HostNetwork;
  /** Base address of the engine. */
  address(): string;
  /** Serves the worker protocol, and nothing else, at an address of this machine that containers reach. Port 0 is any; answers the port. */
  listenForWorkers(door: Door, port: number): Promise<number>;
}

/** An engine with all that is needed to start containers on it. */
interface Ready {
  engine: ContainerEngine;
  access: HostAccess;
}

const doorKey = ({ listenAt, name }: Door): string => `${listenAt} ${name}`;

/** An address that is not there yet: Podman's bridge comes with the first container. */
const notYet = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRNOTAVAIL';

export function createContainerDriver(options: ContainerDriverOptions): WorkerDriver {
  const { finder, logger, logs } = options;
  const labels = createContainerLabels(createDataFolderId(options.dataDir));
  const pulls = createImagePulls();
  const doors = new Map<string, Promise<number>>();
  /** Ports of doors that can be opened only once a container runs. */
  const ports = new Map<string, number>();
  const swept = new Set<string>();
  /** Containers of this run that could not be removed while their engine was gone. */
  const left = new Set<string>();
  const disks = createDiskQuota();
  let access: { engine: ContainerEngine; hostAccess: HostAccess | string } | null = null;

  /** Removes containers that earlier runs left on this engine. */
  async function sweepEngine({ docker, place }: ContainerEngine): Promise<void> {
    if ((swept.has(place.address) && left.size === 0) || !labels.used()) return;
    const containers = await docker.listContainers({ all: true, filters: { label: [labels.ours] } });
    await Promise.all(
      containers
        .filter(({ Id, Labels }) => left.has(Id) || !labels.ofThisRun(Labels))
        .map(async ({ Id, Names }) => {
          logger.info({ container: Names[0] }, 'removing a container that was left behind');
          await docker.getContainer(Id).remove({ force: true, v: true });
        }),
    );
    swept.add(place.address);
    left.clear();
  }

  /** The container engine, swept and able to reach this engine; or a sentence why there is none. */
  async function ready(): Promise<Ready | string> {
    const engine = await finder.find();
    if (typeof engine === 'string') return engine;
    const reason = unfit(engine);
    if (reason !== null) return reason;
    try {
      await sweepEngine(engine);
    } catch (error) {
      return `Containers that an earlier run left behind cannot be removed: ${(error as Error).message}`;
    }
    if (access?.engine !== engine) access = { engine, hostAccess: await findHostAccess(engine, options.host) };
    const { hostAccess } = access;
    return typeof hostAccess === 'string' ? hostAccess : { engine, access: hostAccess };
  }

  function open(door: Door): Promise<number> {
    const key = doorKey(door);
    let port = doors.get(key);
    if (!port) {
      port = options.listenForWorkers(door, ports.get(key) ?? 0);
      doors.set(key, port);
      // Where it could not be opened, the next worker tries again.
      port.catch(() => doors.delete(key));
    }
    return port;
  }

  /** The engine's base address inside the container. */
  async function addressOf({ engine, access: way }: Ready): Promise<string> {
    if (way.kind === 'host') return options.address();
    const { door } = way;
    const port = await open(door).catch((error: unknown) => {
      if (!notYet(error) || engine.name !== 'Podman') throw error;
      const key = doorKey(door);
      const chosen = ports.get(key) ?? freePorts(1)[0]!;
      ports.set(key, chosen);
      return chosen;
    });
    return `http://${door.name}:${port}`;
  }

  function start(worker: WorkerStart): ReturnType<WorkerDriver['start']> {
    const { template, registryAuth } = worker;
    const image = template.imageName;
    // On the network of the machine workers share its ports, so each gets its own.
    const own = ownPorts(worker.ports);
    let engine: ContainerEngine | null = null;
    let phase: 'pull' | 'start' = 'pull';
    let shares = false;
    let door: Door | null = null;
    let bound: ContainerInspectInfo['NetworkSettings']['Ports'] = {};
    return startContainer({
      log: logs.open(worker),
      onLeft: (id) => left.add(id),
      get ownKernel() {
        return engine !== null && !engine.inMachine;
      },
      async create(signal, onProgress) {
        const here = await ready();
        if (typeof here === 'string') throw new Error(here);
        engine = here.engine;
        shares = here.access.kind === 'host';
        door = here.access.kind === 'door' ? here.access.door : null;
        await pulls.get({ engine, name: image, credentials: registryAuth }, signal, (percent) =>
          onProgress(() => `Pulling ${image}${percent() === null ? '' : `, ${percent()} %`}`),
        );
        phase = 'start';
        onProgress(() => `Starting a container of ${image}`);
        const env = { ...worker.env(await addressOf(here)), ...(shares ? own.env : {}) };
        const groups = await deviceGroups(worker.gpus);
        const plan = { worker, engine, access: here.access, env, labels: labels.of(worker), deviceGroups: groups };
        signal.throwIfAborted();
        return disks.create(
          engine,
          (limitDisk) => containerOptions({ ...plan, limitDisk }),
          (reason) => logs.note(worker, 'info', reason),
        );
      },
      async started(facts) {
        bound = facts.NetworkSettings.Ports;
        // The bridge is there now, where it was not before.
        if (door !== null) await open(door);
      },
      reach(port) {
        if (shares) return own.reach(port);
        const at = (bound as Record<string, { HostPort: string }[] | null>)[`${port}/tcp`]?.[0];
        return at === undefined ? null : { host: '127.0.0.1', port: Number(at.HostPort) };
      },
      explain: (error) =>
        engine === null
          ? error.message
          : startFailure(error, {
              phase,
              image,
              of: 'template',
              credentials: registryAuth !== null,
              engine: engine.name,
            }),
    });
  }

  return {
    runtimeOf: () => 'container',
    inspect: () => Promise.resolve(null),

    async unavailable() {
      const state = await ready();
      return typeof state === 'string' ? state : null;
    },
    start,
    async sweep() {
      if (!labels.used()) return;
      const engine = await finder.find();
      // One that does not answer yet is swept when it does, before anything is started on it.
      if (typeof engine !== 'string') {
        await sweepEngine(engine).catch((error: unknown) => {
          logger.warn({ error }, 'containers of an earlier run could not be removed; it is tried again');
        });
      }
    },
  };
}
