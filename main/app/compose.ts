/**
 * Composes the app: ledger, engine, directory, streams, bridge. It starts them in this order and stops them in reverse
 * order.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { SecretKind } from '#contract/app/secretKind.ts';
import type { HostInfo } from '#contract/bridge/host.ts';
import type { EngineStart } from '#contract/local/engine.ts';
import type { StreamAnswer } from '#contract/local/settings.ts';
import type { Logger } from 'pino';
import { createAccountWatches } from './accountWatches.ts';
import { createAccountRepository } from './accounts/repository.ts';
import type { ShowKey } from './bridge/apiKeys.ts';
import { createBucket } from './bucket/bucket.ts';
import type { Crashes } from './crashes/crashes.ts';
import { createCommandSocket } from './bridge/command/socket.ts';
import { createRouter, type BridgeOptions, type BridgeRouter } from './bridge/router.ts';
import {
  createEngineProcess,
  type EngineChild,
  type EngineProcess,
  type EngineProcessOptions,
} from './engine/engineProcess.ts';
import { createPowerRelay, type PowerRelay } from './engine/powerRelay.ts';
import { createJobTracking } from './jobTracking.ts';
import { createKeeper } from './ledger/retention.ts';
import { ledgerPath, openAccounts, openDataFolder, openLedger } from './persistence.ts';
import { systemClock, type Clock } from './platform/clock.ts';
import { noteInstance } from './platform/instanceFile.ts';
import { makeFilesPrivate } from './platform/privateFolder.ts';
import { createDataKey } from './secrets/dataKey.ts';
import { createKeychain } from './secrets/keychain.ts';
import { createSecrets } from './secrets/secrets.ts';
import { createAccountChanges } from './services/accounts/accountService.ts';
import { createDirectory } from './services/directory.ts';
import { watchKeyMoves } from './services/keyInvalidation.ts';
import { createSessions, type Sessions } from './services/sessions.ts';
import { createOpenWork } from './openWork.ts';
import { createTransfers, type Transfers } from './services/transfers.ts';
import { createHomeFiles } from './services/folders/homeFiles.ts';
import { createUploads, type Uploads } from './services/uploads.ts';
import { cleanUpMoves, closeDataFolder, makeSampleEndpoints, openSecrets, startEngine } from './startup.ts';
import { createDataServices } from './storage/dataServices.ts';
import type { DataHost } from './storage/dataWork.ts';
import { readRelocated, removeRelocated } from './storage/move/journal.ts';
import { createShells } from './terminals/shells.ts';
import type { UpdateService } from './bridge/host/updates.ts';

export type { EngineChild, EngineExit } from './engine/engineProcess.ts';
export { EngineStartError } from './engine/engineProcess.ts';
export type { Session, Sessions } from './services/sessions.ts';

export interface AppOptions {
  dataDir: string;
  version: string;
  hostKind: HostInfo['kind'];
  /** Address and port of the engine; port 0: any free one. */
  engineHost: string;
  enginePort: number;
  /** Whether this host serves a page; true by default. */
  hasPage?: boolean;
  desktop?: BridgeOptions['desktop'];
  /** Accepted host names of requests to the engine, besides the loopback names. */
  allowedHosts: string[];
  forkEngine: () => EngineChild;
  /** The crashes of all parts. They belong to the host, which sees more of them than the app. */
  crashes: Crashes;
  /** Starts the process that accesses the system's keychain. */
  forkKeychain: () => EngineChild;
  /** The default store of keys, and the passphrase of the encrypted file, for hosts without a person. */
  keys: { kind: SecretKind | null; passphrase: string | null };
  /** Moves, replaces and removes the data between two runs of the app. */
  dataHost: DataHost;
  /** Present if the host updates itself. */
  updates?: UpdateService;
  /** Shows a new API key to the person, outside of the page. */
  showKey: ShowKey;
  workerKitDir: string;
  examplesDir: string;
  /** The key of this run's own requests. */
  runKey: string;
  /** The form of /stream answers of this machine in this run; null, or absent: its settings hold. */
  streamAnswer?: StreamAnswer | null;
  logLevel: EngineStart['logLevel'];
  /** Whether the page may open shells of this computer; true by default. */
  allowsHostShell?: boolean;
  /** The umask of files of workers: the umask with which this program was started. */
  workerMask: number;
  logger: Logger;
  /** Called with each message of the engine about its data, at its start and at each restart. */
  onNotice?: (notice: string) => void;
}

export interface Started {
  /** Base address of the engine's API. */
  api: string;
  /** The key that the very first start creates; it can be shown only once. */
  firstKey: string | null;
}

