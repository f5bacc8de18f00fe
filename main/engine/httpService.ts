/** Puts the HTTP service of the engine together: the routes of every API, their documents, and GraphQL. */
import { PYTHON_VARIABLE } from '#contract/local/folder.ts';
import type { PodFacts } from '#contract/api/pod.ts';
import { limits } from '#contract/core/limits.ts';
import type { EndpointReadiness, EngineStart } from '#contract/local/engine.ts';
import type { StreamAnswer } from '#contract/local/settings.ts';
import type { PauseState } from '#contract/local/machine.ts';
import { createDiskReport, type DiskReport } from './diskReport.ts';
import { createBilling } from './domain/billing/report.ts';
import { HERE } from './domain/pods/env.ts';
import type { RateLimit } from './domain/access/rateLimit.ts';
import type { ChangeFeed } from './changeFeed.ts';
import type { Clock, Ids, Logger } from './domain/core/ports.ts';
import type { PodMetricsRecorder } from './domain/pods/metrics/metrics.ts';
import type { Pods } from './domain/pods/podInterfaces.ts';
import { addPodNotice } from './domain/pods/notices.ts';
import type { GpuHistoryRecorder } from './domain/gpus/history/history.ts';
import type { ProcessorHistoryRecorder } from './domain/processor/history.ts';
import type { Management } from './domain/resources/resourceService.ts';
import type { Execution } from './execution/execution.ts';
import type { Hardware } from './hardware.ts';
import type { Records } from './persistence.ts';
import { createImageList, removeLocalImage } from './runtime/containers/images/localImages.ts';
import { createProcessHolders } from './runtime/gpu/gpuUse.ts';
import { createRequestedPulls, type RequestedPulls } from './runtime/containers/images/requestedPulls.ts';
import { createFolderFiles } from '../files/files.ts';
import { createFolderWatcher } from '../files/folderWatch.ts';
import { machineShape } from './runtime/host/machineFacts.ts';
import { openFilesLimit } from './runtime/host/openFiles.ts';
import { createBalancerRoutes } from './service/proxy/routes.ts';
import { CONTAINER_FILES, registerFileRoutes, VOLUME_FILES } from './service/local/fileRoutes.ts';
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
import { registerDocumentRoutes } from './service/documentRoutes.ts';
import { registerGraphqlRoute } from './service/graphql/route.ts';
import { createGraphql, type Graphql } from './service/graphql/schema.ts';
import { registerJobPlaceRoutes } from './service/jobs/queueAdminRoutes.ts';
import { createJobRoutes } from './service/jobs/clientRoutes.ts';
import { registerJobFeedRoutes } from './service/local/jobFeedRoutes.ts';
import { registerLocalRoutes, type LocalRoutesOptions } from './service/local/routes.ts';
import { createLogFollowing } from './service/local/logFollower.ts';
import { registerLogRoutes } from './service/local/logRoutes.ts';
import { registerFolderChangeRoute } from './service/local/changes/folderChangeRoutes.ts';
import { registerChangeRoutes } from './service/local/changes/changeRoutes.ts';
import { registerPodMeasurementRoutes } from './service/local/podMeasurementRoutes.ts';
import { createLineStreaming, registerPodLogRoutes } from './service/local/podLogRoutes.ts';
import { registerPullRoutes } from './service/local/images/pullRoutes.ts';
import { registerMachineRoutes } from './service/local/machineRoutes.ts';
import { registerSampleRoutes } from './service/local/changes/sampleRoutes.ts';
import { registerMetricRoutes } from './service/local/metricRoutes.ts';
import { registerResourceRoutes } from './service/rest/resourceRoutes.ts';
import { createOpenaiRoutes, type OpenaiRoutes } from './service/openai/routes.ts';
import { registerPauseRoutes } from './service/local/pauseRoutes.ts';
import { createPodAddresses } from './service/proxy/podAddresses.ts';
import { registerPodRoutes } from './service/rest/podRoutes.ts';
import { createAdmit } from './service/access/routeAccess.ts';
import { createQueueRoutes } from './service/jobs/queueRoutes.ts';
import { registerRestV2 } from './service/restV2/index.ts';
import type { Api } from './service/access/api.ts';
import { createService, type Service } from './service/server.ts';
import { createPortSockets } from './service/local/ports/portSockets.ts';
import { registerSshRoutes } from './service/local/ports/sshRoute.ts';
import { registerTerminalRoutes } from './service/local/terminalRoutes.ts';
import { createTerminalSockets } from './service/local/terminalSockets.ts';
import { registerVolumeRoutes } from './service/rest/volumeRoutes.ts';
import { registerWebhookRoutes } from './service/local/webhookRoutes.ts';
import { createWorkerRoutes } from './service/jobs/workerRoutes.ts';

