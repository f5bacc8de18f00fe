/** The headless host from its flags to its exit code: starts the app and the page's server, and stops them on a signal. */
import { randomBytes } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';
import { limits } from '#contract/core/limits.ts';
import { engineNodeFlags } from '#contract/local/engine.ts';
import { createApp, EngineStartError, type App } from '../../app/compose.ts';
import { onCrash } from '../../app/platform/crashHandler.ts';
import { KeyOptionsError, takeKeyOptions, type KeyOptions } from '../../app/platform/keyOptions.ts';
import { createLogger, openLogFile, type LogFile } from '../../app/platform/log.ts';
import { makePrivateFiles } from '../../app/platform/privateFolder.ts';
import { redact } from '../../app/platform/redaction.ts';
import { anotherLink, forPerson, jsonLines } from './announce.ts';
import { forkProgram } from './childProgram.ts';
import { FlagError, help, readFlags, type Flags } from './flags.ts';
import { portTaken } from './portHolder.ts';
import { createUiServer, type UiServer } from './server.ts';
import { pageNameOf } from './pageName.ts';
import { createShownKeys } from './shownKeys.ts';
import { onStopSignals } from './signals.ts';

/** Where the program's own parts lie; bundles and sources differ. */
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

/** An end with a line for the person who started it. */
class Exit extends Error {
  override readonly name = 'Exit';
  readonly code: number;
  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Takes it out of the environment: no program that is started from here inherits it. */
function takeKey(env: NodeJS.ProcessEnv): { key: string; isOwn: boolean } {
  const own = env['HANGAR_API_KEY'];
  delete env['HANGAR_API_KEY'];
  if (!own) return { key: `rpa_${randomBytes(24).toString('base64url')}`, isOwn: false };
  if (/^[\x21-\x7e]{8,200}$/.test(own)) return { key: own, isOwn: true };
  throw new Exit(EXIT_USAGE_OR_PORT, 'HANGAR_API_KEY must be 8 to 200 visible ASCII characters without spaces.');
}

/** The names other machines may call this one by, when it listens for them. */
function namesFor(host: string): string[] {
  const isLoopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (isLoopback) return [];
  if (host !== '0.0.0.0' && host !== '::') return [host.toLowerCase()];
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

/** The first files below the data folder: where they cannot be made, nothing can. */
function openLogs(logs: { dir: string; secrets: readonly string[] }): [app: LogFile, engine: LogFile] {
  try {
    return [openLogFile({ ...logs, name: 'app' }), openLogFile({ ...logs, name: 'engine' })];
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Exit(EXIT_FAILED, `The data folder cannot be used. ${reason} It is named with --data-dir.`, {
      cause: thrown,
    });
  }
}

async function serve(
  flags: Flags,
  paths: ProgramPaths,
  version: string,
  key: { key: string; isOwn: boolean },
  keys: KeyOptions,
  workerMask: number,
): Promise<void> {
  const secrets = [key.key, ...(keys.passphrase === null ? [] : [keys.passphrase])];
  const logs = { dir: join(flags.dataDir, 'logs'), secrets };
  const stderrLevel = flags.json ? 'info' : 'warn';
  const [appLog, engineLog] = openLogs(logs);
  const logger = createLogger({ file: appLog, level: flags.logLevel, stderrLevel, secrets });
  // The log has said it on standard error, too; the engine ends in order once its host is gone.
  onCrash(logger, secrets, () => process.exit(EXIT_FAILED));
  const allowedHosts = namesFor(flags.host);
  const shownKeys = createShownKeys();
  let app: App | null = null;
  let ui: UiServer | null = null;
  let isStopping = false;

  async function stop(): Promise<void> {
    isStopping = true;
    shownKeys.stop();
    await ui?.stop();
    await app?.stop();
  }
  const ended = onStopSignals({
    async first(signal) {
      logger.info({ signal }, 'stopping');
      setTimeout(() => process.exit(0), limits.stop.programMs).unref();
      await stop();
    },
    second: () => app?.kill(),
  });

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
          onLine: (line) => flags.json && process.stderr.write(`${redact(line, secrets)}\n`),
        }),
      forkKeychain: () => forkProgram({ program: paths.keychain, nodeFlags: [], log: appLog, onLine: () => undefined }),
      keys,
      showKey: shownKeys.show,
      workerKitDir: paths.workerKit,
      examplesDir: paths.examples,
      runKey: key.key,
      streamAnswer: flags.streamAnswer,
      logLevel: flags.logLevel,
      workerMask,
      logger,
      onNotice: (notice) => void process.stderr.write(`hangar: ${notice}\n`),
    });
    if (flags.uiPort !== null) {
      ui = await createUiServer({
        app,
        host: flags.host,
        pageName: pageNameOf(flags.dataDir),
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
    process.stdout.write(flags.json ? jsonLines(facts) : forPerson(facts));
    const page = ui;
    if (canAsk && page !== null) {
      createInterface({ input: process.stdin }).on('line', () => process.stdout.write(anotherLink(page.link())));
    }
  } catch (thrown) {
    // A signal during the start makes the start fail: that is the stop that was asked for.
    if (!isStopping) {
      logger.error({ err: thrown }, 'Hangar could not start');
      await stop();
      throw toExit(thrown, flags);
    }
  }
  await ended;
}

/** Runs until a signal ends it; sets the process's exit code. */
export async function runHeadless(args: readonly string[], paths: ProgramPaths, version: string): Promise<void> {
  const workerMask = makePrivateFiles();
  // The reader of the output may close the pipe, as `head` does; Hangar runs on.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  try {
    const flags = readFlags(args, process.env);
    if (flags === 'help') {
      process.stdout.write(help);
      return;
    }
    await serve(flags, paths, version, takeKey(process.env), takeKeyOptions(process.env), workerMask);
    // Standard input or a slow page may still be open; everything that matters has been stopped.
    process.exit(0);
  } catch (thrown) {
    if (!(thrown instanceof Exit || thrown instanceof FlagError || thrown instanceof KeyOptionsError)) throw thrown;
    process.stderr.write(`hangar: ${thrown.message}\n`);
    process.exit(thrown instanceof Exit ? thrown.code : EXIT_USAGE_OR_PORT);
  }
}
