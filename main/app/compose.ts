/** Puts the app together: ledger, engine, directory, streams, bridge; starts them in this order and stops them in reverse. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import type { HostInfo } from '#contract/bridge/host.ts';
import { limits } from '#contract/core/limits.ts';
import type { EngineStart } from '#contract/local/engine.ts';
import type { SecretKind } from '#contract/app/secretKind.ts';
import type { StreamAnswer } from '#contract/local/settings.ts';
import type { Logger } from 'pino';
import { createAccountChanges } from './services/accountService.ts';
import { createComebacks } from './services/reconnector.ts';
import { openAccountFile, type AccountFile } from './accounts/accountFile.ts';
import { createAccountRepository } from './accounts/repository.ts';
import type { ShowKey } from './bridge/apiKeys.ts';
import { createRouter, type BridgeRouter } from './bridge/router.ts';
import { askWhetherThere } from './services/capabilityProbe.ts';
import { pause, systemClock } from './platform/clock.ts';
import { watchClock } from './platform/clockJumps.ts';
import { createDirectory } from './services/directory.ts';
import { createEngineProcess, EngineStartError, type EngineChild, type EngineReady } from './engine/engineProcess.ts';
import { instanceOf, noteInstance } from './platform/instanceFile.ts';
import { watchKeyMoves } from './services/keyInvalidation.ts';
import { createKeeper } from './ledger/retention.ts';
import { createLedger, LedgerInUseError, LedgerUnreadableError, type Ledger } from './ledger/ledger.ts';
import { FolderUnusableError, makeContentPrivate, makePrivateFolder } from './platform/privateFolder.ts';
import { madeSchema, makeSamples } from './services/samples.ts';
import { createDataKey } from './secrets/dataKey.ts';
import { createKeychain } from './secrets/keychain.ts';
import { createSecrets } from './secrets/secrets.ts';
import { createSender } from './services/jobService.ts';
import { createSessions, type Sessions } from './services/sessions.ts';
import { createBudget } from './streams/rateBudget.ts';
import { createCircuitBreaker } from './streams/circuitBreaker.ts';
import { createStreams } from './streams/streams.ts';
import { createWakeup } from './streams/wakeup.ts';
import { createSsh } from './terminals/ssh.ts';
import { createUploads } from './services/uploads.ts';

export type { EngineChild, EngineExit } from './engine/engineProcess.ts';
export { EngineStartError } from './engine/engineProcess.ts';
export type { Session, Sessions } from './services/sessions.ts';

export interface AppOptions {
  dataDir: string;
  version: string;
  hostKind: HostInfo['kind'];
  /** Address the engine listens on, and its port; 0 = any free one. */
  engineHost: string;
  enginePort: number;
  /** Whether this host serves a page; true by default. */
  hasPage?: boolean;
  /** Host names besides the loopback ones that requests to the engine may carry. */
  allowedHosts: string[];
  forkEngine: () => EngineChild;
  /** Starts the process that speaks with the system's keychain. */
  forkKeychain: () => EngineChild;
  /** Where keys are kept unless the person has chosen, and the passphrase of the encrypted file, for hosts that nobody sits at. */
  keys: { kind: SecretKind | null; passphrase: string | null };
  /** Shows a new API key to the person, outside of the page. */
  showKey: ShowKey;
  workerKitDir: string;
  examplesDir: string;
  /** The key this run's own requests carry. */
  runKey: string;
  /** What /stream of this machine answers in this run; null, or absent, where its settings hold. */
  streamAnswer?: StreamAnswer | null;
  logLevel: EngineStart['logLevel'];
  /** The permissions that files of workers are not given: those that this program was started with. */
  workerMask: number;
  logger: Logger;
  /** Called with what the engine has to tell about its data, at its start and whenever it was started again. */
  onNotice?: (notice: string) => void;
}

export interface Started {
  /** Base address of the engine's API. */
  api: string;
  /** The key made at the very first start; it can be shown this once. */
  firstKey: string | null;
}

export interface App {
  /** Implements the bridge contract; no context needed. */
  readonly router: BridgeRouter;
  /** Browsers that were paired with this data folder. */
  readonly sessions: Sessions;
  /** Rejects with EngineStartError; everything is stopped again then. */
  start(): Promise<Started>;
  createApiKey(name: string): Promise<string>;
  stop(): Promise<void>;
  /** Ends the engine at once, for a host that must end at once itself. Nothing accepted is lost. */
  kill(): void;
}

/** How long an engine without a host takes to end at most, and how often to look whether it has. */
const LEFTOVER_ENGINE_MS = 10_000;
const LEFTOVER_LOOK_MS = 250;

const ledgerPath = (dataDir: string): string => join(dataDir, 'ledger.db');

interface OpenedLedger {
  ledger: Ledger;
  /** Whether the ledger outlives this run. */
  isKept: boolean;
  notices: string[];
}

/**
 * Opening the ledger takes the data folder's instance lock; throws EngineStartError where that fails. `isNeeded`: a page shows it;
 * without one a ledger that cannot be used is no reason not to start.
 */
