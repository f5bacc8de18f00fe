import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { openLedgerFile } from '../../main/app/ledger/database.ts';
import { openDatabase } from '../../main/engine/store/sqlite/database.ts';
import { openGpuHistoryFile } from '../../main/engine/store/history/gpuHistory.ts';
import { openPodHistoryFile } from '../../main/engine/store/history/podHistory.ts';
import { openProcessorHistoryFile } from '../../main/engine/store/history/processorHistory.ts';
import { drawingsOf, read } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'hangar-drawings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The tables of an entity-relationship drawing, each column as `type name` or `type name PK`. */
const drawn = (drawing: string): Record<string, string[]> =>
  Object.fromEntries(
    [...drawing.matchAll(/^ {2}(\w+) \{\n([^}]*)\}/gm)].map(([, table = '', columns = '']) => [
      table,
      columns.split('\n').flatMap((line) => line.trim() || []),
    ]),
  );

function tablesOf(database: DatabaseSync): Record<string, string[]> {
  const tables = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
    .map(({ name }) => String(name));
  return Object.fromEntries(
    tables.map((table) => [
      table,
      database
        .prepare(`PRAGMA table_info(${table})`)
        .all()
        .map(({ type, name, pk }) => `${String(type) || 'ANY'} ${String(name)}${pk === 0 ? '' : ' PK'}`),
    ]),
  );
}

/** Tables at either end of a line of the drawing that it does not have. */
const looseEnds = (drawing: string): string[] =>
  [...drawing.matchAll(/^ {2}(\w+) \|\|--\S+ (\w+) :/gm)]
    .flatMap(([, one = '', other = '']) => [one, other])
    .filter((table) => !(table in drawn(drawing)));

test.each([
  ['engine', 0, () => openDatabase(folder)],
  ['ledger', 1, () => openLedgerFile(join(folder, 'ledger.db'), '0.0.0')],
  ['history of GPUs', 2, () => openGpuHistoryFile(join(folder, 'gpu-history.db'))],
  ['history of Pods', 3, () => openPodHistoryFile(join(folder, 'pod-history.db'))],
  ['history of the processor', 4, () => openProcessorHistoryFile(join(folder, 'processor-history.db'))],
] as const)('the drawing of the %s has the tables and columns of a fresh file', (_, place, open) => {
  const drawing = drawingsOf(read('docs/databases.md'), 'erDiagram')[place] ?? '';
  using database = open();
  expect(drawn(drawing)).toEqual(tablesOf(database));
  expect(looseEnds(drawing)).toEqual([]);
});
