/**
 * Which statements of SQLite a piece of work runs, and how SQLite finds their rows: the cost of a read without a clock.
 */
import { DatabaseSync, StatementSync, type SQLOutputValue } from 'node:sqlite';

export interface RunStatement {
  readonly sql: string;
  /** How many rows were read from it. */
  rows: number;
}

type Row = Record<string, SQLOutputValue>;

/** Runs `work`, and answers the reading statements that it ran on databases of this process, in order. */
export function statementsOf(work: () => void): RunStatement[] {
  const statements: RunStatement[] = [];
  const { all, get, iterate } = StatementSync.prototype;
  const noteOf = (statement: StatementSync): RunStatement => {
    const note = { sql: statement.sourceSQL, rows: 0 };
    statements.push(note);
    return note;
  };
  Object.assign(StatementSync.prototype, {
    all(this: StatementSync, ...values: Parameters<typeof all>) {
      const rows = all.apply(this, values);
      noteOf(this).rows = rows.length;
      return rows;
    },
    get(this: StatementSync, ...values: Parameters<typeof get>) {
      const row = get.apply(this, values);
      noteOf(this).rows = row === undefined ? 0 : 1;
      return row;
    },
    *iterate(this: StatementSync, ...values: Parameters<typeof iterate>): Generator<Row> {
      const note = noteOf(this);
      for (const row of iterate.apply(this, values)) {
        note.rows++;
        yield row;
      }
    },
  });
  try {
    work();
  } finally {
    Object.assign(StatementSync.prototype, { all, get, iterate });
  }
  return statements;
}

/** Runs `work`, and answers how many transactions it began on databases of this process. */
export function transactionsOf(work: () => void): number {
  let count = 0;
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
    if (sql.startsWith('BEGIN')) count++;
    exec.call(this, sql);
  };
  try {
    work();
  } finally {
    DatabaseSync.prototype.exec = exec;
  }
  return count;
}

/**
 * How SQLite finds the rows of a statement, a line for each table: `SEARCH entries USING …` by a key, `SCAN entries`
 * row by row.
 */
export const planOf = (database: DatabaseSync, sql: string): string[] =>
  database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail));
