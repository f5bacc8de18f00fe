/** What the benchmark tells its worker programs, and how they tell it what they have finished. */
import { connect } from 'node:net';

export interface WorkerOrders {
  /** Where reports go. */
  reportPort: number;
  slots: number;
  /** Asks for the next job with the result of the last (`next=1`) instead of by a request of its own. */
  next: boolean;
  /** What the result is filled up to, bytes. */
  outputBytes: number;
}
/** What a job's input may ask the worker to stream. */
export interface StreamOrder {
  chunks: number;
  chunkBytes: number;
  /**
   * One open request with a chunk a line: what is ready is sent together, as our Node worker kit does, or each line by
   * itself, as our Python worker kit does. Otherwise one request per chunk, 16 at a time.
   */
  open: 'joined' | 'lines' | false;
}

/** Orders travel as JSON in this variable. */
export const WORKER_ORDERS = 'BENCH_ORDERS';
/** Where the peer on BullMQ finds its Redis and its queue. */
export const REDIS_PORT = 'BENCH_REDIS_PORT';
export const QUEUE = 'BENCH_QUEUE';

/** A line of JSON. */
export type WorkerReport = { type: 'working'; pid: number } | { type: 'finished'; ids: string[] };

const REPORT_EVERY_MS = 10;

export interface Reports {
  working(): void;
  finished(id: string): void;
}

/** Ends the process when the benchmark is over. */
export function openReports(port: number): Reports {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  socket.on('close', () => process.exit(0));
  socket.on('error', () => process.exit(1));
  const report = (message: WorkerReport): void => void socket.write(`${JSON.stringify(message)}\n`);
  let ids: string[] = [];
  return {
    working: () => {
      report({ type: 'working', pid: process.pid });
    },
    finished: (id) => {
      if (ids.length === 0) {
        setTimeout(() => {
          report({ type: 'finished', ids });
          ids = [];
        }, REPORT_EVERY_MS);
      }
      ids.push(id);
    },
  };
}

/** JSON of an object whose last field, `fill`, makes it `bytes` long. */
export function filled(fields: Record<string, unknown>, bytes: number, letter: string): string {
  const frame = JSON.stringify({ ...fields, fill: '' });
  return `${frame.slice(0, -2)}${letter.repeat(Math.max(0, bytes - frame.length))}"}`;
}

export const ordersOf = (env: NodeJS.ProcessEnv): WorkerOrders => JSON.parse(env[WORKER_ORDERS] ?? '') as WorkerOrders;
