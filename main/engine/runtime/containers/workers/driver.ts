/** Runs the workers of images as containers of Docker or Podman. The images need no change. */
import { messageOf } from '#contract/core/errors.ts';
import type { Logger } from '../../../domain/core/ports.ts';
import type { WorkerDriver, WorkerStart } from '../../../domain/autoscaling/ports.ts';
import { ownPorts } from '../../process/freePorts.ts';
import type { WorkerLogs } from '../../logs/workerLogs.ts';
import type { ContainerEngine, EngineFinder } from '../engine/discovery.ts';
import { containerOptions } from './options.ts';
import { startContainer } from './process.ts';
import { createDataFolderId } from '../engine/dataFolderId.ts';
import { deviceGroups } from '../engine/deviceGroups.ts';
import { createDiskQuota } from '../engine/diskQuota.ts';
import { startFailure } from '../engine/errorMessages.ts';
import type { Door, HostNetwork } from '../engine/hostAccess.ts';
import { createImagePulls } from '../images/pulls.ts';
import { createContainerLabels } from '../engine/labels.ts';
import { createWorkerAddress, type WorkerAddressOptions } from './workerAddress.ts';
import { createWorkerEngine } from './workerEngine.ts';

export interface ContainerDriverOptions extends WorkerAddressOptions {
  dataDir: string;
  logger: Logger;
  logs: Pick<WorkerLogs, 'open' | 'note'>;
  finder: EngineFinder;
  host: HostNetwork;
}

export function createContainerDriver(options: ContainerDriverOptions): WorkerDriver {
  const { logs, logger, finder, host } = options;
  const labels = createContainerLabels(createDataFolderId(options.dataDir));
  const workerEngine = createWorkerEngine({ logger, finder, labels, host });
  const workerAddress = createWorkerAddress(options);
  const pulls = createImagePulls();
  const disks = createDiskQuota();

  function start(worker: WorkerStart): ReturnType<WorkerDriver['start']> {
    const { template, registryAuth } = worker;
    const image = template.imageName;
    // In the network of the machine workers share its ports, so each worker gets its own.
    const own = ownPorts(worker.ports);
    let engine: ContainerEngine | null = null;
    let phase: 'pull' | 'start' = 'pull';
    let shares = false;
    let door: Door | null = null;
    /** Docker returns null for an unpublished port, which its types omit. */
    let bound: Record<string, { HostPort: string }[] | null> = {};
    return startContainer({
      log: logs.open(worker),
      logger,
      onLeft: (id) => void (engine !== null && workerEngine.addLeftover(id, engine)),
      onProgress: worker.onProgress,
      get ownKernel() {
        return engine !== null && !engine.inMachine;
      },
      async create(signal, onProgress) {
        const ready = await workerEngine.ready();
        if (typeof ready === 'string') throw new Error(ready);
        engine = ready.engine;
        shares = ready.access.kind === 'host';
        door = ready.access.kind === 'door' ? ready.access.door : null;
        await pulls.get({ engine, name: image, credentials: registryAuth }, signal, ({ percent }) =>
          onProgress(() => `Pulling ${image}${percent() === null ? '' : `, ${percent()} %`}`),
        );
        phase = 'start';
        onProgress(() => `Starting a container of ${image}`);
        const env = { ...worker.env(await workerAddress.of(ready)), ...(shares ? own.env : {}) };
        const groups = await deviceGroups(worker.gpus);
        const plan = { worker, engine, access: ready.access, env, labels: labels.of(worker), deviceGroups: groups };
        signal.throwIfAborted();
        return disks.create(
          engine,
          (limitDisk) => containerOptions({ ...plan, limitDisk }),
          (reason) => logs.note(worker, 'info', reason),
        );
      },
      async started(facts) {
        bound = facts.NetworkSettings.Ports;
        // The bridge exists now, at the latest.
        if (door !== null) await workerAddress.open(door);
      },
      reach(port) {
        if (shares) return own.reach(port);
        const at = bound[`${port}/tcp`]?.[0];
        return at === undefined ? null : { host: '127.0.0.1', port: Number(at.HostPort) };
      },
      explain: (error) =>
        engine === null
          ? messageOf(error)
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
      const state = await workerEngine.ready();
      return typeof state === 'string' ? state : null;
    },
    start,
    sweep: workerEngine.sweep,
  };
}
