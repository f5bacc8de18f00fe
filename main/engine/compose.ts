/** Puts the engine together: log, records, work, service; stops it in reverse. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PYTHON_VARIABLE } from '#contract/local/folder.ts';
import { limits } from '#contract/core/limits.ts';
import type { EndpointReadiness, EngineStart } from '#contract/local/engine.ts';
import type { PauseState } from '#contract/local/machine.ts';
import { createBilling } from './domain/billing/report.ts';
import { setAsideNotice } from './domain/jobs/queue/queueAdmin.ts';
import { createManagement } from './domain/resources/resourceService.ts';
import { HERE } from './domain/pods/env.ts';
import type { Clock, Ids } from './domain/core/ports.ts';
import { addPodNotice } from './domain/pods/pauseNotice.ts';
import { createRateLimit } from './domain/access/rateLimit.ts';
import { createMachine } from './hardware.ts';
import { createRecords } from './persistence.ts';
import { createEngineLog, type EngineLog } from './runtime/host/engineLog.ts';
import { createVolumeFiles } from './runtime/volumeFiles/files.ts';
import { machineShape } from './runtime/host/machineFacts.ts';
import { openFilesLimit } from './runtime/host/openFiles.ts';
import { createBalancerRoutes } from './service/proxy/routes.ts';
import { registerFileRoutes } from './service/local/fileRoutes.ts';
import { registerFolderRoutes } from './service/local/folderRoutes.ts';
import { registerBillingRoutes } from './service/rest/billingRoutes.ts';
import { accountOperations } from './service/graphql/resolvers/account.ts';
import { cloudOnlyOperations } from './service/graphql/resolvers/cloudOnly.ts';
import { endpointOperations } from './service/graphql/resolvers/endpoints.ts';
import { gpuTypeOperations } from './service/graphql/resolvers/gpuTypes.ts';
import { podOperations } from './service/graphql/resolvers/pods.ts';
import { secretOperations } from './service/graphql/resolvers/secrets.ts';
import { templateOperations } from './service/graphql/resolvers/templates.ts';
import { volumeOperations } from './service/graphql/resolvers/volumes.ts';
import { createDocsPage } from './service/openapi/docsPage.ts';
import { registerDocumentRoutes } from './service/documentRoutes.ts';
import { registerGraphqlRoute } from './service/graphql/route.ts';
import { createGraphql } from './service/graphql/schema.ts';
import { jobDocument } from './service/openapi/operations/jobs.ts';
import { registerJobPlaceRoutes } from './service/jobs/queueAdminRoutes.ts';
import { createJobRoutes } from './service/jobs/clientRoutes.ts';
import { localDocument } from './service/openapi/operations/local.ts';
import { registerLocalRoutes } from './service/local/routes.ts';
import { createLogFollowing } from './service/local/logFollower.ts';
import { registerLogRoutes } from './service/local/logRoutes.ts';
import { registerMachineRoutes } from './service/local/machineRoutes.ts';
import { managementDocument } from './service/openapi/operations/resources.ts';
import { registerManagementRoutes } from './service/rest/resourceRoutes.ts';
import { createOpenaiRoutes } from './service/openai/routes.ts';
import { createDocument } from './service/openapi/document.ts';
import { registerPauseRoutes } from './service/local/pauseRoutes.ts';
import { createPodAddresses } from './service/proxy/podRoutes.ts';
import { registerPodRoutes } from './service/rest/podRoutes.ts';
import { createAdmit } from './service/access/routeAccess.ts';
import { createQueueRoutes } from './service/jobs/queueRoutes.ts';
import { createRestV2 } from './service/restV2/index.ts';
import { createService, type ServedRoute } from './service/server.ts';
import { registerTerminalRoutes } from './service/local/terminalRoutes.ts';
import { createTerminalSockets } from './service/local/terminalSockets.ts';
import { registerVolumeRoutes } from './service/rest/volumeRoutes.ts';
import { registerWebhookRoutes } from './service/local/webhookRoutes.ts';
import { createWorkerRoutes } from './service/jobs/workerRoutes.ts';
import { openEngineStore, type EngineStore, type Storing } from './store/engineStore.ts';
import { createWork } from './execution.ts';

export interface Engine {
  readonly port: number;
  readonly address: string;
  /** The key of the very first start, this once. */
  readonly firstKey: string | null;
  /** What a person must be told about how the data was found. */
  readonly notices: readonly string[];
  /** Every route it serves. */
  readonly served: readonly ServedRoute[];
  /** For a person who ends it: which Pods run on, and how they are stopped; null where none does. */
  podsThatRunOn(): string | null;
  stop(): Promise<void>;
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** Where workers and the app, on this machine, reach an engine that listens on `host`: a wildcard is no address to call. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** What is made of `source`, when it is asked for; made again only once the source is another. */
function madeOf<T, M>(source: () => T, make: (source: T) => M): () => M {
  let made: { source: T; made: M } | null = null;
  return () => {
    const now = source();
    if (made?.source !== now) made = { source: now, made: make(now) };
    return made.made;
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
      opened.noticesShown();
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
  const records = createRecords({ settings, clock, ids, logger, opened });
  const { keys, templates, endpoints, texts, intake, limitsNow } = records;
  const machine = createMachine(clock, records.settings);
  /** Other machines are let in. */
  const isOpen = !isLoopback(settings.host);
  let address = '';
  let ready = false;
  const work = await createWork({
    settings,
    clock,
    ids,
    logger,
    opened,
    records,
    machine,
    isOpen,
    address: () => address,
    listenForWorkers: (door, port) => service.listenForWorkers(door, port),
  });
  const { jobs, pool, balancer, reload, health } = work;

  const rateLimit = createRateLimit({
    clock,
    rates: () => records.settings.current.rates,
    runningWorkers(endpointId) {
      const { idle, running: busy } = pool.counts(endpointId);
      return idle + busy;
    },
  });

  const management = createManagement({
    ...records,
    ids,
    pods: work.pods,
    onEndpointChange(id) {
      reload.check(id);
      pool.poke(id);
    },
    onEndpointDelete(id) {
      jobs.removeEndpoint(id);
      rateLimit.forget(id);
      pool.removeEndpoint(id);
      reload.forget(id);
      work.folders.forget(id);
    },
  });
  function setPython(endpointId: string, python: string | null): Promise<EndpointReadiness> {
    const { id, env } = templates.get(endpoints.get(endpointId).templateId);
    const { [PYTHON_VARIABLE]: _before, ...others } = env;
    management.updateTemplate(id, { env: python === null ? others : { ...others, [PYTHON_VARIABLE]: python } });
    return work.readinessOf(endpointId);
  }

  const graphql = createGraphql([
    accountOperations(records.account),
    templateOperations(templates, management, (id) => endpoints.usingTemplate(id)[0]?.id ?? null),
    endpointOperations({
      ...records,
      management,
      workerState(id) {
        const { initializing, ready, running: busy, throttled } = health(id).workers;
        return {
          time: new Date(clock.now()).toISOString(),
          initialized: initializing,
          ready,
          running: busy,
          throttled,
        };
      },
    }),
    volumeOperations({ ...records, management }),
    podOperations({
      pods: work.pods,
      prices: machine.prices,
      volumes: records.volumes,
      now: () => new Date(clock.now()).toISOString(),
    }),
    gpuTypeOperations({ prices: machine.prices, computer: machineShape(), dataCenterId: HERE }),
    secretOperations(records.secrets),
    cloudOnlyOperations(),
  ]);
  const balancing = createBalancerRoutes({ clock, logger, keys, endpoints, balancer, agents: work.agents });
  const withRunningPods = (state: PauseState): PauseState => addPodNotice(state, work.pods.list('RUNNING').length);
  const podAddresses = createPodAddresses({ clock, logger, pods: work.pods, agents: work.agents });
  const openai = createOpenaiRoutes({ clock, jobs, intake, texts, logger, limits: limitsNow });
  const managementText = madeOf(
    () => settings.version,
    (version) => createDocument(managementDocument(version)),
  );
  const billing = createBilling(records.usage);
  const restV2 = createRestV2({
    ...records,
    clock,
    ids,
    management,
    billing,
    pods: work.pods,
    logs: work.logs,
    prices: machine.prices,
    computer: machineShape(),
    workers: pool.records,
    gpuTypeOf: (uuid) => machine.gpus.list().find((gpu) => gpu.uuid === uuid)?.typeId ?? null,
    followLog: createLogFollowing({ logs: work.logs, clock, logger }),
    document: madeOf(
      () => settings.version,
      (version) => createDocument(restV2.table(version)),
    ),
  });
  const terminalSockets = createTerminalSockets({ clock, keys, logger, terminals: work.terminals });
  const service = await createService({
    hostRule: { allowedHosts: settings.allowedHosts, anyAddress: isOpen },
    keys,
    endpoints,
    logger,
    rateLimit,
    balancing,
    podAddresses,
    terminals: terminalSockets,
    documents: [managementDocument(settings.version), localDocument(settings.version), restV2.table(settings.version)],
    jobDocument: madeOf(limitsNow, (now) => createDocument(jobDocument(settings.version, now))),
    mostConnections: Math.min(limits.connection.most, Math.floor(openFilesLimit() * 0.75)),
    jobRoutes: {
      ...createJobRoutes({
        clock,
        jobs,
        intake,
        texts,
        logger,
        health,
        waitsFor: pool.waitsFor,
        limits: limitsNow,
        streamAnswer: () => settings.streamAnswer ?? records.settings.current.answers.stream,
      }),
      ...createQueueRoutes({ clock, jobs, logger }),
      ...openai.routes,
      ...createWorkerRoutes({ clock, jobs, intake, texts, logger, limits: limitsNow }),
    },
    register(api) {
      registerManagementRoutes(api, {
        templates,
        endpoints,
        management,
        workersAsPods: work.workersAsPods,
        noticesOf: work.noticesOf,
      });
      registerVolumeRoutes(api, { ...records, management });
      registerFileRoutes(api, { volumes: records.volumes, files: createVolumeFiles(settings.workerMask) });
      registerFolderRoutes(api, { folders: { ...work.folders, setPython } });
      registerPodRoutes(api, { ...records, pods: work.pods, workersAsPods: work.workersAsPods });
      registerBillingRoutes(api, { billing });
      restV2.register(api);
      registerDocumentRoutes(api, { document: managementText, page: madeOf(managementText, createDocsPage) });
      registerGraphqlRoute(api, { admit: createAdmit(keys, logger), logger, graphql });
      registerTerminalRoutes(api, { terminals: work.terminals });
      registerLogRoutes(api, { logs: work.logs, lanes: work.lanes, clock, logger });
      registerWebhookRoutes(api, { webhooks: work.webhooks });
      registerPauseRoutes(api, {
        pausing: {
          state: () => withRunningPods(work.pausing.state()),
          pause: (request) => withRunningPods(work.pausing.pause(request)),
          resume: () => withRunningPods(work.pausing.resume()),
        },
      });
      registerMachineRoutes(api, {
        machine: async () =>
          machine.facts({ containers: await work.containers.facts(), pause: withRunningPods(work.pausing.state()) }),
      });
      registerJobPlaceRoutes(api, { jobs, endpoints });
      registerLocalRoutes(api, {
        version: settings.version,
        isReady: () => ready,
        facts: async () => ({ startedAt, notices: notices(), ...(await opened.facts()) }),
        document: madeOf(
          () => settings.version,
          (version) => createDocument(localDocument(version)),
        ),
        keys,
        settings: records.settings,
        workers: () => pool.records(),
        timeline: work.timeline,
        readiness: work.readiness,
      });
    },
  });

  const notices = (): string[] => [
    ...opened.notices,
    ...records.unreadable.notices(),
    ...setAsideNotice(jobs.quarantined()),
  ];

  async function stop(): Promise<void> {
    // Workers first: they still hand in what they finish.
    await work.stopWorkers();
    openai.stop();
    balancing.stop();
    podAddresses.stop();
    terminalSockets.stop();
    opened.commits.flush();
    await service.stop();
    work.stop();
    await records.bodyThread.stop();
    rateLimit.stop();
    await machine.stop();
    await opened.stop();
    await records.files.settled();
    await work.logs.stop();
    await log.stop();
  }

  try {
    const port = await service.listen(settings.host, settings.port);
    address = `http://${reachableHost(settings.host)}:${port}`;
    // Who calls while a long queue is read waits a little, instead of finding nobody.
    for (const step of jobs.load()) await nextTurn(step);
    ready = true;
    service.open();
    const firstKey = records.claimFirstStart() ? keys.create({ name: 'First key', scope: 'all' }).key : null;
    void work.pods.begin();
    for (const endpoint of endpoints.list()) pool.poke(endpoint.id);
    // What a recovery could not read may still be wanted: its files stay for this once.
    if (opened.notices.length === 0) void records.files.sweep();
    work.webhooks.start();
    logger.info({ address }, 'engine ready');
    return {
      port,
      address,
      firstKey,
      notices: notices(),
      served: service.served(),
      podsThatRunOn: work.pods.listRunning,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
