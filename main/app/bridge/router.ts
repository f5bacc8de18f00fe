/** Binds each procedure of the bridge contract to the app. */
import { bridgeContract } from '#contract/bridge/index.ts';
import type { HostInfo } from '#contract/bridge/host.ts';
import { implement } from '@orpc/server';
import type { Logger } from 'pino';
import type { Bucket } from '../bucket/bucket.ts';
import type { Crashes } from '../crashes/crashes.ts';
import type { Clock } from '../platform/clock.ts';
import type { Directory } from '../services/directory.ts';
import type { EngineProcess } from '../engine/engineProcess.ts';
import type { Keeper } from '../ledger/retention.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { SampleFolders } from '../services/samples.ts';
import type { ReadJobProgress } from '../services/jobs/jobProgress.ts';
import type { Sender } from '../services/jobs/jobService.ts';
import type { BatchRunner } from '../services/jobs/batchRunner.ts';
import type { Feeds } from '../streams/feeds.ts';
import type { LiveChunks } from '../streams/liveChunks.ts';
import type { Streams } from '../streams/streams.ts';
import type { DataServices } from '../storage/dataServices.ts';
import type { Shells } from '../terminals/shells.ts';
import type { Uploads } from '../services/uploads.ts';
import { bindAccounts, type AccountBinding } from './accounts.ts';
import { bindEndpoints } from './resources/endpointProcedures.ts';
import { toBridgeError } from './errors.ts';
import { bindBatches } from './batches.ts';
import { bindBilling } from './billing.ts';
import { bindBucket } from './bucket/bucket.ts';
import { bindApiKeys, type ShowKey } from './apiKeys.ts';
import { loadRemoteMedia } from '../media/remoteMedia.ts';
import { bindData } from './data.ts';
import { bindFolders } from './machine/folders.ts';
import { bindJobs } from './jobs.ts';
import { bindHost, type DesktopHost } from './host/host.ts';
import { bindMachine } from './machine/machine.ts';
import { bindFiles } from './resources/files.ts';
import { bindResources } from './resources/resources.ts';
import { bindLogs, requirePart } from './machine/logs.ts';
import { bindOpenai } from './openai.ts';
import { bindPods } from './pods.ts';
import type { AutoStops } from '../autoStop/autoStops.ts';
import type { PriceWatch } from '../prices/priceWatch.ts';
import { bindPrices } from './prices/prices.ts';
import { createSavedDocuments } from '../saved/savedDocuments.ts';
import { bindSaved } from './saved/saved.ts';
import { bindSsh } from './ssh.ts';
import { bindSecrets, type SecretsService } from './secrets.ts';
import { bindTerminals } from './terminals.ts';
import { bindUpdates, type UpdateService } from './host/updates.ts';
import type { FileGrants } from '../services/folders/fileGrants.ts';
import type { ComputerFiles } from '../services/folders/computerFiles.ts';
import type { Transfers } from '../services/transfers.ts';
import { watchEngine } from './watch.ts';

export interface BridgeOptions {
  host: HostInfo;
  /** Null for a host without windows. */
  desktop: DesktopHost | null;
  crashes: Crashes;
  data: DataServices;
  engine: EngineProcess;
  directory: Directory;
  accounts: Pick<AccountBinding, 'changes'>;
  ledger: Ledger;
  keeper: Keeper;
  streams: Streams;
  liveChunks: Pick<LiveChunks, 'attend'>;
  feeds: Pick<Feeds, 'attend'>;
  sender: Sender;
  readProgress: ReadJobProgress;
  prices: PriceWatch;
  autoStops: AutoStops;
  batches: BatchRunner;
  uploads: Uploads;
  computerFiles: ComputerFiles;
  fileGrants: FileGrants;
  bucket: Bucket;
  ssh: Shells;
  secretsService: SecretsService;
  showKey: ShowKey;
  /** What the engine of this computer listens on. */
  engineHost: string;
  samples: SampleFolders;
  /** The umask of the person, for folders and files that the person has Hangar write. */
  personMask: number;
  /** Null where the host does not update itself. */
  updates: UpdateService | null;
  /** Called after a piece of a file was read for the page. */
  onFileRead: Transfers['noteRead'];
  clock: Clock;
  logger: Logger;
  /** Ends every event iterator when the app stops. */
  stopping: AbortSignal;
}

