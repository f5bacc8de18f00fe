/** The programs that are measured against each other, and the worker processes that serve them. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startEngine } from '../support/engine.ts';
import { makeEndpoint, makeIdleEndpoint } from '../support/resources.ts';
import { WORKER_ORDERS, type WorkerOrders, type WorkerReport } from './rawWorker.ts';

const RAW_WORKER = join(import.meta.dirname, 'rawWorker.ts');

export interface Contender {
  readonly name: 'engine' | 'bare';
  readonly address: string;
  readonly key: string;
  readonly pid: number;
  /** Starts a worker with these orders on an endpoint of its own. */
  startWorker(orders: WorkerOrders): Promise<{ endpointId: string; stop(): Promise<void> }>;
  stop(): Promise<void>;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

const started = (file: string, env: Record<string, string> = {}): ChildProcess =>
  fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [], env: { ...process.env, ...env } });

/** A worker that is a process of the benchmark, as a program of somebody else may be one. */
function startOutside(address: string, key: string, endpointId: string, orders: WorkerOrders) {
  const workerId = `raw-${endpointId}`;
  const child = started(RAW_WORKER, {
    [WORKER_ORDERS]: JSON.stringify(orders),
    RUNPOD_WEBHOOK_GET_JOB: `${address}/v2/${endpointId}/job-take/${workerId}?gpu=none`,
    RUNPOD_AI_API_KEY: key,
    RUNPOD_POD_ID: workerId,
    RUNPOD_ENDPOINT_ID: endpointId,
  });
  return { endpointId, stop: () => ended(child) };
}

export interface EngineContender extends Contender {
  /** An endpoint whose worker is the Node harness, with a handler that tells when it was called. */
  harnessLine(): Promise<string>;
}

const handler = `
  export default () => ({ startedAt: Number(process.hrtime.bigint() / 1000n) });
`;
const oneWorker = { workersMin: 1, workersMax: 1, idleTimeout: 3600 };

/** `outside`: its raw workers are programs of somebody else instead of processes that the engine starts. */
export async function startEngineContender(entry: string, outside: boolean): Promise<EngineContender> {
  const engine = await startEngine({ entry });
  const { address, key, pid } = engine;
  return {
    name: 'engine',
    address,
    key,
    pid,
    startWorker: async (orders) => {
      if (outside) return startOutside(address, key, (await makeIdleEndpoint(engine)).id, orders);
      const template = {
        dockerStartCmd: [process.execPath, RAW_WORKER],
        env: { [WORKER_ORDERS]: JSON.stringify(orders) },
      };
      const { endpoint } = await makeEndpoint(engine, {}, { template, endpoint: oneWorker });
      const path = `/v1/endpoints/${endpoint.id}`;
      return {
        endpointId: endpoint.id,
        stop: async () => {
          await engine.http.send('DELETE', path);
        },
      };
    },
    harnessLine: async () =>
      (await makeEndpoint(engine, { 'handler.mjs': handler }, { endpoint: oneWorker })).endpoint.id,
    stop: () => engine.close(),
  };
}

export async function startBareContender(): Promise<Contender> {
  const child = started(join(import.meta.dirname, 'peer.ts'));
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  let lines = 0;
  return {
    name: 'bare',
    address,
    key: 'none',
    pid: child.pid ?? 0,
    startWorker: (orders) => Promise.resolve(startOutside(address, 'none', `line-${++lines}`, orders)),
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

/** Starts a worker process for this contender and waits until it works. */
export async function startRawWorker(contender: Contender, how: Omit<WorkerOrders, 'reportPort'>): Promise<RawWorker> {
  let ids: string[] = [];
  let look: (() => void) | null = null;
  let stopping = false;
  let startedWorking: (pid: number) => void = () => undefined;
  const working = new Promise<number>((resolve) => (startedWorking = resolve));

  const reports = createServer((socket) => {
    createInterface({ input: socket }).on('line', (line) => {
      const report = JSON.parse(line) as WorkerReport;
      if (report.type === 'working') startedWorking(report.pid);
      else {
        ids.push(...report.ids);
        look?.();
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      // Not caught anywhere: the benchmark is over.
      if (!stopping) throw new Error(`The raw worker of the ${contender.name} contender ended`);
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
        look = () => {
          if (ids.length >= count) resolve();
        };
        look();
      });
      await enough;
      look = null;
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
