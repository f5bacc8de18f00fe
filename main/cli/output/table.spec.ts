/** Rules of tables: what is cut, what goes, and what a terminal is not made to do. */
import { describe, expect, it } from 'vitest';
import { tableLines, type Column } from './table.ts';
import { cut, harmless, oneLine, padded, widthOf } from './text.ts';

interface Row {
  id: string;
  name: string;
  why: string;
}
const columns: Column<Row>[] = [
  { title: 'ID', value: ({ id }) => id, whole: true },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'WHY', value: ({ why }) => why, drop: 1 },
];
const rows: Row[] = [
  { id: 'abcdefghijkl', name: 'a name of twenty-five cells', why: 'because' },
  { id: 'b', name: 'short', why: '' },
];
const plain = (text: string): string => text;
const lines = (width: number | null) => tableLines(columns, rows, width, plain);

describe('a table', () => {
  it('is as wide as its cells where nothing limits it', () => {
    expect(lines(null)).toEqual([
      'ID            NAME                         WHY',
      'abcdefghijkl  a name of twenty-five cells  because',
      'b             short',
    ]);
  });

  it('narrows what may be narrowed, and never an id', () => {
    for (const width of [46, 40, 37]) {
      expect(Math.max(...lines(width).map(widthOf)), String(width)).toBeLessThanOrEqual(width);
      expect(lines(width)[1]).toMatch(/^abcdefghijkl  a name .*… +because$/);
    }
  });

  it('drops a column where narrowing is not enough', () => {
    expect(lines(30)).toEqual(['ID            NAME', 'abcdefghijkl  a name of twent…', 'b             short']);
  });

  it('drops an optional column that says nothing', () => {
    const silent = rows.map((row) => ({ ...row, why: '' }));
    expect(tableLines(columns, silent, null, plain)[0]).toBe('ID            NAME');
  });
});

describe('text for a terminal', () => {
  it('obeys no escape sequence and turns no direction', () => {
    expect(harmless('a\u001B[2Jb\u009Bc\u202Ed\n\te')).toBe('a\uFFFD[2Jb\uFFFDcd\n\te');
    expect(oneLine(' a\r\n  b ')).toBe('a b');
  });

  it('is cut and filled by cells, not by characters', () => {
    expect(cut('日本語の名前', 7)).toBe('日本語…');
    expect(cut('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3)).toBe('👩‍👩‍👧‍👦…');
    expect(cut('abc', 3)).toBe('abc');
    expect(padded('日本', 6, 'right')).toBe('  日本');
  });
});
