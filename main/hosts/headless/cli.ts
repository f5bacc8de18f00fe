/**
 * The headless host from its flags to its exit code: starts the app and the page's server, and stops them on a signal.
 */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';
import type { Logger } from 'pino';
import { limits } from '#contract/core/limits.ts';
import { engineNodeFlags } from '#contract/local/engineFlags.ts';
import { isEveryNetwork, isLoopbackHost } from '#contract/network/hosts.ts';
import { createApp, EngineStartError, type App } from '../../app/compose.ts';
import { onCrash } from '../../app/crashes/crashHandler.ts';
import { createCrashes } from '../../app/crashes/crashes.ts';
import { systemClock } from '../../app/platform/clock.ts';
import { KeyOptionsError, takeKeyOptions, type KeyOptions } from '../../app/platform/keyOptions.ts';
import { createLogger, openLogFile, type LogFile } from '../../app/platform/log.ts';
import { FolderNotHereError, requireUsable } from '../../app/platform/folders/movedFolder.ts';
import { makePrivateFiles } from '../../app/platform/privateFolder.ts';
import { redact } from '../../app/platform/redaction.ts';
import type { HostNotice } from '../../app/storage/runner.ts';
import type { DataHost } from '../../app/storage/dataWork.ts';
import { moveProblemOf, noticeOf, performMaintenance, type Maintenance } from '../../app/storage/maintenance.ts';
import { anotherLink, forPerson, jsonLines } from './announce.ts';
import { forkProgram } from './childProgram.ts';
import { FlagError, help, readFlags, type Flags } from './flags.ts';
import { portTaken } from './portHolder.ts';
import { createUiServer, type UiServer } from './server.ts';
import { pageNameOf } from './pageName.ts';
import { createShownKeys } from './shownKeys.ts';
import { onStopSignals } from './signals.ts';

/** The paths of the program's parts, which differ between bundles and sources. */
export interface ProgramPaths {
  engine: string;
  keychain: string;
  page: string;
  workerKit: string;
  examples: string;
}

const EXIT_FAILED = 1;
const EXIT_USAGE_OR_PORT = 2;
const EXIT_DATA_IN_USE = 3;

/** Ends the program with a line for the person. */
class Exit extends Error {
  override readonly name = 'Exit';
  readonly code: number;
  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Removes the key from the environment, so that no child process inherits it. */
function takeKey(env: NodeJS.ProcessEnv): { key: string; isOwn: boolean } {
  const own = env['HANGAR_API_KEY'];
  delete env['HANGAR_API_KEY'];
  if (!own) return { key: `rpa_${randomBytes(24).toString('base64url')}`, isOwn: false };
  if (/^[\x21-\x7e]{8,200}$/.test(own)) return { key: own, isOwn: true };
  throw new Exit(EXIT_USAGE_OR_PORT, 'HANGAR_API_KEY must be 8 to 200 visible ASCII characters without spaces.');
}

/** The names under which other machines may reach this one. */
function namesFor(host: string): string[] {
  if (isLoopbackHost(host)) return [];
  if (!isEveryNetwork(host)) return [host.toLowerCase()];
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? []);
  return [hostname().toLowerCase(), ...addresses.map((address) => address.toLowerCase())];
}

function toExit(thrown: unknown, flags: Flags): Exit {
  if (thrown instanceof Exit) return thrown;
  if (thrown instanceof EngineStartError) {
    if (thrown.failure === 'port-taken') {
      return new Exit(EXIT_USAGE_OR_PORT, portTaken(flags.port, '--port'), { cause: thrown });
    }
    return new Exit(thrown.failure === 'data-in-use' ? EXIT_DATA_IN_USE : EXIT_FAILED, thrown.message, {
      cause: thrown,
    });
  }
  if (thrown instanceof Error && 'code' in thrown && 'syscall' in thrown && thrown.syscall === 'listen') {
    return thrown.code === 'EADDRINUSE'
      ? new Exit(EXIT_USAGE_OR_PORT, portTaken(flags.uiPort ?? 0, '--ui-port'), { cause: thrown })
      : new Exit(EXIT_USAGE_OR_PORT, `Cannot listen on ${flags.host}:${flags.uiPort} (${String(thrown.code)}).`, {
          cause: thrown,
        });
  }
  return new Exit(EXIT_FAILED, thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });
}

/**
 * Logs why Hangar could not start, and answers it. A person reads the sentence alone; a program that reads lines of JSON
 * gets the error with its stack.
 */
function logged(exit: Exit, { json }: Flags, logger: Logger): Exit {
  const level = exit.code === EXIT_FAILED || json ? 'error' : 'info';
  logger[level]({ err: exit.cause ?? exit }, 'Hangar could not start');
  return exit;
}

/** Opens the first files of the data folder. If that fails, nothing else can work. */
function openLogs(logs: { dir: string; secrets: readonly string[] }): [app: LogFile, engine: LogFile] {
  try {
    return [openLogFile({ ...logs, name: 'app' }), openLogFile({ ...logs, name: 'engine' })];
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Exit(EXIT_FAILED, `The data folder cannot be used. ${reason} Choose another folder with --data-dir.`, {
      cause: thrown,
    });
  }
}

