/** What runs the work of an engine: jobs and their webhooks, workers, Pods, pausing and load balancing, tied to one another. */
import { join } from 'node:path';
import type { Health } from '#contract/api/job.ts';
import type { Pod } from '#contract/api/pod.ts';
import { limits } from '#contract/core/limits.ts';
import type { EngineStart, JobTimeline } from '#contract/local/engine.ts';
import { createBalancer, type Balancer } from './domain/loadBalancing/balancer.ts';
import { healthOf } from './domain/autoscaling/health.ts';
import type { WorkerDriver } from './domain/autoscaling/ports.ts';
import { timelineOf } from './domain/jobs/views/timeline.ts';
import { createJobs, type Jobs } from './domain/jobs/jobs.ts';
import type { JobCounter } from './domain/jobs/ports.ts';
import { createLanes } from './domain/autoscaling/workerHistory.ts';
import { createPausing, type Pausing } from './domain/pausing/pausing.ts';
import type { ChangeNotes } from './domain/core/changes.ts';
import type { Clock, Ids, Logger } from './domain/core/ports.ts';
import { createPodUsage } from './domain/pods/metering.ts';
import type { ManagedPods, PodDriver } from './domain/pods/podInterfaces.ts';
import { createPods } from './domain/pods/pods.ts';
import { createQueueSource } from './domain/autoscaling/queueDemand.ts';
import { createUsageMeter, type UsageMeter } from './domain/billing/meter.ts';
import { createMetricsRecorder, type MetricsRecorder } from './domain/metrics/recorder.ts';
import { createMetricsReport } from './domain/metrics/report.ts';
import { createVolumeUsage } from './domain/billing/volumeUsage.ts';
import { createWebhooks, type Webhooks } from './domain/webhooks/deliveryQueue.ts';
import type { WebhookPoster } from './domain/webhooks/ports.ts';
import { podOfWorker } from './domain/pods/workerView.ts';
import { createNeeds } from './domain/autoscaling/workerSpec.ts';
import { createWorkerUsage } from './domain/billing/workerUsage.ts';
import { watchedByAll } from './domain/autoscaling/workerEvents.ts';
import { createContainerAccess } from './containerAccess.ts';
import type { Hardware } from './hardware.ts';
import type { Records } from './persistence.ts';
import { createContainerDriver } from './runtime/containers/workers/driver.ts';
import { createEngineFinder, type EngineFinder } from './runtime/containers/engine/discovery.ts';
import { createPodDriver } from './runtime/containers/pods/driver.ts';
import { hostNetwork, type Door } from './runtime/containers/engine/hostAccess.ts';
import { createEndpointFolders } from './runtime/folders/endpointFolders.ts';
import { createDrivers } from './runtime/workers/driverRouter.ts';
import { createWorkerLogs, type WorkerLogs } from './runtime/logs/workerLogs.ts';
import { createWorkerNotes } from './runtime/logs/workerNotes.ts';
import { machineShape } from './runtime/host/machineFacts.ts';
import { createMachineInspector } from './runtime/host/machineProbe.ts';
import { createWorkerPool, type WorkerPool } from './runtime/workers/pool/workerPool.ts';
import { createProcessDriver } from './runtime/workers/processDriver.ts';
import { createReadiness } from './runtime/workers/readiness.ts';
import { createHandlerWatch, type HandlerWatch } from './runtime/reload/handlerWatch.ts';
import { minuteOfDay } from './runtime/host/systemClock.ts';
import { createWebhookPoster } from './runtime/webhooks/poster.ts';
import { createWorkerConnections, type WorkerConnections } from './runtime/workers/http.ts';
import type { EngineStore } from './store/engineStore.ts';
import { createPodEventStore } from './store/repositories/podEvents.ts';
import { createPodStore } from './store/repositories/resources.ts';
import { createVolumeFolders } from './store/repositories/volumeFolders.ts';
import { createWebhookStore } from './store/repositories/webhooks.ts';

export interface ExecutionParts {
  settings: EngineStart;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  opened: EngineStore;
  records: Records;
  hardware: Hardware;
  changes: Pick<ChangeNotes, 'endpoint' | 'folder'>;
  /** Base address of the engine for workers of this machine. */
  address(): string;
  /** Lets workers in containers reach the engine; port 0 is any. Answers the port. */
  listenForWorkers(door: Door, port: number): Promise<number>;
  /** Other machines may connect. */
  isOpen: boolean;
}

/** The pool is made last, of parts that call it. It is null until then. */
type PoolNow = () => WorkerPool | null;

function createLogs({ settings, clock, logger }: ExecutionParts, jobs: () => Jobs): WorkerLogs {
  return createWorkerLogs({
    folder: join(settings.dataDir, 'logs', 'workers'),
    clock,
    jobsOf: (workerId) => jobs().workers.activeJobIds(workerId),
    onFailure: (error) => logger.warn({ error }, 'the output of workers cannot be written to disk; it is tried again'),
  });
}

