/** Copies the readable rows of a damaged database into an intact one. */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { jobStatuses } from '#contract/api/job.ts';
import { requireValue } from '#contract/core/requireValue.ts';
import { sealedColumns } from '../encryption/sealedText.ts';
import { query, queryBigInts } from '../sqlite/statements.ts';

export interface SalvagedTable {
  name: string;
  rows: number;
  /** All rows were read and the table is undamaged: it replaces the table of the backup. */
  complete: boolean;
}

type Row = Record<string, SQLInputValue>;

interface Column {
  name: string;
  /** The declared type; empty for a column of any type. */
  type: string;
  notnull: number;
  /** The position in the primary key, from 1; 0 for other columns. */
  pk: number;
}

interface Table {
  name: string;
  /** The columns that both files have. */
  columns: Column[];
  /** The column that orders and identifies the rows. */
  key: string;
  /** Whether `key` is an ascending number, so that a search can skip numbers. */
  numbered: boolean;
}

/** Offsets in the header of an SQLite file, https://www.sqlite.org/fileformat.html. */
const header = { pageSize: 16, changes: 24, pages: 28, firstFree: 32, freePages: 36, validFor: 92 } as const;
/** No row number of ours is greater. */
const HIGHEST_ROW = 2 ** 52;

/**
 * Replaces the first page of the file, its header and the list of tables, with that of a database with the same schema.
 * Files with auto_vacuum create their tables at the same pages, so the list also fits the damaged file.
 */
function graftFirstPage(file: string, like: string): void {
  const handle = openSync(file, 'r+');
  const source = openSync(like, 'r');
  try {
    const head = Buffer.alloc(100);
    readSync(source, head, 0, head.length, 0);
    const pageSize = head.readUInt16BE(header.pageSize) === 1 ? 65_536 : head.readUInt16BE(header.pageSize);
    const page = Buffer.alloc(pageSize);
    readSync(source, page, 0, pageSize, 0);
    page.writeUInt32BE(Math.floor(fstatSync(handle).size / pageSize), header.pages);
    page.writeUInt32BE(page.readUInt32BE(header.changes), header.validFor);
    page.writeUInt32BE(0, header.firstFree);
    page.writeUInt32BE(0, header.freePages);
    writeSync(handle, page, 0, pageSize, 0);
  } finally {
    closeSync(source);
    closeSync(handle);
  }
}

function openDamaged(file: string): DatabaseSync | null {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(file);
    // With a writable schema, SQLite also opens a file that is shorter than its header says.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA writable_schema = ON; PRAGMA cell_size_check = ON');
    const counted = query<{ tables: number }>(
      database,
      "SELECT count(*) AS tables FROM sqlite_schema WHERE type = 'table'",
    );
    if (counted.one().tables > 0) return database;
  } catch {
    // Unreadable.
  }
  database?.close();
  return null;
}

function columnsOf(database: DatabaseSync, table: string): Column[] {
  return query<Column>(database, `PRAGMA table_info(${table})`).all();
}

function tablesOf(into: DatabaseSync, from: DatabaseSync): Table[] {
  return query<{ name: string; wr: number }>(
    into,
    "SELECT name, wr FROM pragma_table_list WHERE type = 'table' AND schema = 'main'",
  )
    .all()
    .filter(({ name }) => !name.startsWith('sqlite_'))
    .flatMap(({ name, wr }): Table[] => {
      const readable = new Set(columnsOf(from, name).map((column) => column.name));
      const own = columnsOf(into, name);
      const columns = own.filter((column) => readable.has(column.name));
      const [primary, ...others] = own.filter(({ pk }) => pk > 0).map((column) => column.name);
      if (columns.length === 0) return [];
      if (wr === 1) return [{ name, columns, key: requireValue(primary, `the key of ${name}`), numbered: false }];
      if (primary !== undefined && others.length === 0 && readable.has(primary)) {
        return [{ name, columns, key: primary, numbered: true }];
      }
      const rowid = { name: 'rowid', type: 'INTEGER', notnull: 1, pk: 1 };
      return [{ name, columns: [rowid, ...columns], key: 'rowid', numbered: true }];
    });
}

/** Checks the type of a value against the declared type of its column. Integers are read as bigints. */
const isOfType: Readonly<Record<string, (value: SQLInputValue) => boolean>> = {
  INTEGER: (value) => typeof value === 'bigint',
  REAL: (value) => typeof value === 'number',
  TEXT: (value) => typeof value === 'string',
  BLOB: (value) => value instanceof Uint8Array,
};

/** Whether an engine may have written the row. Damaged rows must not replace those of the backup. */
function isPossible(row: Row, { name, columns, key, numbered }: Table): boolean {
  for (const { name: column, type, notnull, pk } of columns) {
    const value = row[column] ?? null;
    if (value instanceof Uint8Array && sealedColumns.has(`${name}.${column}`)) continue;
    if (value === null ? notnull === 1 || pk > 0 : isOfType[type]?.(value) === false) return false;
  }
  if (numbered && !(Number(row[key]) > 0 && Number(row[key]) < HIGHEST_ROW)) return false;
  return name !== 'job' || jobStatuses[Number(row['status'])] !== undefined;
}

/**
 * Tables whose rows are deleted only together with their job. If the job exists, its row in the backup is valid,
 * whatever the damaged file contains. The caller removes rows without a job.
 */
const goesWithJob: ReadonlySet<string> = new Set(['body', 'output']);