export interface App {
  /** Implements the bridge contract; no context needed. */
  readonly router: BridgeRouter;
  /** Browsers that are paired with this data folder. */
  readonly sessions: Sessions;
  /** Rejects with EngineStartError; all parts are stopped again then. */
  start(): Promise<Started>;
  createApiKey(name: string): Promise<string>;
  /** The machine is about to sleep, woke up, or changed its power source. */
  readonly powerChanged: PowerRelay['report'];
  /** The work that a stop would interrupt, such as "2 jobs"; empty if nothing runs. Never rejects. */
  openWork(): Promise<string[]>;
  /** The running transfers of files. */
  readonly transfers: Transfers['list'];
  /** Takes a file that a browser sends in one request, for an upload that its page has begun over the bridge. */
  readonly receiveUpload: Uploads['receive'];
  stop(): Promise<void>;
  /** Kills the engine immediately, for a host that must end immediately. No accepted job is lost. */
  kill(): void;
}

const platformOf = (name: string): HostInfo['platform'] =>
  name === 'linux' || name === 'darwin' || name === 'win32' ? name : 'other';

/** Forwards each notice of the engine once, even if several starts report it. */
function forwardNotices(engine: Pick<EngineProcess, 'onStatus'>, onNotice: (notice: string) => void): void {
  let forwarded = 0;
  engine.onStatus(({ notices }) => {
    const fresh = notices.slice(forwarded);
    forwarded = notices.length;
    for (const notice of fresh) onNotice(notice);
  });
}

function engineStart(options: AppOptions): EngineProcessOptions['start'] {
  return {
    type: 'start',
    dataDir: options.dataDir,
    host: options.engineHost,
    port: options.enginePort,
    version: options.version,
    workerKitDir: options.workerKitDir,
    runKey: options.runKey,
    streamAnswer: options.streamAnswer ?? null,
    allowedHosts: options.allowedHosts,
    logLevel: options.logLevel,
    workerMask: options.workerMask,
    movedFrom: readRelocated(options.dataDir),
  };
}

/** The two programs of an app, not started yet: the keychain with what needs it, and the engine. */
function createPrograms(options: AppOptions, clock: Clock, notices: readonly string[]) {
  const { dataDir, crashes, logger } = options;
  const keychain = createKeychain({
    fork: options.forkKeychain,
    clock,
    onCrash: (exit, cause) => crashes.record({ part: 'keychain', exit, cause }),
  });
  const secrets = createSecrets({ dataDir, keychain, initial: options.keys, logger });
  const dataKey = createDataKey({ secrets, logger });
  const power = createPowerRelay();
  const engine = createEngineProcess({
    fork: () => power.attach(options.forkEngine()),
    start: engineStart(options),
    dataKeys: dataKey.handOver,
    onCrash: (exit, cause) => crashes.record({ part: 'engine', exit, cause }),
    notices,
    clock,
    logger,
  });
  return { secrets, dataKey, power, engine };
}

function warnOfDamage(notice: string | null, { logger, onNotice }: Pick<AppOptions, 'logger' | 'onNotice'>): void {
  if (notice === null) return;
  logger.warn({ notice }, 'the file of accounts is damaged');
  onNotice?.(notice);
}

/** What the host brings for the page. */
const hostParts = ({ desktop, updates, crashes, showKey, engineHost }: AppOptions) => ({
  desktop: desktop ?? null,
  updates: updates ?? null,
  crashes,
  showKey,
  engineHost,
});

/** Where the person's own settings and keys of SSH are, and what the person's shells get. */
const personOf = ({ allowsHostShell = true, workerMask }: AppOptions) => ({
  home: homedir(),
  agentSocket: process.env['SSH_AUTH_SOCK'],
  allowsHostShell,
  mask: workerMask,
});

type Programs = ReturnType<typeof createPrograms>;

/** What the page learns of the store of keys and of the data key. */
const secretsServiceOf = (
  secrets: Programs['secrets'],
  { outlivesRun, load, onChange }: Programs['dataKey'],
): BridgeOptions['secretsService'] => ({ secrets, outlivesRun, settled: load, onOutlivesRun: onChange });

