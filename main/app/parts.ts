/** Makes the parts of the app, from its files to the procedures of the page, and stops them in reverse order. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { HostInfo } from '#contract/bridge/host.ts';
import { createAccountWatches } from './accountWatches.ts';
import { createAccountRepository } from './accounts/repository.ts';
import { createBucket } from './bucket/bucket.ts';
import { createCommandSocket } from './bridge/command/socket.ts';
import { createRouter, type BridgeOptions } from './bridge/router.ts';
import type { PowerRelay } from './engine/powerRelay.ts';
import { createJobTracking } from './jobTracking.ts';
import { createKeeper } from './ledger/retention.ts';
import type { Ledger } from './ledger/port.ts';
import { ledgerPath, openAccounts, openDataFolder, openLedger } from './persistence.ts';
import { systemClock, type Clock } from './platform/clock.ts';
import { noteInstance, readInstance } from './platform/instanceFile.ts';
import { createAccountChanges } from './services/accounts/accountService.ts';
import { createDirectory } from './services/directory.ts';
import { watchKeyMoves } from './services/keyInvalidation.ts';
import { createOpenWork } from './openWork.ts';
import { createTransfers } from './services/transfers.ts';
import { createFileGrants } from './services/folders/fileGrants.ts';
import { createComputerFiles } from './services/folders/computerFiles.ts';
import { handlerFolder } from './services/folders/handlerFolder.ts';
import { createUploads } from './services/uploads.ts';
import { createDataServices } from './storage/dataServices.ts';
import { createShells } from './terminals/shells.ts';
import type { AppOptions } from './appOptions.ts';
import { createPrograms, forwardNotices, type Programs } from './programs.ts';

const platformOf = (name: string): HostInfo['platform'] =>
  name === 'linux' || name === 'darwin' || name === 'win32' ? name : 'other';

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

/** What the page learns of the store of keys and of the data key. */
const secretsServiceOf = (
  secrets: Programs['secrets'],
  { outlivesRun, load, onChange }: Programs['dataKey'],
): BridgeOptions['secretsService'] => ({ secrets, outlivesRun, settled: load, onOutlivesRun: onChange });

/** How many jobs ran on this computer when the ledger was written last. */
const runningHere = (ledger: Pick<Ledger, 'unfinished' | 'unfinishedByFeed'>): number =>
  [...ledger.unfinished(), ...ledger.unfinishedByFeed(THIS_MACHINE)].filter(
    ({ accountId, status }) => accountId === THIS_MACHINE && status === 'IN_PROGRESS',
  ).length;

/** Opens the data folder with its files: the ledger with its keeper, the accounts, and the note of this instance. */
function openFiles(options: AppOptions, clock: Clock) {
  const { dataDir, dataHost, version, hostKind, hasPage = true, crashes, logger } = options;
  openDataFolder(dataDir, dataHost.movedFrom, logger);
  const accountFile = openAccounts(dataDir, clock);
  const openedLedger = openLedger({ dataDir, version, logger, hasPage });
  const { ledger } = openedLedger;
  const notices = [...openedLedger.notices, ...(accountFile.notice === null ? [] : [accountFile.notice])];
  const keeper = createKeeper({ ledger, path: ledgerPath(dataDir), clock, logger });
  // The note of an instance that ended in order is gone.
  if (readInstance(dataDir) !== null) crashes.recordKilled(runningHere(ledger));
  const instance = noteInstance(dataDir, { version, host: hostKind });
  return { accountFile, openedLedger, notices, ledger, keeper, instance };
}

/** All parts of one app. Only the watchers of changes run already. */
export function createParts(options: AppOptions, stopping: AbortSignal) {
  const { dataDir, version, runKey, logger, onNotice } = options;
  const clock = systemClock;
  const { accountFile, openedLedger, notices, ledger, keeper, instance } = openFiles(options, clock);
  const { secrets, dataKey, power, engine } = createPrograms(options, clock, notices);
  if (onNotice) forwardNotices(engine, onNotice);
  const repository = createAccountRepository(accountFile, clock, logger);
  const directory = createDirectory({ engine, runKey, repository, secrets, ledger, clock, logger });
  const stopWatchingMoves = watchKeyMoves(secrets, repository, directory);
  const ssh = createShells({ dataDir, directory, clock, logger, passphrases: secrets, ...personOf(options) });
  const tracking = createJobTracking({ directory, repository, ledger, keeper, dataDir, ssh, clock, logger, stopping });
  const { streams, liveChunks, sender, readProgress, feeds, batches } = tracking;
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
  const samples = { resourcesDir: options.resourcesDir, targetDir: join(dataDir, 'examples') };
  const uploads = createUploads({ clock, stopping });
  const fileGrants = createFileGrants({ dataDir });
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
    personMask: options.workerMask,
    engine,
    directory,
    accounts: { changes },
    ledger,
    keeper,
    streams,
    liveChunks,
    feeds,
    sender,
    readProgress,
    ...watches,
    batches,
    uploads,
    fileGrants,
    computerFiles: createComputerFiles({
      dataDir,
      clock,
      ...personOf(options),
      handlerFolder: (endpointId) => handlerFolder(directory.compute(THIS_MACHINE).management, endpointId),
    }),
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
    grantFile: fileGrants.grant,
    router,
    commandSocket,
    stop,
  };
}
