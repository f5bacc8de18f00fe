/** What every group of goals is given, and how it starts what it measures. */
import { startEngineContender, startFrontContender, startLineWorker } from './contenders.ts';
import type { Contender, EngineContender, LineWorker } from './contenders.ts';
import type { WorkerOrders } from './programs/workerOrders.ts';
import type { RedisSync } from './redis.ts';
import type { Board } from './report.ts';

export interface Bench {
  readonly board: Board;
  readonly rounds: number;
  /** Small sizes, for a look rather than a figure. */
  readonly quick: boolean;
  /** The engine to measure. */
  readonly entry: string;
  /** The raw workers are programs of somebody else instead of processes that the engine starts. */
  readonly outside: boolean;
  /** Why the peer on Redis cannot be measured here; null where it can. */
  readonly noRedis: string | null;
  /** A checkout of the public Python SDK's source. */
  readonly pythonSdk: string | null;
  wants(...goals: string[]): boolean;
}

/** Goals that share what has to be started or filled for them. */
export interface Group {
  readonly goals: readonly string[];
  /** What it starts with `running` is stopped afterwards. */
  run(bench: Bench, running: Running): Promise<void>;
}

interface Stoppable {
  stop(): Promise<void>;
}

/** What a group has started; stopped in reverse when the group ends, however it ends. */
export class Running extends AsyncDisposableStack {
  readonly bench: Bench;

  constructor(bench: Bench) {
    super();
    this.bench = bench;
  }

  stopping<T extends Stoppable>(thing: T): T {
    return this.adopt(thing, () => thing.stop());
  }

  async engine(): Promise<EngineContender> {
    const { entry, outside } = this.bench;
    return this.stopping(await startEngineContender({ entry }, { outside }));
  }

  /** Null where there is no Redis. */
  async front(sync: RedisSync): Promise<Contender | null> {
    return this.bench.noRedis === null ? this.stopping(await startFrontContender(sync)) : null;
  }

  async worker(contender: Contender, how: Omit<WorkerOrders, 'reportPort'>): Promise<LineWorker> {
    return this.stopping(await startLineWorker(contender, how));
  }
}
