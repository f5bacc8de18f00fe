/** Whether the store can write, and the errors when it cannot: the disk is full, or the file has failed. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AppError } from '#contract/core/errors.ts';

/** The primary result codes of SQLite. Extended codes contain them in their low byte. */
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

/** SQLITE_ERROR: wrong SQL or wrong use. It does not concern the file. */
const SQLITE_ERROR = 1;

/** Errors that concern only one statement: other writes can succeed. */
const oneWrite: ReadonlySet<number> = new Set([
  SQLITE_ERROR,
  sqlite.TOOBIG,
  sqlite.CONSTRAINT,
  sqlite.MISMATCH,
  sqlite.RANGE,
]);

/** The primary result code of an error of SQLite, even a wrapped one; null for any other error. */
export function resultCode(thrown: unknown): number | null {
  if (!(thrown instanceof Error)) return null;
  if ('errcode' in thrown && typeof thrown.errcode === 'number') return thrown.errcode & 0xff;
  return thrown.cause === undefined ? null : resultCode(thrown.cause);
}

/** Whether the file is damaged, in contrast to the disk, the memory or the statement. */
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

/** Whether a write has an unknown outcome: the file failed, and only the next start knows what it contains. */
export const isOutcomeUnknown = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.code === 'UNAVAILABLE';

export interface StoreCondition {
  /** Whether new jobs are refused. Writes that end or remove jobs are still tried. */
  readonly full: boolean;
  /** Why the file is unreliable; null otherwise. Nothing is written after a failure. */
  readonly failure: unknown;
  /**
   * Records an error of a statement. Returns the error for the caller: the same one, or one that says that the disk is
   * full or the file failed.
   */
  note(thrown: unknown): unknown;
  /** The error for a write that is refused without an attempt. */
  refusal(): AppError;
}

export interface StoreConditionOptions {
  /** Called each time that a write meets a full disk. */
  onFull: () => void;
  isFull: () => boolean;
  /** Called once, when the file fails. Reported commits are durable; the memory may be ahead of the file. */
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

/** A condition whose disk is never full, for specs of single parts. */
export function createSoundCondition(): StoreCondition {
  return createStoreCondition({ onFull: () => undefined, isFull: () => false, onFailure: () => undefined });
}

const methods = ['run', 'get', 'all', 'iterate'] as const;

/** From now on, records each error of a statement, and throws the error of `note` instead. */
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
      // oxlint-disable-next-line typescript/consistent-type-assertions -- the four methods have different overloads
      const call = statement[name].bind(statement) as (...args: unknown[]) => unknown;
      // oxlint-disable-next-line typescript/consistent-type-assertions -- as above
      statement[name] = watched(call) as never;
    }
    return statement;
  });
  database.exec = watched(database.exec.bind(database));
}
