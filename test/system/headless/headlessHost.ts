/** Runs the built headless host as a person would, and opens its page's connection as a browser would. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { LookupFunction } from 'node:net';
import { createInterface } from 'node:readline';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import type { BridgeContract } from '#contract/bridge/index.ts';
import { PAGE_TOKEN_HASH, PAGE_TOKEN_PROTOCOL, SOCKET_PROTOCOL } from '#contract/app/pageSession.ts';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { settles } from '../../support/core/until.ts';

const repository = resolve(import.meta.dirname, '../../..');

const readySchema = z.strictObject({
  event: z.literal('ready'),
  api: z.string(),
  ui: z.string().nullable(),
  apiKey: z.string(),
  dataDir: z.string(),
  pid: z.int(),
});
export type Ready = z.infer<typeof readySchema>;

export interface Exit {
  code: number | null;
  signal: string | null;
  stderr: string;
  stdout: string[];
}

/** Stops with the scope that holds it. */
export interface Host extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Waits for its end. */
  exited(): Promise<Exit>;
  /** The first line on standard output, which must be the ready line. */
  ready(): Promise<Ready>;
  /** Every line of standard output so far. */
  readonly stdout: string[];
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<Exit>;
}

export function startHost(args: string[], env: Record<string, string> = {}): Host {
  const child = spawn(process.execPath, [join(repository, 'out/main/headless.js'), ...args], {
    // The keychain of whoever runs the tests is not for them.
    env: { ...process.env, HANGAR_KEYS: 'memory', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout: string[] = [];
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-20_000);
  });
  const lines = createInterface({ input: child.stdout });
  const firstLine = new Promise<string>((resolveLine, reject) => {
    lines.once('line', resolveLine);
    child.once('close', () => reject(new Error(`The host ended without a line. It said:\n${stderr}`)));
  });
  // Only those who ask for the ready line care that there was none.
  firstLine.catch(() => undefined);
  lines.on('line', (line) => stdout.push(line));
  const closed = once(child, 'close').then((): Exit => ({
    code: child.exitCode,
    signal: child.signalCode,
    stderr,
    stdout,
  }));
  const exited = (): Promise<Exit> => settles('the host to end', closed, () => stderr);
  const stop = (): Promise<Exit> => {
    child.kill('SIGTERM');
    return exited();
  };
  return {
    child,
    exited,
    stdout,
    ready: async () =>
      readySchema.parse(JSON.parse(await settles('the ready line of the host', firstLine, () => stderr))),
    stop,
    [Symbol.asyncDispose]: () => stop().then(() => undefined),
  };
}

export interface DataDir extends AsyncDisposable {
  readonly path: string;
}

export async function newDataDir(): Promise<DataDir> {
  const path = await mkdtemp(join(tmpdir(), 'hangar-host-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

export interface PageAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** As they were sent. */
  bytes: Buffer;
  text: string;
}

/** Names below `localhost` lead to this machine in browsers; not every system knows them. */
const lookup: LookupFunction = (_name, { all }, done) => {
  if (all === true) done(null, [{ address: '127.0.0.1', family: 4 }]);
  else done(null, '127.0.0.1', 4);
};

/** One request without a connection kept open; `fetch` would not let the Host header be chosen. */
export function ask(address: string, headers: Record<string, string> = {}): Promise<PageAnswer> {
  return new Promise((resolveAnswer, reject) => {
    const outgoing = request(address, { headers, lookup, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const bytes = Buffer.concat(parts);
        resolveAnswer({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() });
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** What a browser has once it is paired: a cookie that it sends with every request, and a token that its page sends. */
export interface Session {
  readonly cookie: string;
  readonly pageToken: string;
}

/** Opens a sign-in link. Rejects where it does not pair. */
export async function pair(link: string, known?: Session): Promise<Session> {
  const { status, headers, text } = await ask(link, known && { cookie: known.cookie });
  const cookie = headers['set-cookie']?.[0];
  const pageToken = String(headers['location']).split(PAGE_TOKEN_HASH)[1];
  if (status !== 303 || cookie === undefined || pageToken === undefined) {
    throw new Error(`Not paired: ${status} ${text}`);
  }
  return { cookie: cookie.split(';')[0] ?? '', pageToken };
}

export type BridgeClient = ContractRouterClient<BridgeContract>;

/** Closes with the scope that holds it. */
export interface Page extends AsyncDisposable {
  client: BridgeClient;
  /** The code with which the other side closed it. */
  closed: Promise<number>;
}

/**
 * The page's connection; rejects with the HTTP status of a refused one. `headers`: besides its own, or instead of them.
 */
export async function connect(
  link: string,
  { cookie, pageToken }: Session,
  headers: Record<string, string> = {},
): Promise<Page> {
  const { host, origin } = new URL(link);
  const socket = new WebSocket(`ws://${host}/rpc`, [SOCKET_PROTOCOL, `${PAGE_TOKEN_PROTOCOL}${pageToken}`], {
    lookup,
    headers: { origin, cookie, ...headers },
  });
  await new Promise<void>((resolveOpen, reject) => {
    socket.once('open', resolveOpen);
    socket.once('error', reject);
    socket.once('unexpected-response', (outgoing, response) => {
      outgoing.destroy();
      reject(new Error(`refused with ${response.statusCode}`));
    });
  });
  const closed = once(socket, 'close').then(([code]) => Number(code));
  // The client's types know the browser's WebSocket; this one behaves alike where it is used.
  const rpc = new RPCLink({ websocket: socket as unknown as globalThis.WebSocket });
  return {
    client: createORPCClient(rpc),
    closed,
    async [Symbol.asyncDispose]() {
      if (socket.readyState === socket.CLOSED) return;
      socket.close();
      await closed;
    },
  };
}
