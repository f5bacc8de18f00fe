/** The programs that are measured against each other, and the worker processes that serve them. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startEngine, type EngineOptions, type TestEngine } from '../support/engine/engine.ts';
import { makeEndpoint, makeIdleEndpoint } from '../support/resources/resources.ts';
import { raiseRates } from '../support/engine/settings.ts';
import { VARIANT, type Variant } from './programs/variant.ts';
import { QUEUE, REDIS_PORT, WORKER_ORDERS, type WorkerOrders, type WorkerReport } from './programs/workerOrders.ts';
import { startRedis, type RedisSync } from './redis.ts';

const programOf = (name: string): string => join(import.meta.dirname, 'programs', `${name}.ts`);

export interface Contender {
  readonly name: string;
  readonly address: string;
  readonly key: string;
  /** Every process of the service, without workers. */
  readonly pids: readonly number[];
  /** Starts a worker with these orders on an endpoint of its own. */
  startWorker(orders: WorkerOrders): Promise<{ endpointId: string; stop(): Promise<void> }>;
  stop(): Promise<void>;
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

export const started = (name: string, env: Record<string, string> = {}, args: string[] = []): ChildProcess =>
  fork(programOf(name), args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
    env: { ...process.env, ...env },
  });

async function startedService(name: string, env: Record<string, string> = {}) {
  const child = started(name, env);
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  return { child, address };
}

/** A worker that is a process of the benchmark, as a program of somebody else may be one. */
export function startOutside(address: string, key: string, endpointId: string, orders: WorkerOrders) {
  const workerId = `raw-${endpointId}`;
  const child = started('rawWorker', {
    [WORKER_ORDERS]: JSON.stringify(orders),
    RUNPOD_WEBHOOK_GET_JOB: `${address}/v2/${endpointId}/job-take/${workerId}?gpu=none`,
    RUNPOD_AI_API_KEY: key,
    RUNPOD_POD_ID: workerId,
    RUNPOD_ENDPOINT_ID: endpointId,
  });
  return { endpointId, stop: () => ended(child) };
}

export interface EngineContender extends Contender {
  readonly engine: TestEngine;
}

export const oneWorker = { workersMin: 1, workersMax: 1, idleTimeout: 3600 };

/** `outside`: its raw workers are programs of somebody else instead of processes that the engine starts. */
export async function startEngineContender(
  options: EngineOptions,
  { name = 'engine', outside = false }: { name?: string; outside?: boolean } = {},
): Promise<EngineContender> {
  const engine = await startEngine(options);
  await raiseRates(engine);
  return {
    name,
    engine,
    address: engine.address,
    key: engine.key,
    get pids() {
      return [engine.pid];
    },
    startWorker: async (orders) => {
      if (outside) return startOutside(engine.address, engine.key, (await makeIdleEndpoint(engine)).id, orders);
      const template = {
        dockerStartCmd: [process.execPath, programOf('rawWorker')],
        env: { [WORKER_ORDERS]: JSON.stringify(orders) },
      };
      const { endpoint } = await makeEndpoint(engine, {}, { template, endpoint: oneWorker });
      return {
        endpointId: endpoint.id,
        stop: async () => {
          await engine.http.send('DELETE', `/v1/endpoints/${endpoint.id}`);
        },
      };
    },
    stop: () => engine.close(),
  };
}

/** The engine from source, with one thing done otherwise. */
export const startVariant = (name: string, variant: Partial<Variant>): Promise<EngineContender> =>
  startEngineContender({ entry: programOf('engineVariant'), env: { [VARIANT]: JSON.stringify(variant) } }, { name });

export async function startBareContender(): Promise<Contender> {
  const { child, address } = await startedService('bare');
  let lines = 0;
  return {
    name: 'bare',
    address,
    key: 'none',
    pids: [child.pid ?? 0],
    startWorker: (orders) => Promise.resolve(startOutside(address, 'none', `line-${++lines}`, orders)),
    stop: () => ended(child),
  };
}

/** Fastify, BullMQ and a Redis of their own. Its worker is a BullMQ worker in a process of its own. */
export async function startFrontContender(sync: RedisSync): Promise<Contender> {
  const redis = await startRedis(sync);
  const env = { [REDIS_PORT]: String(redis.port), NODE_ENV: 'production' };
  const { child, address } = await startedService('front', env);
  let lines = 0;
  return {
    name: sync,
    address,
    key: 'none',
    pids: [child.pid ?? 0, redis.pid],
    startWorker: (orders) => {
      const endpointId = `line-${++lines}`;
      const worker = started('frontWorker', {
        ...env,
        [QUEUE]: endpointId,
        [WORKER_ORDERS]: JSON.stringify(orders),
      });
      return Promise.resolve({ endpointId, stop: () => ended(worker) });
    },
    stop: async () => {
      await ended(child);
      await redis.stop();
    },
  };
}

export interface LineWorker {
  readonly pid: number;
  readonly endpointId: string;
  /** Waits until `count` more jobs were finished and returns their ids. */
  finished(count: number): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts a worker process for this contender and waits until it works. */
export async function startLineWorker(
  contender: Contender,
  how: Omit<WorkerOrders, 'reportPort'>,
): Promise<LineWorker> {
  let ids: string[] = [];
  let wake: (() => void) | null = null;
  let stopping = false;
  let startedWorking: (pid: number) => void = () => undefined;
  const working = new Promise<number>((resolve) => (startedWorking = resolve));

  const reports = createServer((socket) => {
    createInterface({ input: socket }).on('line', (line) => {
      const report = JSON.parse(line) as WorkerReport;
      if (report.type === 'working') startedWorking(report.pid);
      else {
        ids.push(...report.ids);
        wake?.();
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      // Not caught anywhere: the benchmark is over.
      if (!stopping) throw new Error(`The worker of the ${contender.name} contender ended`);
    });
  });
  reports.listen(0, '127.0.0.1');
  await once(reports, 'listening');
  const worker = await contender.startWorker({ ...how, reportPort: (reports.address() as AddressInfo).port });
  const pid = await working;

  return {
    pid,
    endpointId: worker.endpointId,
    finished: async (count) => {
      const enough = new Promise<void>((resolve) => {
        wake = () => {
          if (ids.length >= count) resolve();
        };
        wake();
      });
      await enough;
      wake = null;
      const taken = ids;
      ids = [];
      return taken;
    },
    stop: async () => {
      stopping = true;
      await worker.stop();
      reports.close();
    },
  };
}
