/** What does an engine's work: jobs and their webhooks, drivers, the pool of workers, pausing and the balancer, tied to one another. */
import { join } from 'node:path';
import type { Health } from '#contract/api/job.ts';
import type { Pod } from '#contract/api/pod.ts';
import { limits } from '#contract/core/limits.ts';
import type { Endpoint, KeptEndpoint, Template } from '#contract/api/resources.ts';
import { AppError } from '#contract/core/errors.ts';
import type { EndpointReadiness, EngineStart, JobTimeline } from '#contract/local/engine.ts';
import { createBalancer } from './domain/loadBalancing/balancer.ts';
import { healthOf } from './domain/autoscaling/health.ts';
import { timelineOf } from './domain/jobs/views/timeline.ts';
import { createJobs } from './domain/jobs/jobs.ts';
import { createLanes } from './domain/autoscaling/workerHistory.ts';
import { createPausing } from './domain/pausing/pausing.ts';
import type { Clock, Ids, Logger } from './domain/core/ports.ts';
import { createPodUsage } from './domain/pods/metering.ts';
import { createPods } from './domain/pods/pods.ts';
import { createQueueSource } from './domain/autoscaling/queueDemand.ts';
import { createUsageMeter } from './domain/billing/meter.ts';
import { createVolumeUsage } from './domain/billing/volumeUsage.ts';
import { createWebhooks } from './domain/webhooks/deliveryQueue.ts';
import { podOfWorker } from './domain/pods/workerView.ts';
import { createNeeds } from './domain/autoscaling/workerSpec.ts';
import { createWorkerUsage } from './domain/billing/workerUsage.ts';
import { watchedByAll } from './domain/autoscaling/workerEvents.ts';
import type { EngineMachine } from './hardware.ts';
import type { Records } from './persistence.ts';
import { createContainerDriver } from './runtime/containers/workers/driver.ts';
import { createEngineFinder } from './runtime/containers/engine/discovery.ts';
import { createPodDriver } from './runtime/containers/pods/driver.ts';
import { hostNetwork, type Door } from './runtime/containers/engine/hostAccess.ts';
import { createRunningContainers } from './runtime/containers/runningContainers.ts';
import { createDrivers } from './runtime/workers/driverRouter.ts';
import { createWorkerLogs } from './runtime/logs/workerLogs.ts';
import { createWorkerNotes } from './runtime/logs/workerNotes.ts';
import { machineShape } from './runtime/host/machineFacts.ts';
import { createMachineInspector } from './runtime/host/machineProbe.ts';
import { createWorkerPool, type WorkerPool } from './runtime/workers/pool/workerPool.ts';
import { createProcessDriver } from './runtime/workers/processDriver.ts';
import { createEnvironments } from './runtime/folders/environments.ts';
import { readFolder } from './runtime/folders/readFolder.ts';
import { createWorkerChecks } from './runtime/folders/workerChecks.ts';
import { createHandlerWatch } from './runtime/reload/handlerWatch.ts';
import { minuteOfDay } from './runtime/host/systemClock.ts';
import { createTerminals } from './runtime/terminals/terminals.ts';
import { createWebhookPoster } from './runtime/webhooks/poster.ts';
import { folderPath, isFolderTemplate } from './runtime/folders/workerFolder.ts';
import { createWorkerConnections } from './runtime/workers/http.ts';
import type { EngineStore } from './store/engineStore.ts';
import { createPauseStore } from './store/repositories/pause.ts';
import { createPodStore } from './store/repositories/resources.ts';
import { createVolumeFolders } from './store/repositories/volumeFolders.ts';
import { createWebhookStore } from './store/repositories/webhooks.ts';

interface Parts {
  settings: EngineStart;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  opened: EngineStore;
  records: Records;
  machine: EngineMachine;
  /** Where workers of this machine reach the engine. */
  address(): string;
  /** Lets workers in containers reach the engine; port 0 is any. Answers the port. */
  listenForWorkers(door: Door, port: number): Promise<number>;
  /** Other machines are let in. */
  isOpen: boolean;
}

