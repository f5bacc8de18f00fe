/** Each procedure of the bridge contract bound to its app call. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import { bridgeContract } from '#contract/bridge/index.ts';
import type { HostInfo } from '#contract/bridge/host.ts';
import type { JobEvent } from '#contract/app/ledger.ts';
import { implement } from '@orpc/server';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import { doToAll } from '../services/batch.ts';
import type { Directory } from '../services/directory.ts';
import type { EngineProcess } from '../engine/engineProcess.ts';
import { exportEntries } from '../ledger/export.ts';
import type { Keeper } from '../ledger/retention.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { checkFolder } from '../services/folderCheck.ts';
import { findPlaces } from '../services/storageReport.ts';
import { makeSampleAgain, type SampleFolders } from '../services/samples.ts';
import type { Sender } from '../services/jobService.ts';
import type { Streams } from '../streams/streams.ts';
import type { Ssh } from '../terminals/ssh.ts';
import type { Uploads } from '../services/uploads.ts';
import { bindAccounts, type AccountBinding } from './accounts.ts';
import { createEndpoint, removeEndpoint, updateEndpoint } from './resources/endpointChanges.ts';
import { listEndpoints } from './resources/endpoints.ts';
import { endpointChoices, endpointDetail, endpointsNow } from './resources/endpointViews.ts';
import { toBridgeError } from './errors.ts';
import { bindApiKeys, type ShowKey } from './apiKeys.ts';
import { bindFolders, foldersOf } from './folders.ts';
import { bindMachine } from './machine.ts';
import { bindFiles, bindResources } from './resources/resources.ts';
import { followLogs, requirePart } from './logs.ts';
import { bindPods } from './pods.ts';
import { bindSsh } from './ssh.ts';
import { bindSecrets, type SecretsService } from './secrets.ts';
import { bindTerminals } from './terminals.ts';
import { readUsage } from './usage.ts';
import { watchEngine, watchJob, watchLedger } from './watch.ts';

export interface BridgeOptions {
  host: HostInfo;
  engine: EngineProcess;
  directory: Directory;
  accounts: Pick<AccountBinding, 'changes' | 'notices'>;
  ledger: Ledger;
  keeper: Keeper;
  streams: Streams;
  sender: Sender;
  uploads: Uploads;
  ssh: Ssh;
  secretsService: SecretsService;
  showKey: ShowKey;
  samples: SampleFolders;
  clock: Clock;
  logger: Logger;
  /** Ends every event iterator when the app stops. */
  stopping: AbortSignal;
}

export type BridgeRouter = ReturnType<typeof createRouter>;

