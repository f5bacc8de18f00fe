/** Puts the engine together: store, rules, execution and HTTP service; stops them in reverse. */
import { backup } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EngineStart } from '#contract/local/engine.ts';
import { isLoopbackHost, reachableHost } from '#contract/network/hosts.ts';
import { setAsideNotice } from './domain/jobs/queue/queueAdmin.ts';
import { createChanges, type ChangeNotes, type Changes } from './domain/core/changes.ts';
import { createManagement, type Management } from './domain/resources/resourceService.ts';
import type { Clock, Ids } from './domain/core/ports.ts';
import { createRateLimit, type RateLimit } from './domain/access/rateLimit.ts';
import { createChangeFeed } from './changeFeed.ts';
import { createProcessorHistory } from './domain/processor/history.ts';
import { createGpuRecorder } from './gpuRecorder.ts';
import { createHardware } from './hardware.ts';
import { createHttpService } from './httpService.ts';
import { createRecords, type Records } from './persistence.ts';
import { createPodRecorder } from './podRecorder.ts';
import { createEngineLog, type EngineLog } from './runtime/host/engineLog.ts';
import type { ServedRoute } from './service/server.ts';
import { openEngineStore, type EngineStore, type Storing } from './store/engineStore.ts';
import { createExecution, type Execution } from './execution/execution.ts';

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
  /** The machine woke up, or its power source changed. `onBattery`: null where the host does not know. */
  powerChanged(onBattery: boolean | null): void;
  /** Copies all that is committed to a new file, while the engine works. Rejects with the error of SQLite. */
  snapshot(file: string): Promise<void>;
  stop(): Promise<void>;
}

/** Pages in one step of a snapshot: between the steps the engine serves requests. */
const SNAPSHOT_PAGES = 500;

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
      version: settings.version,
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
      // Damage that only showed when everything was read: next time the file is checked as a whole first, and
      // recovered.
      if (!failed || attempt > 1) throw error;
    }
  }
}

function createRequestRates(clock: Clock, records: Records, { pool }: Execution): RateLimit {
  return createRateLimit({
    clock,
    rates: () => records.settings.current.rates,
    runningWorkers(endpointId) {
      const { idle, running } = pool.counts(endpointId);
      return idle + running;
    },
  });
}

/** Changes of resources, which change workers too. */
function createResources(
  records: Records,
  ids: Ids,
  execution: Execution,
  rateLimit: RateLimit,
  changes: Changes,
): Management {
  const { jobs, pods, pool, reload, folders, metrics } = execution;
  return createManagement({
    ...records,
    ids,
    pods,
    onEndpointChange(id) {
      reload.check(id);
      pool.poke(id);
      changes.endpoint(id);
      changes.resource();
    },
    onEndpointDelete(id) {
      jobs.removeEndpoint(id);
      rateLimit.forget(id);
      pool.removeEndpoint(id);
      reload.forget(id);
      folders.forget(id);
      metrics.forget(id);
      changes.endpoint(id);
      changes.resource();
    },
  });
}

/** Reports changes of what people and their programs write. */
function noteRecords(records: Records, changes: ChangeNotes): void {
  const { templates, volumes, registryAuths, keys, settings, account } = records;
  for (const { onChange } of [templates, volumes, registryAuths]) onChange(changes.resource);
  keys.onChange(changes.key);
  for (const { onChange } of [settings, account]) onChange(changes.settings);
}

async function compose(
  settings: EngineStart,
  { clock, ids }: EngineWorld,
  log: EngineLog,
  opened: EngineStore,
): Promise<Engine> {
  const { logger } = log;
  const startedAt = new Date(clock.now()).toISOString();
  let address = '';
  let isReady = false;
  /** Other machines may connect. */
  const isOpen = !isLoopbackHost(settings.host);
  const base = { settings, clock, ids, logger };

  const records = createRecords({ ...base, opened });
  const hardware = createHardware(clock, records.settings);
  const changes = createChanges(clock);
  const execution = await createExecution({
    ...base,
    opened,
    changes,
    records,
    hardware,
    isOpen,
    address: () => address,
    listenForWorkers: (door, port) => http.listenForWorkers(door, port),
  });
  const gpuHistory = createGpuRecorder({ clock, records, hardware }, execution.pool.present);
  const processorHistory = createProcessorHistory({
    clock,
    store: records.histories.processor,
    measure: hardware.measureProcessor(),
  });
  const podMetrics = createPodRecorder({ clock, logger, records, hardware, ...execution }, execution.pool.present);
  const rateLimit = createRequestRates(clock, records, execution);
  const management = createResources(records, ids, execution, rateLimit, changes);
  execution.pods.onChange(changes.pod);
  execution.pausing.onChange(changes.pause);
  noteRecords(records, changes);
  const notices = (): string[] => [
    ...opened.notices,
    ...records.unreadable.notices(),
    ...records.damaged.notices(),
    ...records.histories.notices(),
    ...setAsideNotice(execution.jobs.quarantined()),
  ];
  const serviceFacts = async () => ({ notices: notices(), ...(await opened.facts()) });
  const http = await createHttpService({
    ...base,
    records,
    hardware,
    execution,
    gpuHistory,
    processorHistory,
    podMetrics,
    rateLimit,
    management,
    changes: createChangeFeed({ clock, logger, changes, execution, facts: serviceFacts }),
    isOpen,
    isReady: () => isReady,
    facts: async () => ({ startedAt, ...(await serviceFacts()) }),
  });

  async function stop(): Promise<void> {
    podMetrics.stop();
    // Workers stop first: the service still accepts what they finish.
    await execution.stopWorkers();
    http.closeStreams();
    opened.commits.flush();
    await http.stop();
    execution.stop();
    gpuHistory.stop();
    processorHistory.stop();
    await records.bodyThread.stop();
    rateLimit.stop();
    await hardware.stop();
    records.histories.close();
    await opened.stop();
    await records.files.settled();
    await execution.logs.stop();
    await log.stop();
  }

  try {
    const port = await http.listen(settings.host, settings.port);
    address = `http://${reachableHost(settings.host)}:${port}`;
    // A long queue loads in steps. Requests wait meanwhile instead of being refused.
    for (const step of execution.jobs.load()) await nextTurn(step);
    isReady = true;
    http.open();
    const firstKey = records.claimFirstStart() ? records.keys.create({ name: 'First key', scope: 'all' }).key : null;
    void execution.pods.begin();
    execution.ssh.begin(port);
    for (const endpoint of records.endpoints.list()) execution.pool.poke(endpoint.id);
    // After a recovery the files of unreadable rows stay until the next start: a person may still want them.
    if (opened.notices.length === 0) void records.files.sweep();
    execution.webhooks.start();
    logger.info({ address }, 'engine ready');
    return {
      port,
      address,
      firstKey,
      notices: notices(),
      served: http.served(),
      podsThatRunOn: execution.pods.listRunning,
      powerChanged(onBattery) {
        hardware.power.report(onBattery);
        execution.pausing.inspectNow();
      },
      async snapshot(file) {
        opened.commits.flush();
        await backup(opened.database, file, { rate: SNAPSHOT_PAGES });
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
