/** Reads what can still be read out of a damaged database, row by row, into a sound one. */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { jobStatuses } from '#contract/api/job.ts';
import { sealedColumns } from '../encryption/sealedText.ts';

export interface SalvagedTable {
  name: string;
  rows: number;
  /** Every row was read, and nothing of the table is damaged: it is as it was last, and replaces what the backup held. */
  complete: boolean;
}

type Row = Record<string, SQLInputValue>;

interface Column {
  name: string;
  /** As declared; empty for a column that takes any value. */
  type: string;
  notnull: number;
  /** Its place in the primary key, from 1 on; 0 where it is no part of it. */
  pk: number;
}

interface Table {
  name: string;
  /** Columns that both files know. */
  columns: Column[];
  /** What its rows are ordered and found by. */
  key: string;
  /** Whether `key` is a number that can be counted on from. */
  numbered: boolean;
}

/** Offsets in the header of an SQLite file, https://www.sqlite.org/fileformat.html. */
const header = { pageSize: 16, changes: 24, pages: 28, firstFree: 32, freePages: 36, validFor: 92 } as const;
/** Beyond this no row number of ours lies. */
const HIGHEST_ROW = 2 ** 52;

/**
 * Gives the file the first page of a database of the same schema: its header and the list of its tables. Tables of a file
 * that can give pages back lie where they were made, so that one made alike has them at the same places.
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
    // With a schema that may be written, SQLite also opens a file that is shorter than its header says.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA writable_schema = ON; PRAGMA cell_size_check = ON');
    const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_schema WHERE type = 'table'").get() as {
      tables: number;
    };
    if (tables > 0) return database;
  } catch {
    // Not readable as it is.
  }
  database?.close();
  return null;
}

function columnsOf(database: DatabaseSync, table: string): Column[] {
  return database.prepare(`PRAGMA table_info(${table})`).all() as unknown as Column[];
}

function tablesOf(into: DatabaseSync, from: DatabaseSync): Table[] {
  const list = into
    .prepare("SELECT name, wr FROM pragma_table_list WHERE type = 'table' AND schema = 'main'")
    .all() as {
    name: string;
    wr: number;
  }[];
  return list
    .filter(({ name }) => !name.startsWith('sqlite_'))
    .flatMap(({ name, wr }): Table[] => {
      const there = new Set(columnsOf(from, name).map((column) => column.name));
      const own = columnsOf(into, name);
      const columns = own.filter((column) => there.has(column.name));
      const primary = own.filter(({ pk }) => pk > 0).map((column) => column.name);
      if (columns.length === 0) return [];
      if (wr === 1) return [{ name, columns, key: primary[0]!, numbered: false }];
      const [only] = primary;
      if (primary.length === 1 && there.has(only!)) return [{ name, columns, key: only!, numbered: true }];
      const rowid = { name: 'rowid', type: 'INTEGER', notnull: 1, pk: 1 };
      return [{ name, columns: [rowid, ...columns], key: 'rowid', numbered: true }];
    });
}

/** What a value of a declared type is here; numbers are read as bigints where they are whole. */
const isOfType: Readonly<Record<string, (value: SQLInputValue) => boolean>> = {
  INTEGER: (value) => typeof value === 'bigint',
  REAL: (value) => typeof value === 'number',
  TEXT: (value) => typeof value === 'string',
  BLOB: (value) => value instanceof Uint8Array,
};

/** Whether an engine may have written the row: what damage has made of a row must not take the place of the one in the backup. */
function isPossible(row: Row, { name, columns, key, numbered }: Table): boolean {
  for (const { name: column, type, notnull, pk } of columns) {
    const value = row[column]!;
    if (value instanceof Uint8Array && sealedColumns.has(`${name}.${column}`)) continue;
    if (value === null ? notnull === 1 || pk > 0 : isOfType[type]?.(value) === false) return false;
  }
  if (numbered && !(Number(row[key]) > 0 && Number(row[key]) < HIGHEST_ROW)) return false;
  return name !== 'job' || jobStatuses[Number(row['status'])] !== undefined;
}

/**
 * Tables whose rows go with their job and at no other time: a job that is there has the row that the backup has, whatever the damaged
 * file shows. The caller removes what belongs to no job.
 */