export function createRouter(options: BridgeOptions) {
  const { host, engine, directory, accounts, ledger, keeper, streams, sender, uploads, ssh, secretsService, showKey } =
    options;
  const { samples, clock, logger, stopping } = options;

  const app = implement(bridgeContract).use(async ({ next }) => {
    try {
      return await next();
    } catch (thrown) {
      throw toBridgeError(thrown, logger);
    }
  });

  /** The window's own signal joined with the app's end. */
  const lifeOf = (signal: AbortSignal | undefined): AbortSignal =>
    signal ? AbortSignal.any([signal, stopping]) : stopping;

  /** Failures inside an iterator happen after the procedure has answered, so they are translated here. */
  async function* translated<T>(events: AsyncGenerator<T, void, void>): AsyncGenerator<T, void, void> {
    try {
      yield* events;
    } catch (thrown) {
      throw toBridgeError(thrown, logger);
    }
  }

  const logs = (accountId: string) => requirePart(directory.compute(accountId), 'logs');

  async function* attended(entryId: string, signal: AbortSignal): AsyncGenerator<JobEvent, void, void> {
    const leave = streams.attend(entryId);
    try {
      yield* watchJob(ledger, entryId, clock, signal);
    } finally {
      leave();
    }
  }

  return app.router({
    host: {
      info: app.host.info.handler(() => host),
      places: app.host.places.handler(() => findPlaces(host.dataDir)),
    },
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
    endpoints: {
      list: app.endpoints.list.handler(({ input }) =>
        listEndpoints(input.accountId, directory.compute(input.accountId)),
      ),
      health: app.endpoints.health.handler(({ input }) =>
        directory.compute(input.accountId).jobs.health(input.endpointId),
      ),
      now: app.endpoints.now.handler(({ input }) => endpointsNow(directory.compute(input.accountId))),
      get: app.endpoints.get.handler(({ input }) =>
        endpointDetail(directory.compute(input.accountId), input.endpointId),
      ),
      choices: app.endpoints.choices.handler(({ input: { accountId } }) =>
        endpointChoices(accountId, directory.compute(accountId), samples.examplesDir),
      ),
      checkFolder: app.endpoints.checkFolder.handler(({ input }) =>
        checkFolder(input.path, (imageName) => foldersOf(directory, THIS_MACHINE).read(imageName, input.python)),
      ),
      create: app.endpoints.create.handler(({ input: { accountId, ...made } }) =>
        createEndpoint(directory.compute(accountId).management, made),
      ),
      createSample: app.endpoints.createSample.handler(({ input: { accountId, name } }) =>
        makeSampleAgain(name, samples, directory.compute(accountId).management),
      ),
      update: app.endpoints.update.handler(async ({ input: { accountId, endpointId, ...change } }) => {
        const compute = directory.compute(accountId);
        await updateEndpoint(compute.management, endpointId, change);
        return endpointDetail(compute, endpointId);
      }),
      remove: app.endpoints.remove.handler(({ input: { accountId, endpointId, withTemplate } }) =>
        removeEndpoint(directory.compute(accountId).management, endpointId, withTemplate),
      ),
      purge: app.endpoints.purge.handler(async ({ input: { accountId, endpointId } }) => ({
        removed: await directory.compute(accountId).jobs.purge(endpointId),
      })),
    },
    folders: bindFolders(app.folders, directory),
    workers: {
      lanes: app.workers.lanes.handler(({ input: { accountId, endpointId, sinceMs } }) =>
        requirePart(directory.compute(accountId), 'workers').lanes(endpointId, sinceMs),
      ),
    },
    logs: {
      page: app.logs.page.handler(({ input: { accountId, filter, before, limit } }) =>
        logs(accountId).page(filter, { before, limit }),
      ),
      follow: app.logs.follow.handler(({ input: { accountId, filter, after }, signal }) =>
        translated(followLogs(logs(accountId), filter, after, clock, lifeOf(signal))),
      ),
    },
    ledger: {
      storage: app.ledger.storage.handler(() => keeper.storage()),
      keep: app.ledger.keep.handler(({ input }) => keeper.keep(input)),
    },
    apiKeys: bindApiKeys(app.apiKeys, directory, showKey),
    secrets: bindSecrets(app.secrets, secretsService, lifeOf),
    machine: bindMachine(app.machine, directory),
    pods: bindPods(app.pods, directory),
    graphql: {
      ask: app.graphql.ask.handler(({ input: { accountId, query, variables } }) =>
        directory.compute(accountId).graphql.ask(query, variables),
      ),
    },
    billing: {
      read: app.billing.read.handler(({ input: { accountId, by, ...period } }) =>
        readUsage(directory.compute(accountId), period, by),
      ),
    },
    resources: bindResources(app.resources, directory),
    files: bindFiles(app.files, { directory, uploads, pods: ssh.files }),
    terminals: bindTerminals(app.terminals, { directory, remote: ssh.terminals }, lifeOf, translated),
    ssh: bindSsh(app.ssh, ssh),
    jobs: {
      submit: app.jobs.submit.handler(({ input }) => sender.submit(input)),
      cancel: app.jobs.cancel.handler(({ input }) => sender.cancel(input.entryId)),
      retry: app.jobs.retry.handler(({ input }) => sender.retry(input.entryId)),
      cancelMany: app.jobs.cancelMany.handler(({ input, signal }) =>
        translated(doToAll(input.entryIds, (entryId) => sender.cancel(entryId), lifeOf(signal))),
      ),
      retryMany: app.jobs.retryMany.handler(({ input, signal }) =>
        translated(doToAll(input.entryIds, (entryId) => sender.retry(entryId), lifeOf(signal))),
      ),
      export: app.jobs.export.handler(({ input, signal }) => translated(exportEntries(ledger, input, lifeOf(signal)))),
      watch: app.jobs.watch.handler(({ input: { entryId }, signal }) => {
        ledger.entry(entryId);
        return translated(attended(entryId, lifeOf(signal)));
      }),
      list: app.jobs.list.handler(({ input }) => ledger.list(input.filter, input.offset, input.limit)),
      get: app.jobs.get.handler(({ input }) => ledger.detail(input.entryId)),
      chunks: app.jobs.chunks.handler(({ input }) => ledger.chunks(input.entryId, input.from, input.limit)),
      requests: app.jobs.requests.handler(({ input: { entryId } }) => {
        ledger.entry(entryId);
        return ledger.requests(entryId);
      }),
      webhooks: app.jobs.webhooks.handler(({ input: { entryId } }) => {
        ledger.entry(entryId);
        return ledger.webhooks(entryId);
      }),
      changes: app.jobs.changes.handler(({ signal }) => translated(watchLedger(ledger, clock, lifeOf(signal)))),
      forget: app.jobs.forget.handler(({ input }) => ({ removed: ledger.forget(input.entryIds) })),
    },
  });
}
