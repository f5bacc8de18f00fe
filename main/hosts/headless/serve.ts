/** One run of the app and of the server of its page: from the data folder to the stop of all parts. */
import type { ChildProcess } from 'node:child_process';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';
import { engineNodeFlags } from '#contract/local/engineFlags.ts';
import { isEveryNetwork, isLoopbackHost } from '#contract/network/hosts.ts';
import { createApp, type App, type AppOptions, type Started } from '../../app/compose.ts';
import { onCrash } from '../../app/crashes/crashHandler.ts';
import { createCrashes } from '../../app/crashes/crashes.ts';
import { systemClock } from '../../app/platform/clock.ts';
import type { KeyOptions } from '../../app/platform/keyOptions.ts';
import { createLogger, openLogFile, type LogFile } from '../../app/platform/log.ts';
import { FolderNotHereError, requireUsable } from '../../app/platform/folders/movedFolder.ts';
import { redact } from '../../app/platform/redaction.ts';
import type { DataHost } from '../../app/storage/dataWork.ts';
import { moveProblemOf, type Maintenance } from '../../app/storage/maintenance.ts';
import { anotherLink, forPerson, jsonLines } from './commandLine/announce.ts';
import { addressElsewhere, tunnelCommand } from './commandLine/elsewhere.ts';
import { forkProgram } from './childProgram.ts';
import type { Flags } from './commandLine/flags.ts';
import { createUiServer, type UiServer } from './server.ts';
import { createShownKeys } from './shownKeys.ts';
import { Exit, EXIT_DATA_IN_USE, EXIT_FAILED, logged, toExit } from './commandLine/exit.ts';
import type { Session } from './session.ts';

/** The paths of the program's parts, which differ between bundles and sources. */
export interface ProgramPaths {
  engine: string;
  keychain: string;
  page: string;
  workerKit: string;
  resources: string;
}

/** What one run of the app is started with. */
export interface RunOptions {
  session: Session;
  /** Ports of 0 become the ports that the run gets, so that a later run keeps them. */
  flags: Flags;
  paths: ProgramPaths;
  version: string;
  /** The key of this run's own requests. */
  key: { key: string; isOwn: boolean };
  keys: KeyOptions;
  /** The umask of files of workers. */
  workerMask: number;
  /** Answers the process of the engine if one was started already, and null after that. */
  takeEngine: () => ChildProcess | null;
}

/** The names under which other machines may reach this one. */
function namesFor(host: string): string[] {
  if (isLoopbackHost(host)) return [];
  if (!isEveryNetwork(host)) return [host.toLowerCase()];
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? []);
  return [hostname().toLowerCase(), ...addresses.map((address) => address.toLowerCase())];
}

/** Opens the first files of the data folder. If that fails, nothing else can work. */
function openLogs(logs: { dir: string; secrets: readonly string[] }): [app: LogFile, engine: LogFile] {
  try {
    return [openLogFile({ ...logs, name: 'app' }), openLogFile({ ...logs, name: 'engine' })];
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Exit(EXIT_FAILED, `The data folder (--data-dir) cannot be used. ${reason}`, { cause: thrown });
  }
}

/** Throws Exit if the folder is not to be opened. */
function requireFolder({ dataDir, movedFrom }: Flags): void {
  try {
    requireUsable(dataDir, movedFrom);
  } catch (thrown) {
    if (!(thrown instanceof FolderNotHereError)) throw thrown;
    throw new Exit(thrown.pid === null ? EXIT_FAILED : EXIT_DATA_IN_USE, thrown.message, { cause: thrown });
  }
}

/** The answer to the request for the work reaches its page before the app stops. */
const ANSWER_MS = 200;

/** `perform` gets work on the data once the answer to its request has left. */
function dataHostOf(flags: Flags, notice: DataHost['notice'], perform: (work: Maintenance) => void): DataHost {
  return {
    moveProblem: moveProblemOf(flags.namedBy, flags.dataDir),
    movedFrom: flags.movedFrom,
    isDefault: flags.namedBy === 'default',
    notice,
    perform: (work) => void setTimeout(() => perform(work), ANSWER_MS),
  };
}

/** The logs, and what is noted of a crash. Nothing of it contains one of the `secrets`. */
function openReports({ flags, version, key, keys }: RunOptions) {
  const secrets = [key.key, ...(keys.passphrase === null ? [] : [keys.passphrase])];
  const logs = { dir: join(flags.dataDir, 'logs'), secrets };
  const stderrLevel = flags.json ? 'info' : 'warn';
  const [appLog, engineLog] = openLogs(logs);
  const logger = createLogger({ file: appLog, level: flags.logLevel, stderrLevel, secrets });
  const crashes = createCrashes({
    dataDir: flags.dataDir,
    logsDir: logs.dir,
    version,
    host: 'headless',
    secrets,
    clock: systemClock,
    logger,
  });
  // The log has also written it to standard error. The engine ends in order after its host.
  const exit = (): never => process.exit(EXIT_FAILED);
  const stopReporting = onCrash({ crashes, secrets, onException: exit, onRejection: exit, logger });
  return {
    secrets,
    appLog,
    engineLog,
    logger,
    crashes,
    stop(): void {
      crashes.stop();
      stopReporting();
    },
  };
}