/** The root pages and the SQL of the table and its indexes. */
const placesOf = (database: DatabaseSync, table: string): string =>
  JSON.stringify(
    database.prepare('SELECT name, rootpage, sql FROM sqlite_schema WHERE tbl_name = ? ORDER BY name').all(table),
  );

/**
 * Whether no damage of the table is visible. Reading all rows proves nothing: an emptied or misplaced page ends the
 * table early without an error.
 */
function isSound(from: DatabaseSync, into: DatabaseSync, { name }: Table): boolean {
  try {
    if (placesOf(from, name) !== placesOf(into, name)) return false;
    const result = from.prepare(`PRAGMA integrity_check(${name})`).get();
    return result?.['integrity_check'] === 'ok';
  } catch {
    // Its pages are unreadable.
    return false;
  }
}

/**
 * The SQL that inserts a row, or updates the row with the same key. SQLite refuses a row that violates another
 * constraint.
 */
function insertInto({ name, columns }: Table): string {
  const list = columns.map((column) => column.name);
  const isKey = new Set(columns.filter(({ pk }) => pk > 0).map((column) => column.name));
  const changes = list.filter((column) => !isKey.has(column)).map((column) => `${column} = excluded.${column}`);
  return `INSERT INTO ${name} (${list.join(', ')}) VALUES (${list.map(() => '?').join(', ')})
    ON CONFLICT (${[...isKey].join(', ')}) DO ${changes.length > 0 ? `UPDATE SET ${changes.join(', ')}` : 'NOTHING'}`;
}

/** Creates the copier of one table. It skips rows that are unreadable or do not fit. */
function copier(from: DatabaseSync, into: DatabaseSync, table: Table) {
  const { name, columns, key, numbered } = table;
  const list = columns.map((column) => column.name).join(', ');
  const put = into.prepare(insertInto(table));
  let rows = 0;
  let refused = 0;

  function stored(row: Row): boolean {
    try {
      put.run(...columns.map((column) => row[column.name] ?? null));
      return true;
    } catch {
      // The new table refuses the row, which the caller counts.
      return false;
    }
  }

  /**
   * Copies rows in order until the end or the first unreadable page. Returns the last key, and whether it reached the
   * end.
   */
  function run(
    where: string,
    order: 'ASC' | 'DESC',
    ...values: SQLInputValue[]
  ): { last: number | null; ended: boolean } {
    let last: number | null = null;
    try {
      const select = queryBigInts<Row>(from, `SELECT ${list} FROM ${name} ${where} ORDER BY ${key} ${order}`);
      for (const row of select.iterate(...values)) {
        if (numbered) {
          const number = Number(row[key]);
          // The order is broken by a misplaced page. The iteration may never end from here.
          if (last !== null && (order === 'ASC' ? number <= last : number >= last)) return { last, ended: false };
          last = number;
        }
        if (isPossible(row, table) && stored(row)) rows++;
        else refused++;
      }
      return { last, ended: true };
    } catch {
      // The next page is unreadable: the caller goes on after it.
      return { last, ended: false };
    }
  }

  /** The number of the first readable row after `after`; null without one. It skips ever larger ranges. */
  function nextReadable(after: number): number | null {
    const probe = query<{ number: number }>(
      from,
      `SELECT ${key} AS number FROM ${name} WHERE ${key} > ? ORDER BY ${key} LIMIT 1`,
    );
    for (let step = 1; after + step < HIGHEST_ROW; step *= 2) {
      try {
        const row = probe.get(after + step);
        if (!row) return null;
        // A row before the requested range is on a misplaced page.
        if (row.number > after + step) return row.number;
      } catch {
        // The range is still damaged.
      }
    }
    return null;
  }

  return {
    all: () => run('', 'ASC').ended && refused === 0,
    readable() {
      run('', 'DESC');
      let { last, ended } = run('', 'ASC');
      if (!numbered) return;
      let from = last ?? 0;
      while (!ended) {
        const next = nextReadable(from);
        if (next === null) return;
        // The skipped range may be readable from its end, down to the damaged page.
        run(`WHERE ${key} > ? AND ${key} < ?`, 'DESC', from, next);
        ({ last, ended } = run(`WHERE ${key} >= ?`, 'ASC', next));
        from = Math.max(next, last ?? next);
      }
    },
    rows: () => rows,
  };
}

/**
 * Copies the readable rows of `file` into `into`. An intact table replaces the existing one. Rows of a damaged table
 * replace rows with the same key; other rows of `into` stay. This function changes `file`: pass a copy. Returns null
 * when nothing is readable.
 *
 * @param like An intact database file with the same schema.
 */
export function salvage(file: string, into: DatabaseSync, like: string): SalvagedTable[] | null {
  let from = openDamaged(file);
  if (from === null) {
    graftFirstPage(file, like);
    from = openDamaged(file);
  }
  if (from === null) return null;
  const source = from;
  try {
    return tablesOf(into, source).map((table) => {
      const { name } = table;
      into.exec('BEGIN');
      if (isSound(source, into, table)) {
        if (!goesWithJob.has(name)) into.exec(`DELETE FROM ${name}`);
        const whole = copier(source, into, table);
        if (whole.all()) {
          into.exec('COMMIT');
          return { name, rows: whole.rows(), complete: true };
        }
        into.exec('ROLLBACK; BEGIN');
      }
      const partial = copier(source, into, table);
      partial.readable();
      into.exec('COMMIT');
      return { name, rows: partial.rows(), complete: false };
    });
  } finally {
    source.close();
  }
}
