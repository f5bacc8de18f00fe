/** Puts the engine together: log → store → rules → service → workers; stops it in reverse. */
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Health } from '#contract/job.ts';
import { limits } from '#contract/limits.ts';
import type { EngineStart, JobTimeline } from '#contract/local.ts';
import type { LimitSettings } from '#contract/settings.ts';
import { createApiKeys } from './domain/apiKeys.ts';
import { createBalancer } from './domain/balancer.ts';
import { createEndpoints } from './domain/endpoints.ts';
import { healthOf } from './domain/health.ts';
import { createJobs } from './domain/jobs.ts';
import { timelineOf } from './domain/jobTimeline.ts';
import { createLanes } from './domain/lanes.ts';
import type { Clock, Ids, LargeTexts, WorkerDriver } from './domain/ports.ts';
import { createQueueSource } from './domain/queueSource.ts';
import { setAsideNotice } from './domain/jobPlaces.ts';
import { createPausing } from './domain/pausing.ts';
import { createRateLimit } from './domain/rateLimit.ts';
import { createSettings } from './domain/settings.ts';
import { createRegistryAuths } from './domain/registryAuths.ts';
import { createTemplates } from './domain/templates.ts';
import { createVolumes } from './domain/volumes.ts';
import { createNeeds } from './domain/workerNeeds.ts';
import { createWebhooks } from './domain/webhooks.ts';
import { watchedByAll } from './domain/workerWatch.ts';
import { createMachine } from './machine.ts';
import { createContainerDriver } from './runtime/containers/containerDriver.ts';
import { createEngineFinder } from './runtime/containers/containerEngine.ts';
import { createDrivers } from './runtime/drivers.ts';
import { createEngineLog, type EngineLog } from './runtime/engineLog.ts';
import { createWorkerLogs } from './runtime/logs/workerLogs.ts';
import { createWorkerNotes } from './runtime/logs/workerNotes.ts';
import { createMachineLook } from './runtime/machineProbe.ts';
import { openFilesLimit } from './runtime/openFiles.ts';
import { createProcessDriver } from './runtime/processDriver.ts';
import { minuteOfDay } from './runtime/systemClock.ts';
import { createHandlerWatch } from './runtime/reload/handlerWatch.ts';
import { createWebhookPoster } from './runtime/webhookPoster.ts';
import { createWorkerPool, type WorkerPool } from './runtime/pool/workerPool.ts';
import { createWorkerConnections } from './runtime/workerConnections.ts';
import { createBalancerRoutes } from './service/balancerRoutes.ts';
import { createBodyBudget } from './service/bodyBudget.ts';
import { createBodyIntake } from './service/bodyIntake.ts';
import { jobDocument } from './service/jobOperations.ts';
import { registerJobPlaceRoutes } from './service/jobPlaceRoutes.ts';
import { createJobRoutes } from './service/jobRoutes.ts';
import { localDocument } from './service/localOperations.ts';
import { registerLocalRoutes } from './service/localRoutes.ts';
import { registerLogRoutes } from './service/logRoutes.ts';
import { registerMachineRoutes } from './service/machineRoutes.ts';
import { registerManagementRoutes } from './service/managementRoutes.ts';
import { createOpenaiRoutes } from './service/openaiRoutes.ts';
import { createDocument } from './service/openapi.ts';
import { registerPauseRoutes } from './service/pauseRoutes.ts';
import { createQueueRoutes } from './service/queueRoutes.ts';
import { createService, type ServedRoute } from './service/server.ts';
import { registerVolumeRoutes } from './service/volumeRoutes.ts';
import { registerWebhookRoutes } from './service/webhookRoutes.ts';
import { createWorkerRoutes } from './service/workerRoutes.ts';
import { createBodyThread } from './store/bodyThread.ts';
import { openEngineStore, type EngineStore, type Storing } from './store/engineStore.ts';
import { createJobStore } from './store/jobStore.ts';
import {
  createApiKeyStore,
  createRegistryAuthStore,
  createResourceStore,
  createVolumeStore,
} from './store/resourceStore.ts';
import { createPauseStore } from './store/pauseStore.ts';
import { createSealing } from './store/sealing.ts';
import { createTextFiles } from './store/textFiles.ts';
import { createSettingsStore } from './store/settingsStore.ts';
import { createVolumeFolders } from './store/volumeFolders.ts';
import { createWebhookStore } from './store/webhookStore.ts';