type Reports = ReturnType<typeof openReports>;

function appOptionsOf(
  { session, flags, paths, version, key, keys, workerMask, takeEngine }: RunOptions,
  { secrets, appLog, engineLog, logger, crashes }: Reports,
  { allowedHosts, showKey }: Pick<AppOptions, 'allowedHosts' | 'showKey'>,
  perform: (work: Maintenance) => void,
): AppOptions {
  return {
    dataDir: flags.dataDir,
    version,
    hostKind: 'headless',
    hasPage: flags.uiPort !== null,
    engineHost: flags.host,
    enginePort: flags.port,
    allowedHosts,
    forkEngine: () =>
      forkProgram({
        program: paths.engine,
        nodeFlags: engineNodeFlags,
        log: engineLog,
        running: takeEngine(),
        onLine: (line) => flags.json && process.stderr.write(`${redact(line, secrets)}\n`),
      }),
    forkKeychain: () => forkProgram({ program: paths.keychain, nodeFlags: [], log: appLog, onLine: () => undefined }),
    crashes,
    keys,
    showKey,
    workerKitDir: paths.workerKit,
    resourcesDir: paths.resources,
    runKey: key.key,
    streamAnswer: flags.streamAnswer,
    allowsHostShell: flags.allowsHostShell,
    logLevel: flags.logLevel,
    workerMask,
    logger,
    dataHost: dataHostOf(flags, session.notice, perform),
    onNotice: (notice) => void process.stderr.write(`hangar: ${notice}\n`),
  };
}

/** Prints the addresses and keys of the first run. Later runs keep its addresses, and print nothing. */
function announce({ session, flags, version, key }: RunOptions, { api, firstKey }: Started, ui: UiServer | null): void {
  const canAsk = !flags.json && ui !== null && isatty(0);
  const link = ui?.link() ?? null;
  const linkElsewhere = (one: string | null) => (one === null ? null : addressElsewhere(one, flags.host));
  const apiElsewhere = addressElsewhere(api, flags.host);
  const isLoopback = isLoopbackHost(flags.host);
  const facts = {
    version,
    api,
    ui: link,
    elsewhere: apiElsewhere === null ? null : { ui: linkElsewhere(link), api: apiElsewhere },
    tunnel: isLoopback ? tunnelCommand(process.env['SSH_CONNECTION'], link === null ? [api] : [link, api]) : null,
    apiKey: key.key,
    isOwnKey: key.isOwn,
    firstKey,
    dataDir: flags.dataDir,
    canAsk,
  };
  if (!session.isAnnounced) process.stdout.write(flags.json ? jsonLines(facts) : forPerson(facts));
  flags.port = Number(new URL(api).port);
  if (facts.ui !== null) flags.uiPort = Number(new URL(facts.ui).port);
  if (!session.isAnnounced && canAsk && ui !== null) {
    createInterface({ input: process.stdin }).on('line', () => {
      const next = ui.link();
      process.stdout.write(anotherLink(next, linkElsewhere(next)));
    });
  }
  session.isAnnounced = true;
}

/** Runs the app until a signal, which is null, or until work on its data. Throws Exit if it cannot start. */
export async function serve(options: RunOptions): Promise<Maintenance | null> {
  const { session, flags, paths } = options;
  requireFolder(flags);
  const reports = openReports(options);
  const { logger } = reports;
  const allowedHosts = namesFor(flags.host);
  const shownKeys = createShownKeys();
  let app: App | null = null;
  let ui: UiServer | null = null;
  const maintenance = Promise.withResolvers<Maintenance>();
  async function stop(): Promise<void> {
    logger.info('stopping');
    shownKeys.stop();
    await ui?.stop();
    await app?.stop();
    reports.stop();
  }
  Object.assign(session, { stop, kill: () => app?.kill(), openWork: async () => (await app?.openWork()) ?? [] });

  try {
    app = createApp(appOptionsOf(options, reports, { allowedHosts, showKey: shownKeys.show }, maintenance.resolve));
    if (flags.uiPort !== null) {
      ui = await createUiServer({
        app,
        host: flags.host,
        pageName: session.pageName,
        port: flags.uiPort,
        allowedHosts,
        shownKeys,
        pageDir: paths.page,
        logger,
      });
    }
    announce(options, await app.start(), ui);
  } catch (thrown) {
    // A signal during the start makes the start fail: that is the requested stop.
    if (!session.isStopping) {
      const failure = logged(toExit(thrown, flags), flags, logger);
      await stop();
      throw failure;
    }
  }
  const work = await Promise.race([session.ended.then(() => null), maintenance.promise]);
  if (work !== null && !session.isStopping) await stop();
  return session.isStopping ? null : work;
}