/** Workers of folders run as processes, workers of images as containers. */
function createDriver(parts: ExecutionParts, logs: WorkerLogs, finder: EngineFinder): WorkerDriver {
  const { settings, logger, hardware, address, listenForWorkers, isOpen } = parts;
  const { dataDir, workerKitDir, workerMask: mask } = settings;
  const { hasGpus, python } = hardware;
  return createDrivers(
    createProcessDriver({ workerKitDir, dataDir, logger, logs, address, mask, hasGpus, python }),
    createContainerDriver({ dataDir, logger, logs, finder, address, listenForWorkers, host: hostNetwork(isOpen) }),
  );
}

function createWebhookDelivery({ settings, clock, ids, logger, opened, records }: ExecutionParts): {
  webhooks: Webhooks;
  poster: WebhookPoster;
} {
  const { texts, files, limitsNow } = records;
  const poster = createWebhookPoster({ version: settings.version, texts });
  const store = createWebhookStore(opened.database, opened.commits, files, records);
  const webhooks = createWebhooks({ clock, ids, store, poster, logger, tries: () => limitsNow().webhook });
  return { webhooks, poster };
}

function createPauses({ clock, logger, records, hardware }: ExecutionParts, pool: PoolNow): Promise<Pausing> {
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

function createRecorder({ clock, logger, records }: ExecutionParts): MetricsRecorder {
  const endpointIds = (): string[] => records.endpoints.list().map(({ id }) => id);
  return createMetricsRecorder({ clock, logger, store: records.metricsStore, endpointIds });
}

function createJobQueues(
  { clock, ids, logger, records, changes }: ExecutionParts,
  webhooks: Webhooks,
  counter: JobCounter,
  pool: PoolNow,
  mayTake: (endpointId: string) => boolean,
): Jobs {
  const { endpoints, limitsNow } = records;
  return createJobs({
    clock,
    ids,
    store: records.jobStore,
    logger,
    webhooks,
    counter,
    limits: limitsNow,
    executionTimeoutMs: (id) => endpoints.find(id)?.executionTimeoutMs ?? limitsNow().executionTimeoutMs.default,
    onDemand: (endpointId) => pool()?.poke(endpointId),
    onMoved: changes.endpoint,
    mayTake,
    onRecycle: (workerId, reason, graceMs) => pool()?.recycle(workerId, reason, graceMs),
  });
}

/** Watches the files of handlers. Jobs wait while a change of them is read, and old workers get none after it. */
function createReload({ clock, logger, records }: ExecutionParts, jobs: Jobs, pool: PoolNow): HandlerWatch {
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

function createLoadBalancing(
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

/** Meters volumes from now on. Pods and workers are metered by their own watches. */
function createMeter({ clock, logger, records, hardware }: ExecutionParts, recorder: MetricsRecorder): UsageMeter {
  const meter = createUsageMeter(clock, records.usage, logger, ({ kind, resourceId }, from, to, amount) => {
    if (kind === 'endpoint') recorder.costed(resourceId, from, to, amount);
  });
  records.settings.onChange(meter.pricesChanged);
  records.volumes.onChange(createVolumeUsage(meter, hardware.prices, records.volumes.list));
  return meter;
}

function createManagedPods(parts: ExecutionParts, driver: PodDriver, meter: UsageMeter): ManagedPods {
  const { settings, clock, ids, logger, opened, records, hardware, address } = parts;
  const { templates, volumes, registryAuths, secrets, usage: store, lasting: sealing, unreadable, damaged } = records;
  const { prices } = hardware;
  const shape = machineShape();
  return createPods({
    clock,
    ids,
    logger,
    templates,
    volumes,
    registryAuths,
    secrets,
    address,
    perHour: prices.perHour,
    freeGpus: (gpuTypeId) => prices.lowestPrice(gpuTypeId, 1)?.maxUnreservedGpuCount ?? null,
    store: createPodStore(opened.database, { sealing, unreadable, damaged }),
    eventStore: createPodEventStore(opened.database, damaged),
    driver,
    gpus: hardware.gpus,
    measured: hardware.measured,
    folders: createVolumeFolders(join(settings.dataDir, 'pods'), settings.workerMask),
    machine: shape,
    pubKey: records.account.pubKey,
    watch: createPodUsage({ meter, prices, cores: shape.cores, store, clock, logger }),
  });
}

/** What clients read about work: counts, timelines, and workers as Pods. */
function createViews({ records, hardware }: ExecutionParts, jobs: Jobs, balancer: Balancer, pool: WorkerPool) {
  const { endpoints, templates } = records;
  const shape = machineShape();
  return {
    health(endpointId: string): Health {
      const requests = endpoints.find(endpointId)?.type === 'LB' ? balancer.demand(endpointId) : null;
      return healthOf(jobs.queueOf(endpointId).counters, requests, pool.counts(endpointId));
    },
    /** The timeline of a job, with the reason why it waits; null for an unknown job. */
    timeline(jobId: string): JobTimeline | null {
      const job = jobs.get(jobId);
      return job ? timelineOf(job, job.status === 'IN_QUEUE' ? pool.waiting(job) : null) : null;
    },
    /** The workers of this machine in the form of Pods, which is how clients of the cloud see them. */
    async workersAsPods(): Promise<Pod[]> {
      const typeOf = (uuid: string | undefined): string =>
        hardware.gpus.list().find((gpu) => gpu.uuid === uuid)?.typeId ?? '';
      return (await pool.records()).flatMap((worker) => {
        const endpoint = endpoints.find(worker.endpointId);
        const template = endpoint && templates.find(endpoint.templateId);
        if (!template) return [];
        return podOfWorker(worker, endpoint, template, typeOf(worker.gpus[0]), shape, hardware.prices.perHour);
      });
    },
  };
}

/** Resolves when `done` settles, at the latest after `ms`. */
const within = (clock: Clock, done: Promise<unknown>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    const settle = (): void => {
      cancel();
      resolve();
    };
    void done.then(settle, settle);
  });

export type Execution = Awaited<ReturnType<typeof createExecution>>;

/** Makes all parts and ends the workers of earlier engines on this data folder. Starts no work: the caller pokes the pool. */
export async function createExecution(parts: ExecutionParts) {
  const { settings, clock, ids, logger, records, hardware } = parts;
  const { endpoints, templates, keys, volumes, registryAuths, secrets } = records;
  let pool: WorkerPool | null = null;
  const poolNow: PoolNow = () => pool;

  const logs = createLogs(parts, () => jobs);
  const containers = createEngineFinder();
  const driver = createDriver(parts, logs, containers);
  await driver.sweep();

  const { webhooks, poster } = createWebhookDelivery(parts);
  const pausing = await createPauses(parts, poolNow);
  const recorder = createRecorder(parts);
  const jobs = createJobQueues(parts, webhooks, recorder.jobs, poolNow, (id) => reload.isCurrent(id));
  const connections = createWorkerConnections();
  const balancer = createLoadBalancing(parts, connections, pausing, poolNow);
  const meter = createMeter(parts, recorder);
  const podDriver = createPodDriver({ dataDir: settings.dataDir, logger, finder: containers });
  const pods = createManagedPods(parts, podDriver, meter);

  const { gpus, prices } = hardware;
  const lanes = createLanes(clock);
  const reload = createReload(parts, jobs, poolNow);
  const { cores } = machineShape();
  const workerUsage = createWorkerUsage({ meter, prices, cores, endpoints, templates, gpus: gpus.list });
  const queueSource = createQueueSource(jobs, clock);
  const needsOf = createNeeds(volumes, registryAuths, secrets, driver.runtimeOf);
  const workers = createWorkerPool({
    clock,
    ids,
    logger,
    jobs,
    keys,
    endpoints,
    templates,
    driver,
    pausing,
    gpus,
    sourceOf: ({ type }) => (type === 'LB' ? balancer : queueSource),
    needsOf,
    onReconciled: parts.changes.endpoint,
    watch: watchedByAll([lanes, createWorkerNotes(logs), reload, workerUsage, recorder.workers]),
  });
  pool = workers;

  const access = createContainerAccess(parts, containers, pods, workers);
  const folders = createEndpointFolders({
    clock,
    jobs,
    waitsFor: workers.waitsFor,
    endpoints,
    templates,
    driver,
    python: hardware.python,
    workerKitDir: settings.workerKitDir,
    onChange: workers.poke,
    onProgress: parts.changes.folder,
  });
  const reloadOf = reload.stateOf;
  const readiness = createReadiness({ endpoints, templates, driver, gpus, jobs, needsOf, pool: workers, reloadOf });

  return {
    jobs,
    pods,
    podDriver,
    webhooks,
    pausing,
    pool: workers,
    ...access,
    balancer,
    /** Connections to workers of load-balancing endpoints. */
    connections,
    lanes,
    logs,
    reload,
    containers,
    folders,
    readiness,
    metrics: {
      ...createMetricsReport({ clock, store: records.metricsStore, recorder, countCosts: meter.count }),
      forget: recorder.forget,
    },
    ...createViews(parts, jobs, balancer, workers),

    /**
     * Ends workers, terminals and webhooks while the service still accepts the results of workers. Pods run on. The container engine
     * ends a container with a long grace time by itself.
     */
    async stopWorkers(): Promise<void> {
      const foldersStopped = folders.stop();
      const podsLeft = pods.leave().then(podDriver.close);
      const pausingStopped = pausing.stop();
      // Close shells while their containers still run.
      const shellsClosed = within(
        clock,
        Promise.all([access.terminals.stop(), access.ssh.stop()]),
        limits.workerGraceMs,
      );
      // Webhook calls under way may finish while the workers do.
      webhooks.stop();
      await reload.stop();
      await workers.stop();
      balancer.stop();
      connections.stop();
      await pausingStopped;
      await foldersStopped;
      await within(clock, podsLeft, limits.lastGraceMs);
      await shellsClosed;
    },

    /** Ends the rest, once the service has stopped. */
    stop(): void {
      meter.stop();
      recorder.stop();
      poster.stop();
      jobs.stop();
    },
  };
}