export interface Engine {
  readonly port: number;
  readonly address: string;
  /** The key of the very first start, this once. */
  readonly firstKey: string | null;
  /** What a person must be told about how the data was found. */
  readonly notices: readonly string[];
  /** Every route it serves. */
  readonly served: readonly ServedRoute[];
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

/** What is made of `source`, when it is asked for; made again only once the source is another. */
function madeOf<T>(source: () => T, make: (source: T) => string): () => string {
  let made: { source: T; text: string } | null = null;
  return () => {
    const now = source();
    if (made?.source !== now) made = { source: now, text: make(now) };
    return made.text;
  };
}

/** What an engine is given by the program that it runs in. */
export interface EngineWorld {
  clock: Clock;
  ids: Ids;
  storing: Storing;
  /** Damaged data is being recovered, which may take long. */
  onRecovery(reason: string): void;
  /** The store failed. Nothing more is committed or told; end the process, the next start recovers what can be. */
  onStoreFailure(reason: string): void;
}

/** Starts an engine on its data folder. Rejects with DataInUseError, DataUnreadableError, or what `listen` says. */
export async function startEngine(settings: EngineStart, world: EngineWorld): Promise<Engine> {
  const log = createEngineLog(settings);
  for (let attempt = 1; ; attempt++) {
    let ready = false;
    let failed = false;
    const opened = openEngineStore({
      dataDir: settings.dataDir,
      logger: log.logger,
      now: world.clock.now,
      storing: world.storing,
      onRecovery: world.onRecovery,
      onFailure(reason) {
        failed = true;
        if (ready) world.onStoreFailure(reason);
      },
    });
    try {
      const engine = await compose(settings, world, log, opened);
      ready = true;
      opened.told();
      return engine;
    } catch (error) {
      await opened.abandon();
      // Damage that only showed when everything was read: next time the file is checked as a whole first, and recovered.
      if (!failed || attempt > 1) throw error;
    }
  }
}

async function compose(
  settings: EngineStart,
  { clock, ids }: EngineWorld,
  log: EngineLog,
  opened: EngineStore,
): Promise<Engine> {
  const { logger } = log;
  const startedAt = new Date(clock.now()).toISOString();
  const { database, commits } = opened;
  const resources = createResourceStore(database);
  const keyStore = createApiKeyStore(database, commits);
  const dataKey = Buffer.from(settings.dataKey, 'base64');
  const sealing = createSealing(dataKey);
  const files = createTextFiles(join(settings.dataDir, 'blobs'), sealing, logger);
  const engineSettings = createSettings(createSettingsStore(database), logger);
  const limitsNow = (): LimitSettings => engineSettings.current.limits;
  const bodyThread = createBodyThread({ key: dataKey, files, logger, limits: limitsNow });
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
  const intake = createBodyIntake(texts, createBodyBudget(LARGE_BODIES_BYTES), logger, limitsNow);
  const keys = createApiKeys(keyStore, ids, clock, settings.runKey);
  const registryAuths = createRegistryAuths(createRegistryAuthStore(database, sealing), ids);
  const volumes = createVolumes(
    createVolumeStore(database),
    createVolumeFolders(join(settings.dataDir, 'volumes')),
    ids,
  );
  const templates = createTemplates(resources, ids, registryAuths.has);
  const endpoints = createEndpoints(
    ...([resources, templates, ids, clock] as const),
    () => limitsNow().executionTimeoutMs.default,
    volumes.has,
  );
  const machine = createMachine(clock, engineSettings);
  let address = '';
  const { dataDir } = settings;
  const logs = createWorkerLogs({
    folder: join(dataDir, 'logs', 'workers'),
    clock,
    jobsOf: (workerId) => [...(jobs.workers.get(workerId)?.jobs ?? [])].map(({ id }) => id),
    onFailure: (error) => logger.warn({ error }, 'what workers write cannot be kept on disk; it is tried again'),
  });
  const finder = createEngineFinder();
  const containers = createContainerDriver({
    ...{ dataDir, logger, logs, finder },
    address: () => address,
    openDoor: (door) => service.openDoor(door),
  });
  const processes = createProcessDriver({
    workerKitDir: settings.workerKitDir,
    dataDir,
    logger,
    logs,
    address: () => address,
    hasGpus: machine.hasGpus,
    python: machine.python,
  });
  const driver: WorkerDriver = createDrivers(processes, containers);
  await driver.sweep();

  const poster = createWebhookPoster({ version: settings.version, texts });
  const webhooks = createWebhooks({
    ...{ clock, ids, store: createWebhookStore(database, commits, files), poster, logger },
    tries: () => limitsNow().webhook,
  });
  let pool: WorkerPool | null = null;
  let ready = false;
  const pausing = await createPausing({
    ...{ clock, logger, settings: engineSettings, minuteOfDay, store: createPauseStore(database) },
    look: createMachineLook({ logger, gpus: machine.gpus.list, workers: () => pool?.present() ?? [] }),
    isBusy: () => pool?.present().some(({ busy }) => busy) ?? false,
  });
  const jobs = createJobs({
    clock,
    ids,
    store,
    logger,
    webhooks,
    limits: limitsNow,
    executionTimeoutMs: (id) => endpoints.find(id)?.executionTimeoutMs ?? limitsNow().executionTimeoutMs.default,
    onDemand: (id) => pool?.poke(id),
    onRecycle: (workerId, reason, graceMs) => pool?.recycle(workerId, reason, graceMs),
  });
  const queueSource = createQueueSource(jobs, clock);
  const lanes = createLanes(clock);
  const onChange = (id: string): void => pool?.poke(id);
  const reload = createHandlerWatch({ clock, logger, endpoints, templates, jobs, onChange });
  const toWorkers = createWorkerConnections();
  const balancer = createBalancer({
    ...{ clock, logger, probe: toWorkers.probe },
    scalerValue: (id) => endpoints.find(id)?.scalerValue ?? limits.endpoint.scalerValue.default,
    onDemand: (id) => pool?.poke(id),
    onUnhealthy: (workerId, reason) => pool?.condemn(workerId, reason),
    trouble(id) {
      const pause = pausing.state();
      if (pause.state !== 'running') return pause.message ?? 'Work is paused on this machine.';
      return pool?.obstacle(id) ?? null;
    },
  });
  const needsOf = createNeeds(volumes, registryAuths, driver.runtimeOf);
  const running = createWorkerPool({
    ...{ clock, ids, logger, jobs, keys, endpoints, templates, driver, pausing, gpus: machine.gpus },
    sourceOf: ({ type }) => (type === 'LB' ? balancer : queueSource),
    needsOf,
    watch: watchedByAll([lanes, createWorkerNotes(logs), reload]),
  });
  pool = running;

  function health(endpointId: string): Health {
    const requests = endpoints.find(endpointId)?.type === 'LB' ? balancer.demand(endpointId) : null;
    return healthOf(jobs.queueOf(endpointId).tally, requests, running.counts(endpointId));
  }

  const timeline = (jobId: string): JobTimeline | null => {
    const job = jobs.get(jobId);
    return job ? timelineOf(job, job.status === 'IN_QUEUE' ? running.waiting(job) : null) : null;
  };

  const rateLimit = createRateLimit({
    clock,
    rates: () => engineSettings.current.rates,
    runningWorkers(endpointId) {
      const { idle, running: busy } = running.counts(endpointId);
      return idle + busy;
    },
  });

  const balancing = createBalancerRoutes({ clock, logger, keys, endpoints, balancer, agent: toWorkers.agent });
  const openai = createOpenaiRoutes({ clock, jobs, intake, texts, logger, limits: limitsNow });
  const service = await createService({
    hostRule: { allowedHosts: settings.allowedHosts, anyAddress: !loopback.has(settings.host) },
    keys,
    endpoints,
    logger,
    rateLimit,
    balancing,
    jobDocument: madeOf(limitsNow, (now) => createDocument(jobDocument(settings.version, now))),
    mostConnections: Math.min(limits.connection.most, Math.floor(openFilesLimit() * 0.75)),
    jobRoutes: {
      ...createJobRoutes({ clock, jobs, intake, texts, logger, health, limits: limitsNow }),
      ...createQueueRoutes({ clock, jobs, logger }),
      ...openai.routes,
      ...createWorkerRoutes({ clock, jobs, intake, texts, logger, limits: limitsNow }),
    },
    register(api) {
      registerManagementRoutes(api, {
        keys,
        templates,
        endpoints,
        onEndpointChange(id) {
          reload.look(id);
          running.poke(id);
        },
        onEndpointDelete(id) {
          jobs.removeEndpoint(id);
          rateLimit.forget(id);
          running.removeEndpoint(id);
          reload.forget(id);
        },
      });
      registerVolumeRoutes(api, { keys, templates, endpoints, volumes, registryAuths });
      registerLogRoutes(api, { keys, logs, lanes, clock, logger });
      registerWebhookRoutes(api, { keys, webhooks });
      registerPauseRoutes(api, { keys, pausing });
      registerMachineRoutes(api, {
        keys,
        machine: async () => machine.facts({ containers: await finder.facts(), pause: pausing.state() }),
      });
      registerJobPlaceRoutes(api, { keys, jobs, endpoints });
      registerLocalRoutes(api, {
        version: settings.version,
        isReady: () => ready,
        facts: async () => ({ startedAt, notices: notices(), ...(await opened.facts()) }),
        document: madeOf(
          () => settings.version,
          (version) => createDocument(localDocument(version)),
        ),
        keys,
        settings: engineSettings,
        workers: () => running.records(),
        timeline,
        readiness: () =>
          Promise.all(
            endpoints.list().map(async (endpoint) => {
              const { id, templateId } = endpoint;
              const template = templates.get(templateId);
              const needs = needsOf(endpoint, template);
              const { refused, trouble } = running.standing(id);
              const unable = (await driver.unavailable(template)) ?? (typeof needs === 'string' ? needs : null);
              const reason = unable ?? refused;
              return {
                id,
                available: reason === null,
                reason,
                runtime: driver.runtimeOf(template),
                trouble,
                reload: reload.stateOf(id),
              };
            }),
          ),
      });
    },
  });

  const notices = (): string[] => [...opened.notices, ...setAsideNotice(jobs.setAside())];

  async function stop(): Promise<void> {
    const looked = pausing.stop();
    // Nobody new is called; who is being called has the time that the workers take.
    webhooks.stop();
    // Workers first: they still hand in what they finish.
    await reload.stop();
    await running.stop();
    openai.stop();
    balancer.stop();
    balancing.stop();
    toWorkers.stop();
    commits.flush();
    await service.stop();
    poster.stop();
    await bodyThread.stop();
    await looked;
    jobs.stop();
    rateLimit.stop();
    await machine.stop();
    await opened.stop();
    await files.settled();
    await logs.stop();
    await log.stop();
  }

  try {
    const port = await service.listen(settings.host, settings.port);
    address = `http://${reachableHost(settings.host)}:${port}`;
    // Who calls while a long queue is read waits a little, instead of finding nobody.
    for (const step of jobs.load()) await nextTurn(step);
    ready = true;
    service.open();
    const firstKey = keyStore.claimFirstStart() ? keys.create('First key', 'all').key : null;
    for (const endpoint of endpoints.list()) running.poke(endpoint.id);
    // What a recovery could not read may still be wanted: its files stay for this once.
    if (opened.notices.length === 0) void files.sweep();
    webhooks.start();
    logger.info({ address }, 'engine ready');
    return { port, address, firstKey, notices: notices(), served: service.served(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