/** What outlives one run of the app: signals, and the addresses that clients know. */
interface Session {
  stop: () => Promise<void>;
  kill: () => void;
  /** Resolves after a signal is handled. */
  ended: Promise<void>;
  isStopping: boolean;
  /** The page keeps its name, under which browsers have their cookies. */
  pageName: string;
  notice: HostNotice | null;
  /** Whether the first line on standard output was printed. */
  isAnnounced: boolean;
}

/** The answer to the request for the work reaches its page before the app stops. */
const ANSWER_MS = 200;

function openSession(flags: Flags): Session {
  const session: Session = {
    stop: () => Promise.resolve(),
    kill: () => undefined,
    ended: Promise.resolve(),
    isStopping: false,
    pageName: pageNameOf(flags.dataDir),
    notice: null,
    isAnnounced: false,
  };
  session.ended = onStopSignals({
    async first() {
      setTimeout(() => process.exit(0), limits.stop.programMs).unref();
      session.isStopping = true;
      await session.stop();
    },
    second: () => session.kill(),
  });
  return session;
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

/** Runs the app until a signal, which is null, or until work on its data. */
async function serve(
  session: Session,
  flags: Flags,
  paths: ProgramPaths,
  version: string,
  key: { key: string; isOwn: boolean },
  keys: KeyOptions,
  workerMask: number,
  takeEngine: () => ChildProcess | null,
): Promise<Maintenance | null> {
  requireFolder(flags);
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
    crashes.stop();
    stopReporting();
  }
  Object.assign(session, { stop, kill: () => app?.kill() });

  try {
    app = createApp({
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
      showKey: shownKeys.show,
      workerKitDir: paths.workerKit,
      examplesDir: paths.examples,
      runKey: key.key,
      streamAnswer: flags.streamAnswer,
      allowsHostShell: flags.allowsHostShell,
      logLevel: flags.logLevel,
      workerMask,
      logger,
      dataHost: dataHostOf(flags, session.notice, maintenance.resolve),
      onNotice: (notice) => void process.stderr.write(`hangar: ${notice}\n`),
    });
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
    const { api, firstKey } = await app.start();
    const canAsk = !flags.json && ui !== null && isatty(0);
    const facts = {
      version,
      api,
      ui: ui?.link() ?? null,
      apiKey: key.key,
      isOwnKey: key.isOwn,
      firstKey,
      dataDir: flags.dataDir,
      canAsk,
    };
    if (!session.isAnnounced) process.stdout.write(flags.json ? jsonLines(facts) : forPerson(facts));
    // A later run of the app keeps the addresses of the first.
    flags.port = Number(new URL(api).port);
    if (facts.ui !== null) flags.uiPort = Number(new URL(facts.ui).port);
    const page = ui;
    if (!session.isAnnounced && canAsk && page !== null) {
      createInterface({ input: process.stdin }).on('line', () => process.stdout.write(anotherLink(page.link())));
    }
    session.isAnnounced = true;
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

/** Runs the app, and again on the data folder that work on the data leads to, until a signal or the removal of all. */
async function serveOn(flags: Flags, run: (session: Session) => Promise<Maintenance | null>): Promise<void> {
  const session = openSession(flags);
  for (;;) {
    const work = await run(session);
    if (work === null) return session.ended;
    const result = await performMaintenance(work, flags.dataDir);
    for (const notice of result.notices) process.stderr.write(`hangar: ${notice}\n`);
    if (result.dataDir === null || session.isStopping) return;
    session.notice = noticeOf(work, result);
    if (result.dataDir !== flags.dataDir) flags.movedFrom = [...flags.movedFrom, flags.dataDir];
    flags.dataDir = result.dataDir;
  }
}

/**
 * Runs until a signal ends it; sets the exit code of the process. `takeEngine` answers the process of the engine if one
 * was started already, and null after that.
 */
export async function runHeadless(
  args: readonly string[],
  paths: ProgramPaths,
  version: string,
  takeEngine: () => ChildProcess | null,
): Promise<void> {
  const workerMask = makePrivateFiles();
  // The reader of the output may close the pipe, as `head` does; Hangar continues.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  try {
    const flags = readFlags(args, process.env);
    if (flags === 'help') {
      process.stdout.write(help);
      return;
    }
    const [key, keys] = [takeKey(process.env), takeKeyOptions(process.env)];
    await serveOn(flags, (session) => serve(session, flags, paths, version, key, keys, workerMask, takeEngine));
    // Standard input or a slow page may still be open; all important parts have stopped.
    process.exit(0);
  } catch (thrown) {
    if (!(thrown instanceof Exit || thrown instanceof FlagError || thrown instanceof KeyOptionsError)) throw thrown;
    process.stderr.write(`hangar: ${thrown.message}\n`);
    process.exit(thrown instanceof Exit ? thrown.code : EXIT_USAGE_OR_PORT);
  }
}
