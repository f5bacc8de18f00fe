import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { drawingsOf, read, root } from './documents.ts';

const guide = read('docs/traces.md');
const titles = [...guide.matchAll(/^## (.+)$/gm)].map(([, title]) => title ?? '');
const drawings = drawingsOf(guide, 'sequenceDiagram');

const placeOf = (path: string): string => join(root, path.startsWith('renderer/') ? path : `main/${path}`);
/** The source without its comments: a name that only a comment has is no call. */
const sourceOf = (path: string): string =>
  existsSync(placeOf(path)) ? readFileSync(placeOf(path), 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '') : '';
const has = (path: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(sourceOf(path));

test('there are three traces, and the map tells each', () => {
  expect(drawings.length).toBe(3);
  const map = read('main/README.md');
  expect(titles.filter((title) => !map.includes(`**${title}.**`))).toEqual([]);
});

describe.each(titles.map((title, place) => [title, drawings[place] ?? ''] as const))('%s', (_, drawing) => {
  const files = new Map(
    [...drawing.matchAll(/participant (\w+) as (\S+)/g)].map(([, name = '', path = '']) => [
      name,
      path.replace('<br/>', ''),
    ]),
  );
  const calls = [...drawing.matchAll(/(\w+)->>(\w+): (\w+)\(\)/g)].map(([, from = '', to = '', call = '']) => ({
    from: files.get(from) ?? from,
    to: files.get(to) ?? to,
    call,
  }));

  test('is drawn with files that are there', () => {
    expect(files.size).toBeGreaterThan(5);
    expect([...files.values()].filter((path) => !existsSync(placeOf(path)))).toEqual([]);
  });

  test('has calls that stand in the file that calls and in the file that is called', () => {
    expect(calls.length).toBeGreaterThan(5);
    expect(drawing.match(/->>/g)?.length).toBe(calls.length);
    expect(calls.filter(({ from, to, call }) => !has(from, call) || !has(to, call))).toEqual([]);
  });
});
