/** The programs that are measured against each other, and the worker processes that serve them. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startEngine } from '../support/engine.ts';
import { makeEndpoint, makeIdleEndpoint } from '../support/resources.ts';
import type { WorkerOrders, WorkerReport } from './rawWorker.ts';

export interface Contender {
  readonly name: 'engine' | 'bare';
  readonly address: string;
  readonly key: string;
  readonly pid: number;
  /** A line for jobs with no worker of its own yet. */
  line(): Promise<string>;
  stop(): Promise<void>;
}

const started = (file: string): ChildProcess =>
  fork(join(import.meta.dirname, file), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

export interface EngineContender extends Contender {
  /** An endpoint whose worker is the Node harness, with a handler that tells when it was called. */
  harnessLine(): Promise<string>;
}

const handler = `
  export default () => ({ startedAt: Number(process.hrtime.bigint() / 1000n) });
`;

export async function startEngineContender(entry: string): Promise<EngineContender> {
  const engine = await startEngine({ entry });
  return {
    name: 'engine',
    address: engine.address,
    key: engine.key,
    pid: engine.pid,
    line: async () => (await makeIdleEndpoint(engine)).id,
    harnessLine: async () =>
      (await makeEndpoint(engine, { 'handler.mjs': handler }, { endpoint: { workersMax: 1, idleTimeout: 3600 } }))
        .endpoint.id,
    stop: () => engine.close(),
  };
}

export async function startBareContender(): Promise<Contender> {
  const child = started('peer.ts');
  const [ready] = (await once(child, 'message')) as [{ address: string }];
  let lines = 0;
  return {
    name: 'bare',
    address: ready.address,
    key: 'none',
    pid: child.pid ?? 0,
    line: () => Promise.resolve(`line-${++lines}`),
    stop: () => ended(child),
  };
}

export interface RawWorker {
  readonly pid: number;
  readonly endpointId: string;
  /** Waits until `count` more jobs were finished and returns their ids. */
  finished(count: number): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts a worker process for a new line of this contender. */
export async function startRawWorker(
  contender: Contender,
  how: Pick<WorkerOrders, 'slots' | 'next' | 'outputBytes'>,
): Promise<RawWorker> {
  const endpointId = await contender.line();
  const child = started('rawWorker.ts');
  let ids: string[] = [];
  let look: (() => void) | null = null;
  let stopping = false;
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('exit', (code) => {
      if (!stopping) reject(new Error(`The raw worker of the ${contender.name} contender ended (${code})`));
    });
  });
  // Whoever waits for the worker hears of it; between waits nobody does.
  failed.catch(() => undefined);
  const working = new Promise<void>((resolve) => {
    child.on('message', (report: WorkerReport) => {
      if (report.type === 'working') resolve();
      else {
        ids.push(...report.ids);
        look?.();
      }
    });
  });
  const orders: WorkerOrders = { address: contender.address, key: contender.key, endpointId, ...how };
  child.send(orders);
  await Promise.race([working, failed]);
  return {
    pid: child.pid ?? 0,
    endpointId,
    finished: async (count) => {
      const enough = new Promise<void>((resolve) => {
        look = () => {
          if (ids.length >= count) resolve();
        };
        look();
      });
      await Promise.race([enough, failed]);
      look = null;
      const taken = ids;
      ids = [];
      return taken;
    },
    stop: () => {
      stopping = true;
      return ended(child);
    },
  };
}