const goesWithJob: ReadonlySet<string> = new Set(['body', 'output']);

/** Where the table and its indexes lie, and what they are. */
const placesOf = (database: DatabaseSync, table: string): string =>
  JSON.stringify(
    database.prepare('SELECT name, rootpage, sql FROM sqlite_schema WHERE tbl_name = ? ORDER BY name').all(table),
  );

/**
 * Whether nothing of the table is damaged, as far as that shows. Rows that can be read to the end prove nothing: a page that is
 * emptied or that lies in another's place ends early without an error.
 */
function isSound(from: DatabaseSync, into: DatabaseSync, { name }: Table): boolean {
  try {
    if (placesOf(from, name) !== placesOf(into, name)) return false;
    const result = from.prepare(`PRAGMA integrity_check(${name})`).get();
    return result?.['integrity_check'] === 'ok';
  } catch {
    // Its pages cannot even be looked at.
    return false;
  }
}

/** A new row, or what takes the place of the one with the same key. A row that contradicts another one in any other way is refused. */
function insertInto({ name, columns }: Table): string {
  const list = columns.map((column) => column.name);
  const isKey = new Set(columns.filter(({ pk }) => pk > 0).map((column) => column.name));
  const changes = list.filter((column) => !isKey.has(column)).map((column) => `${column} = excluded.${column}`);
  return `INSERT INTO ${name} (${list.join(', ')}) VALUES (${list.map(() => '?').join(', ')})
    ON CONFLICT (${[...isKey].join(', ')}) DO ${changes.length > 0 ? `UPDATE SET ${changes.join(', ')}` : 'NOTHING'}`;
}

/** Copies the rows of one table. A row that cannot be read or does not fit is left out. */
function copier(from: DatabaseSync, into: DatabaseSync, table: Table) {
  const { name, columns, key, numbered } = table;
  const list = columns.map((column) => column.name).join(', ');
  const put = into.prepare(insertInto(table));
  let rows = 0;
  let refused = 0;

  function stored(row: Row): boolean {
    try {
      put.run(...columns.map((column) => row[column.name]!));
      return true;
    } catch {
      return false;
    }
  }

  /** Copies in order until the end or the first page that cannot be read. Answers the last key, and whether that was the end. */
  function run(
    where: string,
    order: 'ASC' | 'DESC',
    ...values: SQLInputValue[]
  ): { last: number | null; ended: boolean } {
    let last: number | null = null;
    try {
      const select = from.prepare(`SELECT ${list} FROM ${name} ${where} ORDER BY ${key} ${order}`);
      select.setReadBigInts(true);
      for (const row of select.iterate(...values) as Iterable<Row>) {
        if (numbered) {
          const number = Number(row[key]);
          // Out of order: a page that lies in another's place, from which there may be no way on.
          if (last !== null && (order === 'ASC' ? number <= last : number >= last)) return { last, ended: false };
          last = number;
        }
        if (isPossible(row, table) && stored(row)) rows++;
        else refused++;
      }
      return { last, ended: true };
    } catch {
      return { last, ended: false };
    }
  }

  /** The first row after this one that can be read, stepping over ever more of those that cannot. */
  function nextReadable(after: number): number | null {
    const probe = from.prepare(`SELECT ${key} AS found FROM ${name} WHERE ${key} > ? ORDER BY ${key} LIMIT 1`);
    for (let step = 1; after + step < HIGHEST_ROW; step *= 2) {
      try {
        const row = probe.get(after + step) as { found: number } | undefined;
        if (!row) return null;
        // What comes earlier than what was asked for lies in the wrong place.
        if (row.found > after + step) return row.found;
      } catch {
        // Still within what is damaged.
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
        // What was stepped over may be readable up to the damaged page.
        run(`WHERE ${key} > ? AND ${key} < ?`, 'DESC', from, next);
        ({ last, ended } = run(`WHERE ${key} >= ?`, 'ASC', next));
        from = Math.max(next, last ?? next);
      }
    },
    rows: () => rows,
  };
}

/**
 * Copies every readable row of `file` into `into`. A sound table that was read whole replaces what is there; of any other, rows
 * replace those with the same key, and what cannot be read stays as it is there. `file` is changed; give it a copy. Answers null when nothing could be read at all.
 *
 * @param like a sound database file of the same schema
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
