/** Puts the engine together: log → store → rules → service → workers; stops it in reverse. */
import { join } from 'node:path';
import { isTerminal, type Health } from '#contract/job.ts';
import { limits } from '#contract/limits.ts';
import type { EngineStart, JobTimeline } from '#contract/local.ts';
import { createApiKeys } from './domain/apiKeys.ts';
import { createEndpoints } from './domain/endpoints.ts';
import { createJobs } from './domain/jobs.ts';
import type { Clock, Ids, LargeTexts, WorkerDriver } from './domain/ports.ts';
import { createRateLimit } from './domain/rateLimit.ts';
import { createSettings } from './domain/settings.ts';
import { createTemplates } from './domain/templates.ts';
import { createEngineLog } from './runtime/engineLog.ts';
import { createProcessDriver } from './runtime/processDriver.ts';
import { createWorkerPool, type WorkerPool } from './runtime/workerPool.ts';
import { createBodyBudget } from './service/bodyBudget.ts';
import { createBodyIntake } from './service/bodyIntake.ts';
import { createJobRoutes } from './service/jobRoutes.ts';
import { registerLocalRoutes } from './service/localRoutes.ts';
import { registerManagementRoutes } from './service/managementRoutes.ts';
import { createOpenaiRoutes } from './service/openaiRoutes.ts';
import { createQueueRoutes } from './service/queueRoutes.ts';
import { createService } from './service/server.ts';
import { createWorkerRoutes } from './service/workerRoutes.ts';
import { createBodyThread } from './store/bodyThread.ts';
import { openDatabase } from './store/database.ts';
import { createGroupCommit } from './store/groupCommit.ts';
import { createJobStore } from './store/jobStore.ts';
import { createApiKeyStore, createResourceStore } from './store/resourceStore.ts';
import { createSealing } from './store/sealing.ts';
import { createTextFiles } from './store/textFiles.ts';
import { createSettingsStore } from './store/settingsStore.ts';

export interface Engine {
  readonly port: number;
  readonly address: string;
  /** The key of the very first start, this once. */
  readonly firstKey: string | null;
  stop(): Promise<void>;
}

/** Bytes of large bodies in memory at once: enough to keep the disk busy. Whoever comes then waits. */
const LARGE_BODIES_BYTES = 128 * 1024 * 1024;

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

/** Where workers and the app, on this machine, reach an engine that listens on `host`: a wildcard is no address to call. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** How the file is opened and when it is committed. The benchmark compares the engine's own ways with others. */
export interface Storing {
  open: typeof openDatabase;
  commits: typeof createGroupCommit;
}
export const durably: Storing = { open: openDatabase, commits: createGroupCommit };

