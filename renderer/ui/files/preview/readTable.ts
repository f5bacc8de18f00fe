/** Reads a file of CSV as a table with the names of its columns in its first line. */
import type { OutputPart } from '../../output/readOutput.ts';
import { readCsv, type CsvCell } from '../../output/readCsv.ts';
import { formatCount } from '../../text/format.ts';
import { t } from '../../../language/text.ts';

/** A browser draws no wider table at once. */
const MOST_COLUMNS = 200;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Numbers are JSON as they are written, with all their digits. */
const jsonOf = ({ text, isQuoted }: CsvCell): string => (!isQuoted && NUMBER.test(text) ? text : JSON.stringify(text));

/** Names that differ: one without a name has its number, and the second of two the same has its own, too. */
function columnNames(head: readonly CsvCell[], count: number): string[] {
  const names = new Set<string>();
  for (let place = 0; place < count; place += 1) {
    const name = head[place]?.text.trim() ?? '';
    const numbered = name === '' ? t`Column ${place + 1}` : t`${name} (column ${place + 1})`;
    names.add(name === '' || names.has(name) ? numbered : name);
  }
  return [...names];
}

export interface ReadTable {
  /** Null if the text is no table that can be shown. */
  part: OutputPart<'table'> | null;
  /** Why it is no table or ends before the text does; null without a fault. */
  problem: string | null;
}

/** `isCut`: the text is only the beginning of the file, so that its last row may be cut off. */
export function readTable(text: string, isCut: boolean): ReadTable {
  const { rows, problem } = readCsv(text.replace(/^\uFEFF/, ''));
  const [head, ...read] = rows;
  // Of an open quote at the cut, no row was read.
  const body = isCut && problem === null ? read.slice(0, -1) : read;
  if (head === undefined) return { part: null, problem: problem?.message ?? t`The file is empty.` };
  const count = body.reduce((most, { cells }) => Math.max(most, cells.length), head.cells.length);
  if (count > MOST_COLUMNS) {
    return {
      part: null,
      problem: t`It has ${formatCount(count)} columns; a table has at most ${formatCount(MOST_COLUMNS)}.`,
    };
  }
  const columns = columnNames(head.cells, count);
  const items = body.map(({ cells }) => {
    const members = cells.flatMap((cell, place) =>
      cell.text === '' ? [] : [`${JSON.stringify(columns[place])}:${jsonOf(cell)}`],
    );
    return `{${members.join(',')}}`;
  });
  return {
    part: { kind: 'table', text: null, items, columns, name: null, isCut },
    problem: problem === null || isCut ? null : t`Line ${problem.line}: ${problem.message}`,
  };
}