export async function createWork(parts: Parts) {
  const { settings, clock, ids, logger, opened, records, machine, address, listenForWorkers, isOpen } = parts;
  const { database, commits } = opened;
  const { endpoints, templates, keys, texts, limitsNow, volumes, registryAuths, account, secrets } = records;
  const { dataDir, workerKitDir } = settings;
  const logs = createWorkerLogs({
    folder: join(dataDir, 'logs', 'workers'),
    clock,
    jobsOf: (workerId) => jobs.workers.activeJobIds(workerId),
    onFailure: (error) => logger.warn({ error }, 'what workers write cannot be kept on disk; it is tried again'),
  });
  const finder = createEngineFinder();
  const environments = createEnvironments(process.env);
  const driver = createDrivers(
    createProcessDriver({
      workerKitDir,
      dataDir,
      logger,
      logs,
      address,
      mask: settings.workerMask,
      hasGpus: machine.hasGpus,
      python: machine.python,
    }),
    createContainerDriver({
      dataDir,
      logger,
      logs,
      finder,
      address,
      listenForWorkers,
      host: hostNetwork(isOpen),
    }),
  );
  await driver.sweep();

  const poster = createWebhookPoster({ version: settings.version, texts });
  const webhooks = createWebhooks({
    clock,
    ids,
    store: createWebhookStore(database, commits, records.files, records),
    poster,
    logger,
    tries: () => limitsNow().webhook,
  });
  let pool: WorkerPool | null = null;
  const poke = (endpointId: string): void => pool?.poke(endpointId);
  const pausing = await createPausing({
    clock,
    logger,
    settings: records.settings,
    minuteOfDay,
    store: createPauseStore(database),
    inspectMachine: createMachineInspector({ logger, gpus: machine.gpus.list, workers: () => pool?.present() ?? [] }),
    isBusy: () => pool?.present().some(({ busy }) => busy) ?? false,
  });
  const jobs = createJobs({
    clock,
    ids,
    store: records.jobStore,
    logger,
    webhooks,
    limits: limitsNow,
    executionTimeoutMs: (id) => endpoints.find(id)?.executionTimeoutMs ?? limitsNow().executionTimeoutMs.default,
    onDemand: poke,
    onRecycle: (workerId, reason, graceMs) => pool?.recycle(workerId, reason, graceMs),
  });
  const lanes = createLanes(clock);
  const reload = createHandlerWatch({ clock, logger, endpoints, templates, jobs, onChange: poke });
  const toWorkers = createWorkerConnections();
  const balancer = createBalancer({
    clock,
    logger,
    probe: toWorkers.probe,
    workersMax: (id) => endpoints.find(id)?.workersMax ?? 0,
    scalerValue: (id) => endpoints.find(id)?.scalerValue ?? limits.endpoint.scalerValue.default,
    onDemand: poke,
    onUnhealthy: (workerId, reason) => pool?.markUnhealthy(workerId, reason),
    trouble(id) {
      const pause = pausing.state();
      if (pause.state !== 'running') return pause.message ?? 'Work is paused on this machine.';
      if (endpoints.find(id)?.workersMax === 0) return 'Its workersMax is 0, so it has no workers at all.';
      return pool?.blocker(id) ?? null;
    },
  });
  const shape = machineShape();
  const { perHour } = machine.prices;
  const meter = createUsageMeter(clock, records.usage, logger);
  const metering = { meter, prices: machine.prices, cores: shape.cores };
  const podDriver = createPodDriver({ dataDir, logger, finder });
  const pods = createPods({
    clock,
    ids,
    logger,
    templates,
    volumes,
    registryAuths,
    secrets,
    address,
    perHour,
    freeGpus: (gpuTypeId) => machine.prices.lowestPrice(gpuTypeId, 1)?.maxUnreservedGpuCount ?? null,
    store: createPodStore(database, { sealing: records.lasting, unreadable: records.unreadable }),
    driver: podDriver,
    gpus: machine.gpus,
    measured: machine.measured,
    folders: createVolumeFolders(join(dataDir, 'pods'), settings.workerMask),
    machine: shape,
    pubKey: account.pubKey,
    watch: createPodUsage({ ...metering, store: records.usage, clock, logger }),
  });
  const queueSource = createQueueSource(jobs, clock);
  const needsOf = createNeeds(volumes, registryAuths, secrets, driver.runtimeOf);
  records.settings.onChange(meter.pricesChanged);
  volumes.onChange(createVolumeUsage(meter, machine.prices, volumes.list));
  const workerUsage = createWorkerUsage({ ...metering, endpoints, templates, gpus: machine.gpus.list });
  const running = createWorkerPool({
    clock,
    ids,
    logger,
    jobs,
    keys,
    endpoints,
    templates,
    driver,
    pausing,
    gpus: machine.gpus,
    sourceOf: ({ type }) => (type === 'LB' ? balancer : queueSource),
    needsOf,
    watch: watchedByAll([lanes, createWorkerNotes(logs), reload, workerUsage]),
  });
  pool = running;
  const terminals = createTerminals({
    clock,
    ids,
    containers: createRunningContainers({ dataDir, finder }),
    runtimeOf: async (id) => (await running.records()).find((worker) => worker.id === id)?.runtime ?? null,
  });

  function gpuNotices(endpoint: Endpoint): string[] {
    const outlook = machine.gpus.outlook(endpoint);
    return outlook?.kind === 'cpu' ? [outlook.message] : [];
  }

  async function readinessOf(endpoint: KeptEndpoint): Promise<EndpointReadiness> {
    const { id, templateId } = endpoint;
    const template = templates.get(templateId);
    const needs = needsOf(endpoint, template);
    const { refused, trouble } = running.diagnose(id);
    const unable = (await driver.unavailable(template)) ?? (typeof needs === 'string' ? needs : null);
    const reason = unable ?? refused;
    const runtime = driver.runtimeOf(template);
    const publicSdk = jobs.workers.publicSdkOf(id);
    const facts = await driver.inspect(template);
    return {
      id,
      available: reason === null,
      reason,
      runtime,
      publicSdk,
      trouble,
      reload: reload.stateOf(id),
      notices: [...gpuNotices(endpoint), ...(facts?.notices ?? [])],
      handler: facts && { file: facts.file, python: facts.python, environmentSource: facts.environmentSource },
    };
  }

  const checks = createWorkerChecks({ clock, jobs, waitsFor: running.waitsFor });

  /** The folder that an endpoint is made of. */
  function folderOf(endpointId: string): { folder: string; template: Template } {
    const template = templates.get(endpoints.get(endpointId).templateId);
    if (!isFolderTemplate(template)) {
      throw new AppError('BAD_REQUEST', 'This endpoint is made of an image, not of a folder.');
    }
    const place = folderPath(template);
    if (place.problem !== null) throw new AppError('BAD_REQUEST', place.problem);
    return { folder: place.folder, template };
  }

  /** Its workers, and those of others that run the same folder, are to be new ones. */
  function renewFolder(imageName: string): void {
    for (const endpoint of endpoints.list()) {
      if (templates.get(endpoint.templateId).imageName !== imageName) continue;
      endpoints.bumpVersion(endpoint);
      poke(endpoint.id);
    }
  }

  async function pythonFor(template: Template): Promise<string> {
    const { program, reason } = await machine.python.find();
    if (program === null) throw new Error(reason ?? `There is no Python for ${template.name}.`);
    return program;
  }

  /** A container may take its whole grace to stop: its engine goes on with that by itself. */
  const within = (done: Promise<void>, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      const over = (): void => {
        cancel();
        resolve();
      };
      void done.then(over, over);
    });

  return {
    jobs,
    pods,
    webhooks,
    pausing,
    pool: running,
    terminals,
    balancer,
    /** Connections to workers of load-balancing endpoints. */
    agents: toWorkers.agents,
    lanes,
    logs,
    reload,
    containers: finder,

    health(endpointId: string): Health {
      const requests = endpoints.find(endpointId)?.type === 'LB' ? balancer.demand(endpointId) : null;
      return healthOf(jobs.queueOf(endpointId).counters, requests, running.counts(endpointId));
    },

    /** The timeline of a job, with why it waits where it does; null for an unknown one. */
    timeline(jobId: string): JobTimeline | null {
      const job = jobs.get(jobId);
      return job ? timelineOf(job, job.status === 'IN_QUEUE' ? running.waiting(job) : null) : null;
    },

    /** The workers that it runs, as the Pods that they are to clients of the cloud. */
    async workersAsPods(): Promise<Pod[]> {
      const typeOf = (uuid: string | undefined): string =>
        machine.gpus.list().find((gpu) => gpu.uuid === uuid)?.typeId ?? '';
      return (await running.records()).flatMap((worker) => {
        const endpoint = endpoints.find(worker.endpointId);
        const template = endpoint && templates.find(endpoint.templateId);
        if (!template) return [];
        return podOfWorker(worker, endpoint, template, typeOf(worker.gpus[0]), shape, perHour);
      });
    },

    /** Of every endpoint, whether this machine can run it, and what troubles it. */
    readinessOf: (endpointId: string) => readinessOf(endpoints.get(endpointId)),
    folders: {
      read: (imageName: string, python: string | undefined) => readFolder(driver, imageName, python),
      environment: (endpointId: string) => environments.state(folderOf(endpointId).folder),
      stopEnvironment: async (endpointId: string) => environments.cancel(folderOf(endpointId).folder),
      makeEnvironment(endpointId: string) {
        const { folder, template } = folderOf(endpointId);
        return environments.make(
          folder,
          () => pythonFor(template),
          () => renewFolder(template.imageName),
        );
      },
      checked: (endpointId: string) => checks.state(endpointId, folderOf(endpointId).folder),
      stopCheck: (endpointId: string) => checks.stop(endpoints.get(endpointId).id),
      check(endpointId: string) {
        const { folder, template } = folderOf(endpointId);
        return checks.start(endpointId, folder, template.env);
      },
      forget: checks.forget,
    },
    readiness: () => Promise.all(endpoints.list().map(readinessOf)),

    /** What clients of the cloud are told of an endpoint. Nobody waits for a container engine that does not answer. */
    async noticesOf(endpointId: string): Promise<string[]> {
      const endpoint = endpoints.get(endpointId);
      if (driver.runtimeOf(templates.get(endpoint.templateId)) === 'container') {
        const obstacle = running.blocker(endpointId);
        return [...(obstacle === null ? [] : [obstacle]), ...gpuNotices(endpoint)];
      }
      const { reason, notices } = await readinessOf(endpoint);
      return reason === null ? notices : [reason, ...notices];
    },

    /** Ends terminals and workers, while the service still takes what they hand in; nobody is called from now on. Pods run on. */
    async stopWorkers(): Promise<void> {
      const unmade = environments.stop();
      const left = pods.leave().then(podDriver.close);
      const looked = pausing.stop();
      // Close shells while their containers still run.
      const closed = within(terminals.stop(), limits.workerGraceMs);
      // Who is being called has the time that the workers take.
      webhooks.stop();
      await reload.stop();
      await running.stop();
      balancer.stop();
      toWorkers.stop();
      await looked;
      await unmade;
      await within(left, limits.lastGraceMs);
      await closed;
    },

    /** Once nobody calls any more. */
    stop(): void {
      meter.stop();
      poster.stop();
      jobs.stop();
    },
  };
}