export interface HttpServiceParts {
  settings: EngineStart;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  records: Records;
  hardware: Hardware;
  execution: Execution;
  gpuHistory: GpuHistoryRecorder;
  processorHistory: ProcessorHistoryRecorder;
  podMetrics: PodMetricsRecorder;
  rateLimit: RateLimit;
  management: Management;
  changes: ChangeFeed;
  /** Other machines may connect. */
  isOpen: boolean;
  /** The engine has loaded its queues. */
  isReady(): boolean;
  /** The state of the engine and its store, for `/local/v1`. */
  facts: LocalRoutesOptions['facts'];
}

export interface HttpService extends Service {
  /** Ends streams and connections that clients keep open. `stop` waits for the others. */
  closeStreams(): void;
}

function createGraphqlApi({ clock, records, hardware, execution, management }: HttpServiceParts): Graphql {
  const { account, templates, endpoints, volumes, secrets } = records;
  const { prices } = hardware;
  const now = (): string => new Date(clock.now()).toISOString();
  return createGraphql([
    accountOperations(account),
    templateOperations(templates, management, (id) => endpoints.usingTemplate(id)[0]?.id ?? null),
    endpointOperations({
      ...records,
      management,
      workerState(id) {
        const { initializing, ready, running, throttled } = execution.health(id).workers;
        return { time: now(), initialized: initializing, ready, running, throttled };
      },
    }),
    volumeOperations({ ...records, management }),
    podOperations({ pods: execution.pods, prices, volumes, workersPerHour: execution.workersPerHour, now }),
    gpuTypeOperations({ prices, computer: machineShape(), dataCenterId: HERE }),
    secretOperations(secrets),
    cloudOnlyOperations(),
  ]);
}

function registerRestV2Api(api: Api, parts: HttpServiceParts): void {
  const { clock, logger, records, hardware, execution, management } = parts;
  const { logs, pods, pool } = execution;
  registerRestV2(api, {
    ...records,
    clock,
    management,
    billing: createBilling(records.usage, execution.saveUsage),
    pods,
    logs,
    prices: hardware.prices,
    computer: machineShape(),
    workers: pool.records,
    gpuTypeOf: (uuid) => hardware.gpus.list().find((gpu) => gpu.uuid === uuid)?.typeId ?? null,
    followLog: createLogFollowing({ logs, clock, logger }),
    streamLines: createLineStreaming({ clock, logger }),
  });
}

/** The operations under `/v2/{endpoint}`. */
function createJobApi({ settings, clock, logger, records, execution }: HttpServiceParts, openai: OpenaiRoutes) {
  const { intake, texts, limitsNow } = records;
  const { jobs, health, pool } = execution;
  const streamAnswer = (): StreamAnswer => settings.streamAnswer ?? records.settings.current.answers.stream;
  const { waitsFor } = pool;
  return {
    ...createJobRoutes({ clock, jobs, intake, texts, logger, health, waitsFor, limits: limitsNow, streamAnswer }),
    ...createQueueRoutes({ clock, jobs, logger }),
    ...openai.routes,
    ...createWorkerRoutes({ clock, jobs, intake, texts, logger, limits: limitsNow }),
  };
}

/** The management API, version 1. */
function registerRestApi(api: Api, { records, execution, management }: HttpServiceParts): void {
  const { workersAsPods, pods, readiness } = execution;
  const { noticesOf } = readiness;
  registerResourceRoutes(api, { ...records, management, workersAsPods, noticesOf });
  registerVolumeRoutes(api, { ...records, management });
  registerPodRoutes(api, { ...records, pods, workersAsPods });
  registerBillingRoutes(api, { billing: createBilling(records.usage, execution.saveUsage) });
}

