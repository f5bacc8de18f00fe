/** Runs the built command line as a whole program: piped, and on a terminal of its own. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import { apiKeyCreatedSchema } from '#contract/local/engine.ts';
import { settles, until } from '../../support/core/until.ts';
import { createHttp } from '../../support/http/client.ts';
import { accepted } from '../../support/resources/resources.ts';
import { newDataDir, type DataDir } from '../headless/headlessHost.ts';

const repository = resolve(import.meta.dirname, '../../..');
/** The built command line, as Node runs it. */
export const PROGRAM = join(repository, 'out/main/cli.js');
const COLUMNS = 80;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Standard input; empty without it. */
  input?: string;
  /** Over that of the tests; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
  cwd?: string;
}

/**
 * Only what every machine has: variables such as CI, NO_COLOR or the name of a terminal program decide about colours,
 * and others belong to a keychain or to a Hangar of the person's own. The folder of the compiled code of the tests is
 * kept: on a new data folder, Hangar keeps none itself, and a host starts with a tenth of a processor second less.
 */
const environment = (dataDir: string, env: RunOptions['env'] = {}): NodeJS.ProcessEnv => {
  const { PATH, HOME, TMPDIR, LANG, NODE_COMPILE_CACHE } = process.env;
  return {
    PATH,
    HOME,
    TMPDIR,
    LANG,
    NODE_COMPILE_CACHE,
    HANGAR_HOME: dataDir,
    HANGAR_KEYS: 'memory',
    TERM: 'xterm-256color',
    ...env,
  };
};

export interface RunningCommand {
  readonly pid: number;
  /** What it has printed so far. */
  stdout(): string;
  stderr(): string;
  /** Closes the pipe of its output, as a reader does that has enough. */
  stopReading(): void;
  kill(signal: NodeJS.Signals): void;
  ended(): Promise<Ended>;
}

/** Starts `hangar …args` with pipes. */
export function start(
  dataDir: string,
  args: readonly string[],
  { input = '', env, cwd }: RunOptions = {},
): RunningCommand {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: environment(dataDir, env),
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (stdout += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
  child.stdin.on('error', () => undefined).end(input);
  const closed = once(child, 'close');
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    stopReading: () => void child.stdout.destroy(),
    kill: (signal) => void child.kill(signal),
    async ended() {
      await settles(`the end of hangar ${args.join(' ')}`, closed, () => stderr);
      return { code: child.exitCode, stdout, stderr };
    },
  };
}

/** Runs `hangar …args` with pipes to its end. */
export const hangar = (dataDir: string, args: readonly string[], options?: RunOptions): Promise<Ended> =>
  start(dataDir, args, options).ended();

/** The JSON that a command prints for a program. Fails where the command did. */
export async function json(dataDir: string, args: readonly string[], options?: RunOptions): Promise<unknown> {
  const { code, stdout, stderr } = await hangar(dataDir, args, options);
  if (code !== 0) throw new Error(`hangar ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
  return JSON.parse(stdout);
}

/** Why no command can be run on a terminal here; null where it can. */
export function whyNoTerminal(): string | null {
  try {
    execFileSync('python3', ['-c', 'import pty, termios, sys; sys.exit(sys.version_info < (3, 9))'], {
      stdio: 'ignore',
    });
    return null;
  } catch {
    return 'there is no Python 3.9 with the module pty here, which makes terminals for these tests';
  }
}

const endSchema = z.object({ code: z.int(), isRaw: z.boolean() });

export interface Terminal {
  /** What was shown so far, without colours and movements of the cursor. */
  text(): string;
  /** The same with them. */
  raw(): string;
  /** Waits until this was shown. */
  sees(text: string): Promise<void>;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** `isRaw`: whether the terminal was left in raw mode. */
  ended(): Promise<{ code: number; isRaw: boolean; text: string }>;
}

type TerminalOptions = { columns?: number } & Omit<RunOptions, 'input'>;

/** Runs `hangar …args` on a terminal; `columns`: how wide. */
export const openTerminal = (dataDir: string, args: readonly string[], options?: TerminalOptions): Terminal =>
  openProgram(dataDir, [process.execPath, PROGRAM, ...args], options);

/** Runs another program on a terminal, such as a shell that has `hangar` among its commands. */
export function openProgram(
  dataDir: string,
  command: readonly string[],
  { columns = COLUMNS, env, cwd }: TerminalOptions = {},
): Terminal {
  const program = [join(import.meta.dirname, 'terminal.py'), String(columns), ...command];
  const child = spawn('python3', program, {
    env: environment(dataDir, env),
    cwd,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const sizes = child.stdio[3] as Writable;
  for (const stream of [child.stdin, sizes]) stream.on('error', () => undefined);
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (shown += piece));
  const report = text(child.stderr);
  const closed = once(child, 'close');
  const readable = (): string => stripVTControlCharacters(shown).replaceAll('\r\n', '\n');
  return {
    text: readable,
    raw: () => shown,
    async sees(wanted) {
      await until(`${JSON.stringify(wanted)} on the terminal`, readable, (now) => now.includes(wanted));
    },
    type: (keys) => void child.stdin.write(keys),
    resize: (width, height) => void sizes.write(`${width}x${height}\n`),
    async ended() {
      await settles(`the end of ${command.join(' ')} on a terminal`, closed, readable);
      child.stdin.destroy();
      sizes.destroy();
      return { ...endSchema.parse(JSON.parse((await report).trim().split('\n').at(-1) ?? '')), text: readable() };
    },
  };
}

/** A running Hangar that commands find by its data folder; stops with the scope that holds it. */
export interface RunningHangar extends AsyncDisposable {
  readonly dataDir: string;
  readonly pid: number;
  readonly api: string;
  readonly key: string;
  stop(): Promise<void>;
}

/** One with a data folder of its own, which goes with it. */
export type ServedHangar = RunningHangar;

const readySchema = z.looseObject({ api: z.string(), apiKey: z.string(), dataDir: z.string() });

/** Runs `hangar serve` without a page on a data folder, or by `env` on the default one. */
export async function serveOn(dataDir: string, env: RunOptions['env'] = {}): Promise<RunningHangar> {
  const serving = start(dataDir, ['serve', '--json', '--no-ui', '--port', '0'], { env });
  const line = await until(
    'the ready line of hangar serve',
    () => serving.stdout().split('\n')[0] ?? '',
    (first) => first.startsWith('{') && serving.stdout().includes('\n'),
  );
  const ready = readySchema.parse(JSON.parse(line));
  let stopped: Promise<void> | null = null;
  const stop = (): Promise<void> =>
    (stopped ??= (async () => {
      serving.kill('SIGTERM');
      await serving.ended();
    })());
  return {
    dataDir: ready.dataDir,
    pid: serving.pid,
    api: ready.api,
    key: ready.apiKey,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Makes an API key of full scope, as `hangar keys create` does, without a start of the command line; returns the key. */
export async function createKey({ api, key }: Pick<RunningHangar, 'api' | 'key'>, name: string): Promise<string> {
  const http = createHttp(api, key);
  try {
    return apiKeyCreatedSchema.parse(accepted(await http.post('/local/v1/api-keys', { name }))).key;
  } finally {
    http.stop();
  }
}

/** Runs `hangar serve` without a page on a new data folder. */
export async function serveHangar(env: RunOptions['env'] = {}): Promise<ServedHangar> {
  const folder: DataDir = await newDataDir();
  const running = await serveOn(folder.path, env);
  return {
    ...running,
    async [Symbol.asyncDispose]() {
      await running.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}
