/** Whether the store can be written to, and what is told when it cannot: the disk is full, or the file failed. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AppError } from '#contract/core/errors.ts';

/** SQLite's primary result codes; extended ones carry them in their low byte. */
export const sqlite = {
  BUSY: 5,
  READONLY: 8,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  TOOBIG: 18,
  CONSTRAINT: 19,
  MISMATCH: 20,
  RANGE: 25,
  NOTADB: 26,
} as const;

/** SQLITE_ERROR: wrong SQL or wrong use of it, which says nothing about the file. */
const SQLITE_ERROR = 1;

/** Errors that concern one statement only: whatever else is written can be. */
const oneWrite: ReadonlySet<number> = new Set([
  SQLITE_ERROR,
  sqlite.TOOBIG,
  sqlite.CONSTRAINT,
  sqlite.MISMATCH,
  sqlite.RANGE,
]);

/** The primary result code of what SQLite threw, also when it was wrapped; null for any other error. */
export function resultCode(thrown: unknown): number | null {
  if (!(thrown instanceof Error)) return null;
  const { errcode } = thrown as { errcode?: unknown };
  if (typeof errcode === 'number') return errcode & 0xff;
  return thrown.cause === undefined ? null : resultCode(thrown.cause);
}

/** The file is damaged, as opposed to the disk, the memory or the request. */
export const isDamage = (thrown: unknown): boolean => {
  const code = resultCode(thrown);
  return code === sqlite.CORRUPT || code === sqlite.NOTADB;
};

const DISK_FULL =
  'The disk that holds the queue is full. Nothing was accepted and nothing is lost; free some space and try again.';
const FAILED = 'The file that holds the queue failed, and the engine is starting again. Try again in a moment.';
const RESTART_MS = 1000;

const isRefusal = (thrown: unknown): thrown is AppError =>
  thrown instanceof AppError && (thrown.code === 'STORAGE_FULL' || thrown.code === 'UNAVAILABLE');

/** What was to be written may be on disk or not: the file failed, and only a new start can tell. */
export const isOutcomeUnknown = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.code === 'UNAVAILABLE';

export interface StoreCondition {
  /** New jobs are refused; whatever ends or removes one is still tried. */
  readonly full: boolean;
  /** What went wrong, once the file can no longer be relied on. Nothing is written after that. */
  readonly failure: unknown;
  /**
   * Takes note of what a statement threw. Answers what to tell whoever asked for it: the same error, or one that says
   * that the disk is full or the file failed.
   */
  note(thrown: unknown): unknown;
  /** What a write is answered that is not even tried. */
  refusal(): AppError;
}

export interface StoreConditionOptions {
  /** The disk is full; called each time that is met. */
  onFull: () => void;
  isFull: () => boolean;
  /** The file failed; called once. Whoever was told of a commit was told the truth; what is in memory may be ahead of it. */
  onFailure: (failure: unknown) => void;
}

export function createStoreCondition(options: StoreConditionOptions): StoreCondition {
  let failure: unknown = null;
  const failed = (): AppError => new AppError('UNAVAILABLE', FAILED, { cause: failure, retryAfterMs: RESTART_MS });
  return {
    get full() {
      return options.isFull();
    },
    get failure() {
      return failure;
    },
    note(thrown) {
      if (isRefusal(thrown)) return thrown;
      const code = resultCode(thrown);
      if (code === null || oneWrite.has(code)) return thrown;
      if (code === sqlite.FULL) {
        options.onFull();
        return new AppError('STORAGE_FULL', DISK_FULL, { cause: thrown });
      }
      if (failure === null) {
        failure = thrown;
        options.onFailure(thrown);
      }
      return failed();
    },
    refusal: () => (failure === null ? new AppError('STORAGE_FULL', DISK_FULL) : failed()),
  };
}

/** A store whose disk is never full; for specs of single parts. */
export function createSoundCondition(): StoreCondition {
  return createStoreCondition({ onFull: () => undefined, isFull: () => false, onFailure: () => undefined });
}

const methods = ['run', 'get', 'all', 'iterate'] as const;

/** From now on every statement that throws is noted, and throws what is to be told instead. */
export function watchStatements(database: DatabaseSync, condition: StoreCondition): void {
  const watched =
    <A extends unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      try {
        return call(...args);
      } catch (thrown) {
        throw condition.note(thrown);
      }
    };
  const prepare = database.prepare.bind(database);
  database.prepare = watched((...parameters: Parameters<typeof prepare>): StatementSync => {
    const statement = prepare(...parameters);
    for (const name of methods) {
      const call = statement[name].bind(statement) as (...args: unknown[]) => unknown;
      statement[name] = watched(call) as never;
    }
    return statement;
  });
  database.exec = watched(database.exec.bind(database));
}
