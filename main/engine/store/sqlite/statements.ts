/**
 * Queries with types for their rows. The columns of a SELECT determine the type, but SQLite does not report it. Each
 * query therefore names the type once, beside its SQL. A JSON text inside of a column is still foreign data: its reader
 * parses it.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { requireValue } from '#contract/core/requireValue.ts';

/** A prepared statement with rows of the type `Row`. */
export interface Query<Row> {
  all(...values: SQLInputValue[]): Row[];
  all(named: Record<string, SQLInputValue>): Row[];
  /** Undefined without a row. */
  get(...values: SQLInputValue[]): Row | undefined;
  iterate(...values: SQLInputValue[]): Iterable<Row>;
}

/** A query that returns rows as objects with the names of the columns. */
export interface NamedQuery<Row> extends Query<Row> {
  /** The row of a query that always has one, such as a count. */
  one(): Row;
}

const typed = <Row>(statement: StatementSync): Query<Row> =>
  // oxlint-disable-next-line typescript/consistent-type-assertions -- SQLite does not report the types of columns
  statement as unknown as Query<Row>;

/** `Row`: one property for each column, with its name. Integers are numbers. */
export function query<Row>(database: DatabaseSync, sql: string): NamedQuery<Row> {
  const statement = typed<Row>(database.prepare(sql));
  return Object.assign(statement, { one: () => requireValue(statement.get(), sql) });
}

/**
 * `Row`: the values in the order of the columns. At a million rows, creating an object for each would be most of the
 * cost of a read.
 */
export function queryArrays<Row extends readonly unknown[]>(database: DatabaseSync, sql: string): Query<Row> {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return typed(statement);
}

/** As `query`, with bigints for integers. */
export function queryBigInts<Row>(database: DatabaseSync, sql: string): Query<Row> {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return typed(statement);
}