export type BridgeRouter = ReturnType<typeof createRouter>;

export function createRouter(options: BridgeOptions) {
  const { host, engine, directory, accounts, ledger, keeper, uploads, ssh, secretsService, showKey } = options;
  const { samples, updates, onFileRead, clock, logger, stopping } = options;

  const app = implement(bridgeContract).use(async ({ next }) => {
    try {
      return await next();
    } catch (thrown) {
      throw toBridgeError(thrown, logger);
    }
  });

  /** A signal that aborts when the window leaves or the app stops. */
  const lifeOf = (signal: AbortSignal | undefined): AbortSignal =>
    signal ? AbortSignal.any([signal, stopping]) : stopping;

  /** Errors inside an iterator occur after the procedure has returned, so they are translated here. */
  async function* translated<T>(events: AsyncGenerator<T, void, void>): AsyncGenerator<T, void, void> {
    try {
      yield* events;
    } catch (thrown) {
      throw toBridgeError(thrown, logger);
    }
  }

  return app.router({
    host: bindHost(app.host, { ...options, info: host, lifeOf }),
    data: bindData(app.data, options.data, { clock, lifeOf, translated }),
    engine: {
      watch: app.engine.watch.handler(({ signal }) => translated(watchEngine(engine, lifeOf(signal)))),
      restart: app.engine.restart.handler(() => engine.restart()),
    },
    accounts: bindAccounts(app.accounts, {
      ...accounts,
      directory,
      ledger,
      terminals: ssh.terminals,
      clock,
      lifeOf,
      translated,
    }),
    endpoints: bindEndpoints(app.endpoints, {
      directory,
      samples,
      personMask: options.personMask,
      ledger,
      storage: keeper.storage,
      clock,
      lifeOf,
    }),
    folders: bindFolders(app.folders, directory),
    batches: bindBatches(app.batches, { ledger, batches: options.batches, lifeOf, translated }),
    workers: {
      lanes: app.workers.lanes.handler(({ input: { accountId, endpointId, sinceMs } }) =>
        requirePart(directory.compute(accountId), 'workers').lanes(endpointId, sinceMs),
      ),
    },
    logs: bindLogs(app.logs, { directory, clock, lifeOf, translated }),
    ledger: {
      storage: app.ledger.storage.handler(() => keeper.storage()),
      keep: app.ledger.keep.handler(({ input }) => keeper.keep(input)),
    },
    apiKeys: bindApiKeys(app.apiKeys, { directory, engineHost: options.engineHost }, showKey),
    secrets: bindSecrets(app.secrets, secretsService, lifeOf),
    machine: bindMachine(app.machine, { directory, ledger, clock, lifeOf, translated }),
    media: {
      load: app.media.load.handler(({ input: { url }, signal }) => loadRemoteMedia(url, clock, lifeOf(signal))),
    },
    openai: bindOpenai(app.openai, { directory, lifeOf, translated }),
    pods: bindPods(app.pods, { directory, autoStops: options.autoStops, lifeOf, translated }, ssh.forwards.leave),
    prices: bindPrices(app.prices, options.prices, { lifeOf, translated }),
    graphql: {
      ask: app.graphql.ask.handler(({ input: { accountId, query, variables } }) =>
        directory.compute(accountId).graphql.ask(query, variables),
      ),
    },
    billing: bindBilling(app.billing, { directory, names: ledger.resourceNames }),
    bucket: bindBucket(app.bucket, { bucket: options.bucket, uploads }),
    resources: bindResources(app.resources, directory),
    saved: bindSaved(app.saved, {
      saved: createSavedDocuments(ledger.saved, clock),
      names: ledger.resourceNames,
      clock,
      lifeOf,
      translated,
    }),
    files: bindFiles(app.files, {
      directory,
      uploads,
      pods: ssh.files,
      computer: options.computerFiles,
      fileGrants: options.fileGrants,
      onRead: onFileRead,
      clock,
      lifeOf,
      translated,
    }),
    terminals: bindTerminals(app.terminals, { directory, shells: ssh }, lifeOf, translated),
    ssh: bindSsh(app.ssh, ssh, directory),
    updates: bindUpdates(app.updates, updates, clock, lifeOf),
    jobs: bindJobs(app.jobs, { ...options, lifeOf, translated }),
  });
}