function openLedger({ dataDir, version, logger }: AppOptions, isNeeded: boolean): OpenedLedger {
  try {
    const reason = makePrivateFolder(dataDir);
    if (reason !== null) logger.warn({ dataDir, reason }, 'other users of this machine may read the data folder');
    const ledger = createLedger(ledgerPath(dataDir), logger, version);
    return { ledger, isKept: true, notices: ledger.notice === null ? [] : [ledger.notice] };
  } catch (thrown) {
    if (thrown instanceof LedgerInUseError) {
      const pid = instanceOf(dataDir);
      const holder = pid === null ? 'another instance of Hangar' : `another instance of Hangar (pid ${pid})`;
      throw new EngineStartError('data-in-use', `The data folder ${dataDir} is in use by ${holder}.`, {
        cause: thrown,
      });
    }
    if (thrown instanceof FolderUnusableError) {
      throw new EngineStartError('data-unreadable', thrown.message, { cause: thrown });
    }
    if (!isNeeded) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      const notice = `The ledger cannot be used: ${reason} Hangar runs without it, as it shows no page.`;
      return { ledger: createLedger(':memory:', logger, version), isKept: false, notices: [notice] };
    }
    if (thrown instanceof LedgerUnreadableError) {
      throw new EngineStartError('data-unreadable', thrown.message, { cause: thrown });
    }
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new EngineStartError('failed', `The data folder ${dataDir} cannot be used: ${reason}.`, { cause: thrown });
  }
}

function openAccounts(dataDir: string): AccountFile {
  try {
    return openAccountFile(dataDir, () => systemClock.now());
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new EngineStartError('failed', `The file of accounts cannot be read: ${reason}.`, { cause: thrown });
  }
}

const platformOf = (name: string): HostInfo['platform'] =>
  name === 'linux' || name === 'darwin' || name === 'win32' ? name : 'other';