/** All parts of one app. Only the watchers of changes run already. */
function createParts(options: AppOptions, stopping: AbortSignal) {
  const { dataDir, version, runKey, logger, onNotice } = options;
  const clock = systemClock;
  openDataFolder(dataDir, options.dataHost.movedFrom, logger);
  const accountFile = openAccounts(dataDir, clock);
  const openedLedger = openLedger({ dataDir, version, logger, hasPage: options.hasPage ?? true });
  const { ledger } = openedLedger;
  for (const notice of openedLedger.notices) logger.error({ notice }, 'the ledger was recovered, or is not used');
  const keeper = createKeeper({ ledger, path: ledgerPath(dataDir), clock, logger });
  const instance = noteInstance(dataDir, { version, host: options.hostKind });
  const { secrets, dataKey, power, engine } = createPrograms(options, clock, openedLedger.notices);
  warnOfDamage(accountFile.notice, options);
  if (onNotice) forwardNotices(engine, onNotice);
  const repository = createAccountRepository(accountFile, clock, logger);
  const directory = createDirectory({ engine, runKey, repository, secrets, ledger, clock, logger });
  const stopWatchingMoves = watchKeyMoves(secrets, repository, directory);
  const ssh = createShells({ dataDir, directory, clock, logger, passphrases: secrets, ...personOf(options) });
  const tracking = createJobTracking({ directory, repository, ledger, keeper, dataDir, ssh, clock, logger, stopping });
  const { streams, liveChunks, sender, feeds, batches } = tracking;
  const watches = createAccountWatches({ directory, ledger, terminals: ssh.terminals, clock, logger });
  const changes = createAccountChanges({
    directory,
    repository,
    secrets,
    clock,
    logger,
    stopping,
    leave: (accountId) => Promise.all([watches.leave(accountId), streams.leave(accountId), ssh.leave(accountId)]),
  });
  const samples = { examplesDir: options.examplesDir, targetDir: join(dataDir, 'examples') };
  const uploads = createUploads({ clock, stopping });
  const transfers = createTransfers({ uploads, clock });
  const work = createOpenWork({ engine, directory, transfers, terminals: ssh, logger });
  const data = createDataServices({
    dataDir,
    version,
    host: options.dataHost,
    engine,
    directory,
    ledger,
    secrets,
    openWork: work.list,
    logger,
    stopping,
  });
  const router = createRouter({
    data,
    host: { kind: options.hostKind, version, platform: platformOf(process.platform), dataDir },
    ...hostParts(options),
    samples,
    engine,
    directory,
    accounts: { changes, notices: () => (accountFile.notice === null ? [] : [accountFile.notice]) },
    ledger,
    keeper,
    streams,
    liveChunks,
    feeds,
    sender,
    ...watches,
    batches,
    uploads,
    home: createHomeFiles({ dataDir, ...personOf(options) }),
    bucket: createBucket({ dataDir, secrets, clock, stopping }),
    onFileRead: transfers.noteRead,
    ssh,
    secretsService: secretsServiceOf(secrets, dataKey),
    clock,
    logger,
    stopping,
  });
  const commandSocket = createCommandSocket({ router, directory, engineHost: options.engineHost, dataDir, logger });

  /** In the reverse order of the start. */
  async function stop(): Promise<void> {
    await commandSocket.stop();
    await tracking.stop();
    await keeper.stop();
    watches.stop();
    await ssh.stop();
    await engine.stop();
    stopWatchingMoves();
    await changes.stop();
    await directory.stop();
    repository.stop();
    await secrets.stop();
    await dataKey.stop();
    ledger.stop();
    instance.withdraw();
  }
  return {
    clock,
    ledger,
    isLedgerKept: openedLedger.isKept,
    keeper,
    instance,
    secrets,
    dataKey,
    engine,
    directory,
    powerChanged(report: Parameters<PowerRelay['report']>[0]) {
      power.report(report);
      if (report.event === 'resume') tracking.resumed();
    },
    sender,
    batches,
    feeds,
    watches,
    samples,
    work,
    transfers,
    receiveUpload: uploads.receive,
    router,
    commandSocket,
    stop,
  };
}

/** Throws EngineStartError if the data folder cannot be used. Nothing runs before `start`. */
export function createApp(options: AppOptions): App {
  const { dataDir, logger } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const parts = createParts(options, signal);
  const { clock, ledger, secrets, dataKey, engine, directory } = parts;

  let folderClosed: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | null = null;
  async function stopAll(): Promise<void> {
    stopping.abort(new Error('Hangar is stopping.'));
    await folderClosed;
    await parts.stop();
  }
  const stop = (): Promise<void> => (stopped ??= stopAll());

  return {
    router: parts.router,
    sessions: createSessions(ledger, clock),
    async start() {
      // Before the engine opens its database. The folder itself is private already, so the start does not wait for the
      // rest of its content.
      makeFilesPrivate(dataDir);
      folderClosed = closeDataFolder(dataDir, logger, signal);
      try {
        await openSecrets(secrets, dataKey, clock, signal);
        signal.throwIfAborted();
        const { address, firstKey } = await startEngine(engine, clock, signal);
        // The engine has changed the paths that it stores.
        await removeRelocated(dataDir);
        await cleanUpMoves(options.dataHost.movedFrom, logger);
        signal.throwIfAborted();
        // Only a permanent ledger remembers the samples that a person removed.
        if (parts.isLedgerKept) {
          const { management } = directory.compute(THIS_MACHINE);
          await makeSampleEndpoints({ folders: parts.samples, management, ledger, logger, stopping: signal });
        }
        signal.throwIfAborted();
        parts.sender.resume();
        parts.batches.recover();
        parts.feeds.start();
        parts.keeper.start();
        parts.watches.start();
        parts.instance.setSocket(await parts.commandSocket.listen());
        return { api: address, firstKey };
      } catch (failure) {
        await stop();
        throw failure;
      }
    },
    async createApiKey(name) {
      const { local } = directory.compute(THIS_MACHINE);
      if (local === null) throw new Error('this machine always has the local surface');
      return (await local.apiKeys.create({ name, scope: 'all' })).key;
    },
    powerChanged: parts.powerChanged,
    openWork: parts.work.list,
    transfers: parts.transfers.list,
    receiveUpload: parts.receiveUpload,
    stop,
    kill: () => engine.kill(),
  };
}
