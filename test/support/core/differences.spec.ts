import { expect, test } from 'vitest';
import { differences } from './differences.ts';

const advice = { missing: (name: string) => `add ${name}`, extra: (name: string) => `remove ${name}` };

test('lists with the same names in any order have no differences', () => {
  expect(differences(['b', 'a', 'a'], ['a', 'b', 'a'], advice)).toEqual([]);
});

test('each name that one list has more often is a sentence', () => {
  expect(differences(['a', 'c', 'c'], ['c', 'b', 'a', 'a'], advice)).toEqual(['add a', 'add b', 'remove c']);
});