/** Throws EngineStartError when the data folder cannot be used; nothing is started yet. */
export function createApp(options: AppOptions): App {
  const { dataDir, version, runKey, logger } = options;
  const clock = systemClock;
  const accountFile = openAccounts(dataDir);
  const { ledger, isKept, notices: ledgerNotices } = openLedger(options, options.hasPage ?? true);
  for (const notice of ledgerNotices) logger.error({ notice }, 'the ledger was recovered, or is not used');
  const keeper = createKeeper({ ledger, path: ledgerPath(dataDir), clock, logger });
  const withdrawNote = noteInstance(dataDir);
  const stopping = new AbortController();
  const keychain = createKeychain({ fork: options.forkKeychain, clock });
  const secrets = createSecrets({ dataDir, keychain, initial: options.keys, logger });
  const outliving = new Set<() => void>();
  const dataKey = createDataKey({ secrets, logger, onChange: () => outliving.forEach((listener) => listener()) });
  const engine = createEngineProcess({
    fork: options.forkEngine,
    start: {
      type: 'start',
      dataDir,
      host: options.engineHost,
      port: options.enginePort,
      version,
      workerKitDir: options.workerKitDir,
      runKey,
      streamAnswer: options.streamAnswer ?? null,
      allowedHosts: options.allowedHosts,
      logLevel: options.logLevel,
      workerMask: options.workerMask,
    },
    dataKeys: dataKey.handOver,
    notices: ledgerNotices,
    clock,
    logger,
  });
  let noticesTold = 0;
  const { onNotice } = options;
  if (accountFile.notice !== null) {
    logger.warn({ notice: accountFile.notice }, 'the file of accounts is damaged');
    onNotice?.(accountFile.notice);
  }
  if (onNotice) {
    engine.onStatus(({ notices }) => {
      for (; noticesTold < notices.length; noticesTold++) onNotice(notices[noticesTold]!);
    });
  }
  const accountRepository = createAccountRepository(accountFile, clock);
  const directory = createDirectory({ engine, runKey, repository: accountRepository, secrets, clock, logger });
  const stopWatchingMoves = watchKeyMoves(secrets, accountRepository, directory);
  const wakeup = createWakeup();
  const budget = createBudget(clock, wakeup);
  const reach = createCircuitBreaker(clock, Math.random, wakeup);
  const comebacks = createComebacks({
    repository: accountRepository,
    reach,
    clock,
    logger,
    ask: ({ id, capabilities }) => askWhetherThere(directory.compute(id), capabilities),
  });
  const streams = createStreams({
    compute: (id) => directory.compute(id),
    journal: ledger,
    budget,
    reach,
    wakeup,
    clock,
    logger,
    random: Math.random,
  });
  const stopWatchingClock = watchClock(clock, (byMs) => {
    logger.info({ byMs }, 'the clock jumped: the machine slept, or it was set');
    keeper.clockJumped();
    wakeup.ring();
  });
  const sender = createSender({ directory, ledger, streams, budget, clock, logger, stopping: stopping.signal });
  // A key that was replaced, or tried elsewhere, is no reason any more not to follow a job.
  const ways = new Map<string, string | null>();
  const wayTo = ({ key, address }: Account): string | null => key && `${key.fingerprint} ${address}`;
  const stopWatchingWays = directory.onChange(() => {
    for (const account of directory.list()) {
      const before = ways.get(account.id);
      const now = wayTo(account);
      ways.set(account.id, now);
      if (before !== undefined && before !== now && now !== null) sender.followAgain(account.id);
    }
  });
  for (const account of directory.list()) ways.set(account.id, wayTo(account));
  const ssh = createSsh({
    dataDir,
    directory,
    clock,
    passphrases: secrets,
    home: homedir(),
    agentSocket: process.env['SSH_AUTH_SOCK'],
  });
  const changes = createAccountChanges({
    directory,
    repository: accountRepository,
    secrets,
    clock,
    logger,
    stopping: stopping.signal,
    leave: (accountId) => Promise.all([streams.leave(accountId), ssh.leave(accountId)]),
  });
  const host = { kind: options.hostKind, version, platform: platformOf(process.platform), dataDir };
  const sampleFolders = { examplesDir: options.examplesDir, targetDir: join(dataDir, 'examples') };
  const router = createRouter({
    host,
    samples: sampleFolders,
    engine,
    directory,
    accounts: { changes, notices: () => (accountFile.notice === null ? [] : [accountFile.notice]) },
    ledger,
    keeper,
    streams,
    sender,
    uploads: createUploads({ clock, stopping: stopping.signal }),
    ssh,
    showKey: options.showKey,
    secretsService: {
      secrets,
      outlivesRun: dataKey.outlivesRun,
      settled: dataKey.load,
      onOutlivesRun(listener) {
        outliving.add(listener);
        return () => outliving.delete(listener);
      },
    },
    clock,
    logger,
    stopping: stopping.signal,
  });

  async function samples(): Promise<void> {
    // Which of them were made, and which of those a person has removed, is only in the ledger.
    if (!isKept) return;
    try {
      await makeSamples({
        ...sampleFolders,
        management: directory.compute(THIS_MACHINE).management,
        made: {
          read: () => ledger.meta('samples', madeSchema),
          write: (names) => ledger.setMeta('samples', names),
        },
        logger,
      });
    } catch (thrown) {
      if (stopping.signal.aborted) return;
      // Hangar is of use without its samples; the next start tries again.
      logger.warn({ err: thrown }, 'not every sample endpoint could be made');
    }
  }

  /** A keychain that asks the person, or hangs, does not hold up the start: what it says later is heard all the same. */
  async function openSecrets(): Promise<void> {
    const opened = secrets.start().then(dataKey.load);
    const waited = new AbortController();
    await Promise.race([
      opened,
      pause(clock, limits.secrets.startMs, AbortSignal.any([waited.signal, stopping.signal])),
    ]);
    waited.abort();
  }

  /** The ledger is ours, so an engine that still holds its data was left by a host that was killed, and is ending. */
  async function startEngine(): Promise<EngineReady> {
    const giveUpAt = clock.now() + LEFTOVER_ENGINE_MS;
    for (;;) {
      try {
        return await engine.start();
      } catch (failure) {
        const isLeftover = failure instanceof EngineStartError && failure.failure === 'data-in-use';
        if (!isLeftover || stopping.signal.aborted || clock.now() > giveUpAt) throw failure;
        await pause(clock, LEFTOVER_LOOK_MS, stopping.signal);
      }
    }
  }

  async function makePrivate(): Promise<void> {
    const open = await makeContentPrivate(dataDir, stopping.signal);
    if (open.length === 0) return;
    logger.warn(
      { count: open.length, some: open.slice(0, 5) },
      'the permissions of files in the data folder could not be changed: other users of this machine may be able to read them',
    );
  }

  let madePrivate: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | null = null;
  async function stopAll(): Promise<void> {
    stopping.abort(new Error('Hangar is stopping.'));
    await madePrivate;
    stopWatchingClock();
    stopWatchingWays();
    await streams.stop();
    await comebacks.stop();
    reach.stop();
    await keeper.stop();
    await ssh.stop();
    await engine.stop();
    stopWatchingMoves();
    await changes.stop();
    await directory.stop();
    accountRepository.stop();
    await secrets.stop();
    await dataKey.stop();
    ledger.stop();
    withdrawNote();
  }
  const stop = (): Promise<void> => (stopped ??= stopAll());

  return {
    router,
    sessions: createSessions(ledger, clock),
    async start() {
      // Nobody else reaches the folder any more, so that a start need not wait for what is in it.
      madePrivate = makePrivate();
      try {
        await openSecrets();
        stopping.signal.throwIfAborted();
        const { address, firstKey } = await startEngine();
        stopping.signal.throwIfAborted();
        await samples();
        stopping.signal.throwIfAborted();
        sender.resume();
        keeper.start();
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
    stop,
    kill: () => engine.kill(),
  };
}
