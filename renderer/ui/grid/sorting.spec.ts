import { expect, it } from 'vitest';
import { nextSort, sortRows } from './sorting.ts';

const rows = [
  { name: 'trainer-10', load: 5 },
  { name: 'Notebook', load: null },
  { name: 'trainer-2', load: 90 },
  { name: 'api', load: null },
];
const columns = [
  { sort: { id: 'name', valueOf: (row: (typeof rows)[number]) => row.name } },
  { sort: { id: 'load', valueOf: (row: (typeof rows)[number]) => row.load } },
  {},
];
const namesBy = (id: string, isUp: boolean) => sortRows(rows, columns, { id, isUp }).map(({ name }) => name);

it('Names are sorted as a person reads them, numbers by their value', () => {
  expect(namesBy('name', true)).toEqual(['api', 'Notebook', 'trainer-2', 'trainer-10']);
  expect(namesBy('name', false)).toEqual(['trainer-10', 'trainer-2', 'Notebook', 'api']);
});

it('Rows without a value stand last both ways, in the order in which they came', () => {
  expect(namesBy('load', true)).toEqual(['trainer-10', 'trainer-2', 'Notebook', 'api']);
  expect(namesBy('load', false)).toEqual(['trainer-2', 'trainer-10', 'Notebook', 'api']);
});

it('A column is sorted upwards, then downwards, then not at all; an unknown one leaves the rows as they came', () => {
  const up = nextSort(null, 'name');
  const down = nextSort(up, 'name');
  expect([up, down, nextSort(down, 'name'), nextSort(down, 'load')]).toEqual([
    { id: 'name', isUp: true },
    { id: 'name', isUp: false },
    null,
    { id: 'load', isUp: true },
  ]);
  expect(sortRows(rows, columns, { id: 'gone', isUp: true })).toEqual(rows);
});
