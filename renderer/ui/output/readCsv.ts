/** Reads CSV as spreadsheets write it: commas, semicolons or tabs, quotes with doubled quotes inside, lines within quotes. */
import { t } from '../../language/text.ts';

export interface CsvCell {
  text: string;
  /** Quotes make a text of what would be a number. */
  isQuoted: boolean;
}

export interface CsvRow {
  /** Where it begins, from 1. */
  line: number;
  cells: CsvCell[];
}

export interface ReadCsv {
  /** Without empty lines. */
  rows: CsvRow[];
  /** What cannot be read; null without a fault. */
  problem: { line: number; message: string } | null;
}

/** The separator that stands most often in the first line, outside quotes. */
function separatorOf(text: string): string {
  const [head = ''] = text.replaceAll(/"(?:[^"]|"")*"/g, '').split('\n');
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: head.split(sign).length }));
  return counts.toSorted((one, other) => other.count - one.count)[0]?.sign ?? ',';
}

export function readCsv(text: string): ReadCsv {
  const separator = separatorOf(text);
  const rows: CsvRow[] = [];
  let line = 1;
  let at = 0;
  let row: CsvRow = { line, cells: [] };

  const quoted = (): string | null => {
    let value = '';
    for (at += 1; at < text.length; at += 1) {
      const char = text[at] ?? '';
      if (char === '"') {
        if (text[at + 1] !== '"') {
          at += 1;
          return value;
        }
        at += 1;
      } else if (char === '\n') line += 1;
      value += char;
    }
    return null;
  };
  const plain = (): string => {
    const from = at;
    while (at < text.length && text[at] !== separator && text[at] !== '\n') at += 1;
    return text.slice(from, at).replace(/\r$/, '');
  };
  const endRow = (): void => {
    if (row.cells.some((cell) => cell.isQuoted || cell.text.trim() !== '')) rows.push(row);
  };

  while (at < text.length) {
    const began = line;
    const isQuoted = text[at] === '"';
    const value = isQuoted ? quoted() : plain();
    if (value === null)
      return { rows, problem: { line: began, message: t`The quotes that begin here are not closed.` } };
    if (isQuoted && plain().trim() !== '') {
      return { rows, problem: { line, message: t`A comma or the end of the line must follow the closing quotes.` } };
    }
    row.cells.push({ text: isQuoted ? value : value.trim(), isQuoted });
    if (text[at] === separator) {
      at += 1;
      // A line that ends with a separator has an empty last cell.
      if (at === text.length || text[at] === '\n') row.cells.push({ text: '', isQuoted: false });
    }
    if (text[at] === '\n' || at >= text.length) {
      endRow();
      at += 1;
      line += 1;
      row = { line, cells: [] };
    }
  }
  return { rows, problem: null };
}
