/** The workers: their programs, their output, who gets jobs and requests, and when they pause or are replaced. */
import { join } from 'node:path';
import { limits } from '#contract/core/limits.ts';
import { createBalancer, type Balancer } from '../domain/loadBalancing/balancer.ts';
import type { WorkerDriver } from '../domain/autoscaling/ports.ts';
import type { Jobs } from '../domain/jobs/jobs.ts';
import { createPausing, type Pausing } from '../domain/pausing/pausing.ts';
import { createQueueDemand } from '../domain/autoscaling/queueDemand.ts';
import { watchedByAll, type WorkerWatch } from '../domain/autoscaling/workerEvents.ts';
import type { NeedsOf } from '../domain/autoscaling/workerSpec.ts';
import { createContainerDriver } from '../runtime/containers/workers/driver.ts';
import type { EngineFinder } from '../runtime/containers/engine/discovery.ts';
import { hostNetwork } from '../runtime/containers/engine/hostAccess.ts';
import { createEndpointFolders, type EndpointFolders } from '../runtime/folders/endpointFolders.ts';
import { createDrivers } from '../runtime/workers/driverRouter.ts';
import { createWorkerLogs, type WorkerLogs } from '../runtime/logs/workerLogs.ts';
import { createMachineInspector } from '../runtime/host/machineProbe.ts';
import { createWorkerPool, type WorkerPool } from '../runtime/workers/pool/workerPool.ts';
import { createProcessDriver } from '../runtime/workers/processDriver.ts';
import { createHandlerWatch, type HandlerWatch } from '../runtime/reload/handlerWatch.ts';
import { minuteOfDay } from '../runtime/host/systemClock.ts';
import type { WorkerConnections } from '../runtime/workers/http.ts';
import type { ExecutionParts, PoolNow } from './parts.ts';

/** The output of workers on disk. */
export function createLogs({ settings, clock, logger }: ExecutionParts, jobs: () => Jobs): WorkerLogs {
  return createWorkerLogs({
    folder: join(settings.dataDir, 'logs', 'workers'),
    clock,
    jobsOf: (workerId) => jobs().workers.activeJobIds(workerId),
    onFailure: (error) => logger.warn({ error }, 'the output of workers cannot be written to disk; it is tried again'),
  });
}

/** Workers of folders run as processes, workers of images as containers. */
export function createDriver(parts: ExecutionParts, logs: WorkerLogs, finder: EngineFinder): WorkerDriver {
  const { settings, logger, hardware, address, listenForWorkers, isOpen } = parts;
  const { dataDir, workerKitDir, workerMask: mask } = settings;
  const { hasGpus, python } = hardware;
  return createDrivers(
    createProcessDriver({ workerKitDir, dataDir, logger, logs, address, mask, hasGpus, python }),
    createContainerDriver({ dataDir, logger, logs, finder, address, listenForWorkers, host: hostNetwork(isOpen) }),
  );
}

/** Decides when work is paused, by the rules of the person. */
export function createPauses({ clock, logger, records, hardware }: ExecutionParts, pool: PoolNow): Promise<Pausing> {
  return createPausing({
    clock,
    logger,
    settings: records.settings,
    minuteOfDay,
    store: records.pauseStore,
    inspectMachine: createMachineInspector({
      logger,
      gpus: hardware.gpus.list,
      onBattery: () => hardware.power.onBattery(),
      workers: () => pool()?.present() ?? [],
    }),
    isBusy: () =>
      pool()
        ?.present()
        .some(({ busy }) => busy) ?? false,
  });
}

/** Watches the files of handlers. Jobs wait while a change of them is read, and old workers get none after it. */
export function createReload({ clock, logger, records }: ExecutionParts, jobs: Jobs, pool: PoolNow): HandlerWatch {
  const { endpoints, templates } = records;
  return createHandlerWatch({
    clock,
    logger,
    endpoints,
    templates,
    jobs,
    onChange: (endpointId) => pool()?.retireOutdated(endpointId),
    onCurrent: jobs.offer,
  });
}

/** Passes requests of load-balancing endpoints to their workers. */
export function createLoadBalancing(
  { clock, logger, records }: ExecutionParts,
  connections: WorkerConnections,
  pausing: Pausing,
  pool: PoolNow,
): Balancer {
  const { endpoints } = records;
  return createBalancer({
    clock,
    logger,
    probe: connections.probe,
    workersMax: (id) => endpoints.find(id)?.workersMax ?? 0,
    scalerValue: (id) => endpoints.find(id)?.scalerValue ?? limits.endpoint.scalerValue.default,
    onDemand: (endpointId) => pool()?.poke(endpointId),
    onUnhealthy: (workerId, reason) => pool()?.markUnhealthy(workerId, reason),
    trouble(id) {
      const pause = pausing.state();
      if (pause.state !== 'running') return pause.message ?? 'Work is paused on this machine.';
      if (endpoints.find(id)?.workersMax === 0) return 'Its workersMax is 0, so it has no workers at all.';
      return pool()?.blocker(id) ?? null;
    },
  });
}

/** What the pool of workers is made of, besides the parts of all. */
interface PoolParts {
  jobs: Jobs;
  driver: WorkerDriver;
  pausing: Pausing;
  balancer: Balancer;
  needsOf: NeedsOf;
  /** Who is told of each event of a worker. */
  watches: readonly Partial<WorkerWatch>[];
}

/** The pool starts no worker before somebody pokes it. */
export function createPool(
  { clock, ids, logger, records, hardware, changes }: ExecutionParts,
  { jobs, driver, pausing, balancer, needsOf, watches }: PoolParts,
): WorkerPool {
  const { keys, endpoints, templates } = records;
  const queueDemand = createQueueDemand(jobs, clock);
  return createWorkerPool({
    clock,
    ids,
    logger,
    jobs,
    keys,
    endpoints,
    templates,
    driver,
    pausing,
    gpus: hardware.gpus,
    sourceOf: ({ type }) => (type === 'LB' ? balancer : queueDemand),
    needsOf,
    onReconciled: changes.endpoint,
    watch: watchedByAll(watches),
  });
}

/** The folders of endpoints: what is read of their handlers, and the checks of them. */
export function createFolders(
  { settings, clock, records, hardware, changes }: ExecutionParts,
  jobs: Jobs,
  driver: WorkerDriver,
  pool: WorkerPool,
): EndpointFolders {
  const { endpoints, templates } = records;
  return createEndpointFolders({
    clock,
    jobs,
    waitsFor: pool.waitsFor,
    endpoints,
    templates,
    driver,
    python: hardware.python,
    workerKitDir: settings.workerKitDir,
    onChange: pool.poke,
    onProgress: changes.folder,
  });
}
