/** What every part of the execution is made of. */
import type { EngineStart } from '#contract/local/engine.ts';
import type { ChangeNotes } from '../domain/core/changes.ts';
import type { Clock, Ids, Logger } from '../domain/core/ports.ts';
import type { Hardware } from '../hardware.ts';
import type { Records } from '../persistence.ts';
import type { Door } from '../runtime/containers/engine/hostAccess.ts';
import type { WorkerPool } from '../runtime/workers/pool/workerPool.ts';
import type { EngineStore } from '../store/engineStore.ts';

/** What `createExecution` gets and hands to each part. */
export interface ExecutionParts {
  settings: EngineStart;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  opened: EngineStore;
  records: Records;
  hardware: Hardware;
  changes: Pick<ChangeNotes, 'endpoint' | 'folder'>;
  /** Base address of the engine for workers of this machine. */
  address(): string;
  /** Lets workers in containers reach the engine; port 0 is any. Answers the port. */
  listenForWorkers(door: Door, port: number): Promise<number>;
  /** Other machines may connect. */
  isOpen: boolean;
}

/** The pool of workers is made last, of parts that call it. It is null until then. */
export type PoolNow = () => WorkerPool | null;
