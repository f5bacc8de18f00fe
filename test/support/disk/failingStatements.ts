/** A disk that fails when told: makes the statements of a real database throw what SQLite throws. */
import type { DatabaseSync } from 'node:sqlite';

export const SQLITE = { BUSY: 5, IOERR: 10, CORRUPT: 11, FULL: 13 } as const;
/** After these SQLite has rolled the transaction back by itself. */
const ROLLS_BACK: readonly number[] = [SQLITE.IOERR, SQLITE.FULL];

export interface Fault {
  /** Which statement fails, counted from 1. */
  at: number;
  code: number;
  /** `after`: the statement is carried out, and reported as failed all the same, as a sync that fails may be. */
  when: 'before' | 'after';
  /** Every write after it fails as well, until the fault is taken back. */
  lasts?: boolean;
}

export interface Disk {
  /** Counted so far. */
  statements: number;
  fault: Fault | null;
}

/** Statements prepared from now on are counted, and fail as `disk.fault` says. */
export function injectFaults(database: DatabaseSync, disk: Disk): void {
  const prepare = database.prepare.bind(database);
  database.prepare = (sql, ...options) => {
    const statement = prepare(sql, ...options);
    const writes = !/^(SELECT|PRAGMA|BEGIN|COMMIT|ROLLBACK)/.test(sql);
    for (const name of ['run', 'get', 'all'] as const) {
      const call = statement[name].bind(statement) as (...values: unknown[]) => unknown;
      statement[name] = ((...values: unknown[]) => {
        disk.statements++;
        const { fault } = disk;
        const again = fault?.lasts === true && writes && disk.statements > fault.at;
        if (fault === null || (disk.statements !== fault.at && !again)) return call(...values);
        if (fault.when === 'after') call(...values);
        else if (ROLLS_BACK.includes(fault.code) && database.isTransaction) database.exec('ROLLBACK');
        throw Object.assign(new Error(`injected at ${sql}`), { errcode: fault.code });
      }) as never;
    }
    return statement;
  };
}
