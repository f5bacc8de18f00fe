import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import {
  engineOutboundSchema,
  type engineFailures,
  type EngineOutbound,
  type EngineStart,
} from '#contract/local/engine.ts';
import { engineNodeFlags } from '#contract/local/engineFlags.ts';
import { settles, until } from '../core/until.ts';
import { createHttp, type Http } from '../http/client.ts';

const repository = resolve(import.meta.dirname, '../../..');
/**
 * Names the folder where the engines that tests start lie bundled; from source, they start as well, in twice the time.
 */
export const BUNDLED_ENGINES = 'HANGAR_TEST_ENGINES';
const bundles = (): string | undefined => process.env[BUNDLED_ENGINES];
/** Many engines are started; compiling the same sources again each time would be most of their start. */
const compileCache = (): string => join(bundles() ?? tmpdir(), 'hangar-test-compile-cache');

export interface EngineOptions {
  /** A folder to work in; a new one, removed by `close`, when left out. */
  dataDir?: string;
  allowedHosts?: string[];
  /** Where it listens; loopback when left out. */
  host?: string;
  /** The program to start: the engine from source unless told otherwise. */
  entry?: string;
  env?: Record<string, string>;
  /** A program, with its arguments, that runs the engine: a tracer, for one. */
  under?: readonly [program: string, ...args: string[]];
  /** `warn` when left out. */
  logLevel?: EngineStart['logLevel'];
}

/** A real engine in a process of its own. */
export interface TestEngine extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  readonly pid: number;
  readonly key: string;
  /** The key made at the first start on its data folder. */
  readonly firstKey: string | null;
  readonly dataDir: string;
  /** What the latest start had to tell about its data. */
  readonly notices: readonly string[];
  readonly http: Http;
  /** Everything that its process wrote to standard error since it was last started: the newest 64,000 characters. */
  readonly stderr: string;
  /**
   * Sends a message to its process, for entries that understand more than the engine's own, and waits for the reply.
   */
  tell(message: object): Promise<unknown>;
  /** Settles once its process has ended, however that came. */
  exited(): Promise<void>;
  /** Ends it as a power cut would: nothing is flushed, nobody is told. */
  kill9(): Promise<void>;
  /** Closes the channel before the reply to `message` is sent, as a host that is killed does; returns the exit code. */
  abandon(message: object): Promise<number | null>;
  /** Asks it to stop and returns its exit code. */
  stop(): Promise<number | null>;
  /** Starts it again on the same folder and port. */
  restart(): Promise<void>;
  /** Stops it if it runs and removes its folder. */
  close(): Promise<void>;
}

interface Running {
  child: ChildProcess;
  output(): string;
  ready: Extract<EngineOutbound, { type: 'ready' }>;
}

/** Where the program of an engine is, given its source. */
function programOf(source: string): string {
  const folder = bundles();
  const bundle = join(folder ?? '', `${basename(source, '.ts')}.js`);
  return folder !== undefined && existsSync(bundle) ? bundle : source;
}

async function startProcess(entry: string, { env = {}, under }: EngineOptions, start: EngineStart): Promise<Running> {
  const child = fork(entry, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [...(under ? [...under.slice(1), process.execPath] : []), ...engineNodeFlags],
    ...(under ? { execPath: under[0] } : {}),
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache(), ...env },
  });
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-64_000);
  });
  const failed = (why: string, failure?: (typeof engineFailures)[number]) =>
    Object.assign(new Error(`The engine ${why}. It said:\n${output}`), { failure });
  const answering = new Promise<Running['ready']>((resolve, reject) => {
    child.once('exit', (code, signal) => reject(failed(`ended at start (${code ?? signal})`)));
    const hear = (message: unknown): void => {
      const outbound = engineOutboundSchema.parse(message);
      if (outbound.type !== 'ready' && outbound.type !== 'failed') return;
      // What it says later is a reply to whoever asked.
      child.off('message', hear);
      if (outbound.type === 'ready') resolve(outbound);
      else reject(failed(`refused to start: ${outbound.failure}: ${outbound.message}`, outbound.failure));
    };
    child.on('message', hear);
    child.send(start);
  });
  const ready = await orKilled(
    child,
    settles('the engine to be ready', answering, () => output),
  );
  return { child, ready, output: () => output };
}

/** A process that is too slow would outlive the test that fails by it. */
async function orKilled<T>(child: ChildProcess, outcome: Promise<T>): Promise<T> {
  try {
    return await outcome;
  } catch (error) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    throw error;
  }
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  await orKilled(child, settles(`process ${child.pid} of an engine to end`, once(child, 'exit')));
  return child.exitCode;
}

/** Starts it once no other program has its port: any may have got it while the engine was away. */
function startOnceFree(entry: string, options: EngineOptions, start: EngineStart): Promise<Running> {
  const attempt = async (): Promise<Running | null> => {
    try {
      return await startProcess(entry, options, start);
    } catch (error) {
      if (error instanceof Error && 'failure' in error && error.failure === 'port-taken') return null;
      throw error;
    }
  };
  return until(`port ${start.port} to be free for the engine`, attempt);
}

/** Sends a message and waits for the reply; rejects when the process ends instead. */
async function replyOf(child: ChildProcess, message: object): Promise<unknown> {
  const over = new AbortController();
  const ended = once(child, 'exit', over).then(() => {
    throw new Error(`The engine ended before it replied to ${JSON.stringify(message)}.`);
  });
  const replying = Promise.race([once(child, 'message', over) as Promise<unknown[]>, ended]);
  child.send(message);
  try {
    const [reply] = await settles(`the reply to ${JSON.stringify(message)}`, replying);
    return reply;
  } finally {
    over.abort();
  }
}

/** Starts an engine and waits until it accepts requests. */
export async function startEngine(options: EngineOptions = {}): Promise<TestEngine> {
  const entry = programOf(options.entry ?? join(repository, 'main/engine.ts'));
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'hangar-engine-')));
  const key = `rpa_${randomBytes(20).toString('hex').toUpperCase()}`;
  const start: EngineStart = {
    type: 'start',
    dataDir,
    host: options.host ?? '127.0.0.1',
    port: 0,
    version: '0.0.0-test',
    workerKitDir: join(repository, 'resources/worker-kit'),
    runKey: key,
    dataKey: randomBytes(32).toString('base64'),
    allowedHosts: options.allowedHosts ?? [],
    logLevel: options.logLevel ?? 'warn',
  };
  let running = await startProcess(entry, options, start);
  const { address, port, firstKey } = running.ready;
  const http = createHttp(address, key);

  const stop = async (): Promise<number | null> => {
    const { child } = running;
    if (child.connected) child.send({ type: 'stop' });
    return exitOf(child);
  };

  const close = async (): Promise<void> => {
    http.stop();
    await stop();
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };

  return {
    address,
    port,
    key,
    firstKey,
    dataDir,
    http,
    get pid() {
      return running.ready.pid;
    },
    get notices() {
      return running.ready.notices;
    },
    get stderr() {
      return running.output();
    },
    tell: (message) => replyOf(running.child, message),
    exited: async () => {
      await exitOf(running.child);
    },
    kill9: async () => {
      running.child.kill('SIGKILL');
      await exitOf(running.child);
    },
    abandon: async (message) => {
      const { child } = running;
      child.kill('SIGSTOP');
      child.send(message);
      child.disconnect();
      child.stderr?.destroy();
      child.kill('SIGCONT');
      return exitOf(child);
    },
    stop,
    restart: async () => {
      running = await startOnceFree(entry, options, { ...start, port });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
