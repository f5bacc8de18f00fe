/**
 * What runs the work of an engine: jobs and their webhooks, workers, Pods, pausing and load balancing, tied to one
 * another.
 */
import { limits } from '#contract/core/limits.ts';
import { createLanes } from '../domain/autoscaling/workerHistory.ts';
import type { Clock } from '../domain/core/ports.ts';
import { createMetricsReport } from '../domain/metrics/report.ts';
import { createNeeds } from '../domain/autoscaling/workerSpec.ts';
import { createContainerAccess } from './containerAccess.ts';
import { createEngineFinder } from '../runtime/containers/engine/discovery.ts';
import { createPodDriver } from '../runtime/containers/pods/driver.ts';
import { createFailureNotes } from '../runtime/logs/failureNotes.ts';
import { createWorkerNotes } from '../runtime/logs/workerNotes.ts';
import type { WorkerPool } from '../runtime/workers/pool/workerPool.ts';
import { createReadiness } from '../runtime/workers/readiness.ts';
import { createWorkerConnections } from '../runtime/workers/http.ts';
import type { ExecutionParts, PoolNow } from './parts.ts';
import { createJobQueues, createWebhookDelivery } from './jobs.ts';
import { createMeter, createRecorder, createWorkerMeter } from './metering.ts';
import { createManagedPods } from './pods.ts';
import { createViews } from './views.ts';
import {
  createDriver,
  createFolders,
  createLoadBalancing,
  createLogs,
  createPauses,
  createPool,
  createReload,
} from './workers.ts';

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

/**
 * Makes all parts and ends the workers of earlier engines on this data folder. Starts no work: the caller pokes the
 * pool.
 */
export async function createExecution(parts: ExecutionParts) {
  const { settings, clock, logger, records, hardware } = parts;
  const { gpus } = hardware;
  const { endpoints, templates, volumes, registryAuths, secrets } = records;
  let pool: WorkerPool | null = null;
  const poolNow: PoolNow = () => pool;

  const logs = createLogs(parts, () => jobs);
  const containers = createEngineFinder();
  const driver = createDriver(parts, logs, containers);
  await driver.sweep();

  const { webhooks, poster } = createWebhookDelivery(parts);
  const pausing = await createPauses(parts, poolNow);
  const recorder = createRecorder(parts);
  const jobs = createJobQueues(parts, webhooks, recorder.jobs, poolNow, {
    mayTake: (id) => reload.isCurrent(id),
    priceOf: (workerId) => meter.priceOf(workerId),
    onFailed: createFailureNotes(logs),
  });
  const connections = createWorkerConnections();
  const balancer = createLoadBalancing(parts, connections, pausing, poolNow);
  const meter = createMeter(parts, recorder);
  const podDriver = createPodDriver({ dataDir: settings.dataDir, logger, finder: containers });
  const pods = createManagedPods(parts, podDriver, meter);

  const reload = createReload(parts, jobs, poolNow);
  const lanes = createLanes(clock);
  const needsOf = createNeeds(volumes, registryAuths, secrets, driver.runtimeOf);
  const watches = [lanes, createWorkerNotes(logs), reload, createWorkerMeter(parts, meter), recorder.workers];
  const workers = createPool(parts, { jobs, driver, pausing, balancer, needsOf, watches });
  pool = workers;

  const access = createContainerAccess(parts, containers, pods, workers);
  const folders = createFolders(parts, jobs, driver, workers);
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
    /** Adds all usage up to now to the store. */
    saveUsage: meter.save,
    workersPerHour: meter.workersPerHour,
    ...createViews(parts, jobs, balancer, workers),

    /**
     * Ends workers, terminals and webhooks while the service still accepts the results of workers. Pods run on. The
     * container engine ends a container with a long grace time by itself.
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