/** The facts of all Pods. One that is deleted meanwhile has none. */
async function allFacts(pods: Pick<Pods, 'list' | 'facts'>): Promise<PodFacts[]> {
  const read = await Promise.allSettled(pods.list().map(({ id }) => pods.facts(id)));
  return read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

interface LocalParts {
  pulls: RequestedPulls;
  disk: DiskReport;
}

/** The routes under `/local/v1`, about this machine. */
function registerLocalApi(api: Api, parts: HttpServiceParts, { pulls, disk }: LocalParts): void {
  const {
    settings,
    clock,
    logger,
    records,
    hardware,
    gpuHistory,
    processorHistory,
    podMetrics,
    execution,
    management,
  } = parts;
  const { changes, isReady, facts } = parts;
  const { templates, endpoints, volumes, keys, registryAuths } = records;
  const { jobs, pods, pool, pausing, logs, lanes, readiness, containers, timeline } = execution;
  const withHolders = createProcessHolders({ workers: pool.present });
  const withRunningPods = (state: PauseState): PauseState => addPodNotice(state, pods.list('RUNNING').length);

  function setPython(endpointId: string, python: string | null): Promise<EndpointReadiness> {
    const { id, env } = templates.get(endpoints.get(endpointId).templateId);
    const { [PYTHON_VARIABLE]: _before, ...others } = env;
    management.updateTemplate(id, { env: python === null ? others : { ...others, [PYTHON_VARIABLE]: python } });
    return readiness.of(endpointId);
  }

  // The own volume of a Pod has the id of the Pod.
  const volumeRoot = (id: string): string => pods.volumeFolder(id) ?? volumes.folderOf(id);
  const volumeFiles = createFolderFiles({ mask: settings.workerMask });
  registerFileRoutes(api, { kind: VOLUME_FILES, rootOf: volumeRoot, files: volumeFiles });
  registerFolderChangeRoute(api, { rootOf: volumeRoot, watcher: createFolderWatcher({ clock }), clock });
  registerFileRoutes(api, { kind: CONTAINER_FILES, rootOf: (id) => id, files: execution.containerFiles });
  registerFolderRoutes(api, { folders: { ...execution.folders, setPython } });
  registerTerminalRoutes(api, execution);
  registerSshRoutes(api, execution);
  registerLogRoutes(api, { logs, lanes, clock, logger });
  registerChangeRoutes(api, { changes, clock });
  registerPodMeasurementRoutes(api, { pods, metrics: podMetrics, probe: execution.connections.probe });
  registerPodLogRoutes(api, { pods, clock, streamLines: createLineStreaming({ clock, logger }) });
  registerWebhookRoutes(api, execution);
  registerPauseRoutes(api, {
    pausing: {
      state: () => withRunningPods(pausing.state()),
      pause: (request) => withRunningPods(pausing.pause(request)),
      resume: () => withRunningPods(pausing.resume()),
    },
  });
  registerPullRoutes(api, {
    clock,
    pulls: {
      ...pulls,
      start: async (request) => {
        const { containerRegistryAuthId: id } = request;
        return pulls.start(request, id === undefined ? null : registryAuths.credentials(id));
      },
    },
  });
  const measureMachine = async () => {
    const pause = withRunningPods(pausing.state());
    const { gpus, ...others } = await hardware.facts({ containers: await containers.facts(), pause });
    return { ...others, gpus: gpus.map(withHolders) };
  };
  registerSampleRoutes(api, {
    machine: measureMachine,
    workers: async () => pool.records(),
    pods: () => allFacts(pods),
    clock,
    logger,
  });
  registerMachineRoutes(api, {
    images: createImageList(containers),
    removeImage: (name) => removeLocalImage(containers, name),
    disk: disk.measure,
    machine: measureMachine,
    gpuHistory: gpuHistory.of,
    processorHistory: processorHistory.of,
  });
  registerMetricRoutes(api, { metrics: execution.metrics, endpoints });
  registerJobPlaceRoutes(api, { jobs, endpoints });
  registerJobFeedRoutes(api, {
    jobs,
    texts: records.texts,
    clock,
    waitsFor: pool.waitsFor,
    endpointName: (id) => endpoints.find(id)?.name ?? null,
  });
  registerLocalRoutes(api, {
    version: settings.version,
    isReady,
    facts,
    keys,
    pairing: records.pairing,
    settings: records.settings,
    workers: pool.records,
    timeline,
    readiness: readiness.all,
  });
}

/** Makes the service. It listens only once `listen` is called. */
export async function createHttpService(parts: HttpServiceParts): Promise<HttpService> {
  const { settings, clock, logger, records, execution, rateLimit, isOpen } = parts;
  const { keys, endpoints, texts, intake, limitsNow } = records;
  const { connections, balancer, jobs, pods } = execution;
  const { agents } = connections;
  const graphql = createGraphqlApi(parts);
  const balancing = createBalancerRoutes({ clock, logger, keys, endpoints, balancer, agents });
  const podAddresses = createPodAddresses({ clock, logger, keys, pods, agents });
  const openai = createOpenaiRoutes({ clock, jobs, intake, texts, logger, limits: limitsNow });
  const terminals = createTerminalSockets({ clock, keys, logger, terminals: execution.terminals });
  const podPorts = createPortSockets({ keys, logger, ports: execution.podPorts });
  const pulls = createRequestedPulls({ finder: execution.containers, clock, ids: parts.ids, logger });
  const disk = createDiskReport({
    dataDir: settings.dataDir,
    finder: execution.containers,
    clock,
    imagesInUse: () => records.templates.list().map(({ imageName }) => imageName),
  });
  const service = await createService({
    version: settings.version,
    limits: limitsNow,
    hostRule: { allowedHosts: settings.allowedHosts, anyAddress: isOpen },
    keys,
    endpoints,
    logger,
    rateLimit,
    balancing,
    podAddresses,
    podPorts,
    terminals,
    mostConnections: Math.min(limits.connection.most, Math.floor(openFilesLimit() * 0.75)),
    jobRoutes: createJobApi(parts, openai),
    register(api, documents) {
      registerRestApi(api, parts);
      registerRestV2Api(api, parts);
      registerDocumentRoutes(api, documents);
      registerGraphqlRoute(api, { admit: createAdmit(keys, logger), logger, graphql });
      registerLocalApi(api, parts, { pulls, disk });
    },
  });
  return {
    ...service,
    closeStreams() {
      openai.stop();
      balancing.stop();
      podAddresses.stop();
      podPorts.stop();
      terminals.stop();
      pulls.stop();
      disk.stop();
    },
  };
}
