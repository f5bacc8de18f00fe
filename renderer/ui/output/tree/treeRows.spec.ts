import { describe, expect, it } from 'vitest';
import { samples } from '../../../../test/support/page/mediaSamples.ts';
import { createTree, previewOf, type TreeRow } from './treeRows.ts';

const paths = (value: unknown, open?: string[]): string[] => {
  const tree = createTree(JSON.stringify(value));
  return valuesOf(tree.rows(open ? new Set(open) : tree.firstOpen())).map(({ path }) => path);
};
/** Without the rows of closing brackets. */
const valuesOf = (rows: readonly TreeRow[]) => rows.filter(({ isEnd }) => !isEnd);

describe('the rows of a tree', () => {
  it('have paths that JavaScript understands', () => {
    expect(paths({ a: { 'b c': [1, { d: 2 }] }, e: 3 })).toEqual([
      '',
      'a',
      'a["b c"]',
      'a["b c"][0]',
      'a["b c"][1]',
      'a["b c"][1].d',
      'e',
    ]);
  });

  it('below something folded are not there', () => expect(paths({ a: { b: 1 }, c: 2 }, [''])).toEqual(['', 'a', 'c']));

  it('end what is open with its closing bracket, at the depth of its beginning', () => {
    const rows = createTree(JSON.stringify({ a: [1, { b: 2 }], c: {} })).rows(new Set(['', 'a']));
    expect(rows.map(({ path, depth, kind, isEnd }) => [path, depth, isEnd && kind])).toEqual([
      ['', 0, false],
      ['a', 1, false],
      ['a[0]', 2, false],
      ['a[1]', 2, false],
      ['a', 1, 'array'],
      ['c', 1, false],
      ['', 0, 'object'],
    ]);
  });

  it('are folded below the path that is shown elsewhere', () => {
    const tree = createTree(JSON.stringify({ n: 2, 'the rows': [{ a: 1 }, { a: 2 }], deep: { rows: ['x'] } }));
    expect(valuesOf(tree.rows(tree.firstOpen(['["the rows"]']))).map(({ path }) => path)).toEqual([
      '',
      'n',
      '["the rows"]',
      'deep',
      'deep.rows',
      'deep.rows[0]',
    ]);
  });

  it('of a long list are there, and what lies in them is folded', () => {
    const rows = paths(Array.from({ length: 500 }, () => ({ a: 1 })));
    expect(rows).toHaveLength(501);
  });

  it('name media by their type and size, and fold a list of them', () => {
    const { base64 } = samples.png;
    const tree = createTree(JSON.stringify({ seed: 1, images: [base64, base64], mask: base64 }));
    const rows = valuesOf(tree.rows(tree.firstOpen()));
    expect(rows.map(({ path, isOpen }) => [path, isOpen])).toEqual([
      ['', true],
      ['seed', false],
      ['images', false],
      ['mask', false],
    ]);
    expect(rows.map((row) => (row.kind === 'array' ? previewOf(row) : row.media?.type.mime))).toEqual([
      undefined,
      undefined,
      '[ 2 × image/png ]',
      'image/png',
    ]);
  });

  it('have short lists of numbers on one line, and fold longer ones', () => {
    const long = Array.from({ length: 60 }, (_, index) => index);
    const value = { box: [12, -3.5, 1e21, 40], grid: [[1, 2]], long, mixed: [1, 'two'] };
    const tree = createTree(JSON.stringify(value));
    const rows = valuesOf(tree.rows(tree.firstOpen()));
    expect(rows.map(({ path, canOpen, isOpen }) => [path, canOpen, isOpen])).toEqual([
      ['', true, true],
      ['box', false, false],
      ['grid', true, true],
      ['grid[0]', false, false],
      ['long', true, false],
      ['mixed', true, true],
      ['mixed[0]', false, false],
      ['mixed[1]', false, false],
    ]);
    const previews = rows.filter(({ kind, isOpen }) => kind === 'array' && !isOpen).map(previewOf);
    expect(previews).toEqual(['[12, -3.5, 1e+21, 40]', '[1, 2]', '[ 60 items ]']);
  });

  it('unfold long texts, and no short ones', () => {
    const rows = valuesOf(createTree(JSON.stringify({ long: 'word '.repeat(80), short: 'word' })).rows(new Set([''])));
    expect(rows.map(({ canOpen }) => canOpen)).toEqual([true, true, false]);
  });
});

describe('the preview of something folded', () => {
  it.each<[unknown, string]>([
    [{}, '{}'],
    [[], '[]'],
    [[1, 2, 3], '[1, 2, 3]'],
    [[1, 2, 'three'], '[ 3 items ]'],
    [{ a: 1, b: 'x', c: { d: 1 }, e: [] }, '{ a: 1, b: "x", c: {…}, e: […] } 4 keys'],
    [{ long: 'word '.repeat(20) }, '{ long: … } 1 key'],
  ])('%j is %s', (value, words) => {
    const text = JSON.stringify(value);
    expect(previewOf({ text, path: 'a', kind: text.startsWith('[') ? 'array' : 'object' })).toBe(words);
  });
});