/** Starts an engine on its data folder. Rejects with DataInUseError, DataUnreadableError, or what `listen` says. */
export async function startEngine(
  settings: EngineStart,
  { clock, ids, storing }: { clock: Clock; ids: Ids; storing: Storing },
): Promise<Engine> {
  const log = createEngineLog(settings);
  const { logger } = log;
  const database = storing.open(settings.dataDir);
  const commits = storing.commits(database, logger);
  const resources = createResourceStore(database);
  const keyStore = createApiKeyStore(database);
  const dataKey = Buffer.from(settings.dataKey, 'base64');
  const sealing = createSealing(dataKey);
  const files = createTextFiles(join(settings.dataDir, 'blobs'), sealing, logger);
  const bodyThread = createBodyThread({ key: dataKey, files, logger });
  const store = createJobStore(database, commits, sealing, files);
  const texts: LargeTexts = {
    checkRequest: (bytes) => bodyThread.check('request', bytes),
    checkOpenai: (bytes, route) => bodyThread.check('openai', bytes, route),
    checkResult: (bytes) => bodyThread.check('result', bytes),
    checkChunk: (bytes) => bodyThread.check('chunk', bytes),
    probe: files.probe,
    read: files.read,
    discard: ({ file }) => files.remove(file),
  };
  const intake = createBodyIntake(texts, createBodyBudget(LARGE_BODIES_BYTES), logger);
  const engineSettings = createSettings(createSettingsStore(database), logger);
  const keys = createApiKeys(keyStore, ids, clock, settings.runKey);
  const templates = createTemplates(resources, ids);
  const endpoints = createEndpoints(resources, templates, ids, clock);
  const driver: WorkerDriver = createProcessDriver({
    workerKitDir: settings.workerKitDir,
    dataDir: settings.dataDir,
    logger,
  });
  await driver.sweep();

  let pool: WorkerPool | null = null;
  let address = '';
  const jobs = createJobs({
    clock,
    ids,
    store,
    logger,
    executionTimeoutMs: (id) => endpoints.find(id)?.executionTimeoutMs ?? limits.executionTimeoutMs.default,
    onDemand: (id) => pool?.poke(id),
    onRecycle: (workerId, reason) => pool?.recycle(workerId, reason),
  });
  const running = createWorkerPool({
    clock,
    ids,
    logger,
    jobs,
    keys,
    endpoints,
    templates,
    driver,
    address: () => address,
  });
  pool = running;

  function health(endpointId: string): Health {
    const { tally } = jobs.queueOf(endpointId);
    const { idle, initializing, running: busy, unhealthy } = running.counts(endpointId);
    return {
      jobs: {
        completed: tally.completed,
        failed: tally.failed,
        inProgress: tally.inProgress,
        inQueue: tally.inQueue,
        retried: tally.retried,
      },
      workers: { idle, initializing, ready: idle, running: busy, throttled: 0, unhealthy },
    };
  }

  function timeline(jobId: string): JobTimeline | null {
    const job = jobs.get(jobId);
    if (!job) return null;
    const { workerStartedAt } = job;
    return {
      id: job.id,
      status: job.status,
      submittedAt: new Date(job.submittedAt).toISOString(),
      workerId: job.workerId,
      // A worker that was there before the job was not started for it.
      workerStartedAt: workerStartedAt !== null && workerStartedAt >= job.queuedAt ? moment(workerStartedAt) : null,
      startedAt: moment(job.startedAt),
      finishedAt: isTerminal(job.status) ? moment(job.finishedAt) : null,
      waiting: job.status === 'IN_QUEUE' ? running.waitingReason(job.endpointId) : null,
    };
  }

  const rateLimit = createRateLimit({
    clock,
    rates: () => engineSettings.current.rates,
    runningWorkers(endpointId) {
      const { idle, running: busy } = running.counts(endpointId);
      return idle + busy;
    },
  });

  const openai = createOpenaiRoutes({ clock, jobs, intake, texts, logger });
  const service = await createService({
    hostRule: { allowedHosts: settings.allowedHosts, anyAddress: !loopback.has(settings.host) },
    keys,
    endpoints,
    logger,
    rateLimit,
    jobRoutes: {
      ...createJobRoutes({ clock, jobs, intake, texts, logger, health }),
      ...createQueueRoutes({ clock, jobs, logger }),
      ...openai.routes,
      ...createWorkerRoutes({ clock, jobs, intake, texts, logger }),
    },
    register(api) {
      registerManagementRoutes(api, {
        keys,
        templates,
        endpoints,
        onEndpointChange: (id) => running.poke(id),
        onEndpointDelete(id) {
          jobs.removeEndpoint(id);
          rateLimit.forget(id);
          running.removeEndpoint(id);
        },
      });
      registerLocalRoutes(api, {
        version: settings.version,
        keys,
        settings: engineSettings,
        workers: () => running.records(),
        timeline,
        readiness: () =>
          Promise.all(
            endpoints.list().map(async ({ id, templateId }) => {
              const template = templates.get(templateId);
              const reason = await driver.unavailable(template);
              return { id, available: reason === null, reason, runtime: driver.runtimeOf(template) };
            }),
          ),
      });
    },
  });

  async function stop(): Promise<void> {
    // Workers first: they still hand in what they finish.
    await running.stop();
    openai.stop();
    commits.flush();
    await service.stop();
    await bodyThread.stop();
    jobs.stop();
    rateLimit.stop();
    commits.flush();
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    await files.settled();
    await log.stop();
  }

  try {
    const port = await service.listen(settings.host, settings.port);
    address = `http://${reachableHost(settings.host)}:${port}`;
    const firstKey = keyStore.claimFirstStart() ? keys.create('First key', 'all').key : null;
    for (const endpoint of endpoints.list()) running.poke(endpoint.id);
    void files.sweep();
    logger.info({ address }, 'engine ready');
    return { port, address, firstKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
