import { expect, it } from 'vitest';
import { findActions } from './search.ts';
import { keysKeywords, pageKeywords, storageKeywords, themeKeywords } from './keywords.ts';

const groups = [
  {
    group: 'Pages',
    actions: [
      { id: 'billing', label: 'Billing', keywords: pageKeywords.billing },
      { id: 'terminals', label: 'Terminals', keywords: pageKeywords.terminals },
      { id: 'machine', label: 'This computer', keywords: pageKeywords.machine },
      { id: 'resources', label: 'Resources', keywords: pageKeywords.resources },
      { id: 'run', label: 'Run', keywords: pageKeywords.run },
    ],
  },
  {
    group: 'Actions',
    actions: [
      { id: 'keys', label: 'Settings: Keys', keywords: keysKeywords },
      { id: 'storage', label: 'Settings: Storage', keywords: storageKeywords },
      { id: 'light', label: 'Theme: Light', keywords: themeKeywords },
      { id: 'dark', label: 'Theme: Dark', keywords: themeKeywords },
      { id: 'batch', label: 'Run a list of inputs', description: 'A batch: JSON Lines or CSV' },
      { id: 'greek', label: 'Ρυθμίσεις' },
    ],
  },
];
const ids = (query: string) =>
  findActions(query, groups).flatMap(({ matches }) => matches.map(({ action }) => action.id));
/** The marked parts of the label of the first action. */
const marked = (query: string) => {
  const [first] = findActions(query, groups).flatMap(({ matches }) => matches);
  const { action, marks } = first!;
  return marks.flatMap((from, index) => (index % 2 === 0 ? [action.label!.slice(from, marks[index + 1])] : []));
};

it.each([
  ['dark', 'dark'],
  ['night', 'dark'],
  ['token', 'keys'],
  ['api key', 'keys'],
  ['cost', 'billing'],
  ['money', 'billing'],
  ['ssh', 'terminals'],
  ['shell', 'terminals'],
  ['docker', 'resources'],
  ['cuda', 'machine'],
  ['cache', 'storage'],
  ['csv', 'batch'],
])('"%s" finds %s', (query, id) => {
  expect(ids(query)).toContain(id);
});

it('labels come before descriptions and keywords, and an empty query finds all, in their groups', () => {
  expect(ids('run')).toEqual(['run', 'batch']);
  expect(ids('  ')).toHaveLength(11);
  expect(findActions('', groups).map(({ group }) => group)).toEqual(['Pages', 'Actions']);
});

it('what is named as the query comes before what has it among other words, on the page as elsewhere', () => {
  const page = { group: 'This page', actions: [{ id: 'dismiss', label: 'Dismiss: stream-words failed' }] };
  const endpoints = { group: 'Endpoints', actions: [{ id: 'endpoint', label: 'stream-words' }] };
  const groupsFound = findActions('Stream-Words', [page, endpoints]);
  expect(groupsFound.map(({ group }) => group)).toEqual(['Endpoints', 'This page']);
});

it('a keyword counts from the beginning of a word on', () => {
  expect(ids('edit')).not.toContain('billing');
  expect(ids('cred')).toContain('billing');
});

it.each(['dark mode', 'mode dark', 'dark color', 'drak mode'])(
  '"%s" finds the dark theme before the others',
  (query) => {
    expect(ids(query)[0]).toBe('dark');
  },
);

it.each([
  ['a letter too few', 'biling', 'billing'],
  ['a letter too many', 'termiinals', 'terminals'],
  ['a wrong letter', 'stirage', 'storage'],
  ['two letters in the wrong order', 'storgae', 'storage'],
  ['words in another order', 'dark theme', 'dark'],
  ['a wrong letter in another script', 'ρυθμίσες', 'greek'],
])('%s does not matter', (_what, query, id) => {
  expect(ids(query)[0]).toBe(id);
});

const titles = [
  {
    group: 'Actions',
    actions: [
      { id: 'compare', label: 'Compare endpoints', description: 'One input on several endpoints' },
      { id: 'sheet', label: 'Close the spreadsheet' },
      { id: 'code', label: 'Edit the code of seven-swans' },
    ],
  },
  { group: 'Jobs', actions: [{ id: 'job', label: 'n 7', description: 'swans' }] },
];
const inTitles = (query: string, options = {}) =>
  findActions(query, titles, options).flatMap(({ matches }) => matches.map(({ action }) => action.id));

it('words of a label count in any distance and order, and all of them are marked', () => {
  expect(inTitles('edit code')).toEqual(['code']);
  expect(inTitles('code swans')).toEqual(['code']);
  const { action, marks } = findActions('edit code', titles)[0]!.matches[0]!;
  expect([action.label!.slice(marks[0], marks[1]), action.label!.slice(marks[2], marks[3])]).toEqual(['Edit', 'code']);
});

it('a match within a word comes after real words, and a short word with a wrong letter is a whole word', () => {
  expect(inTitles('s').at(-1)).not.toBe('code');
  expect(inTitles('sheet')).toEqual(['sheet']);
  expect(inTitles('sevel')).not.toContain('compare');
  expect(inTitles('sevan')).not.toContain('compare');
});

it('what another search found is listed whatever its texts are, and nothing is guessed while it goes on', () => {
  expect(inTitles('poker', { matchIds: new Set(['job']) })).toEqual(['job']);
  expect(inTitles('compore')).toEqual(['compare']);
  expect(inTitles('compore', { mayGuess: false })).toEqual([]);
  expect(inTitles('compore', { matchIds: new Set(['job']) })).toEqual(['job']);
});

it('some actions are listed for a query only', () => {
  expect(inTitles('', { queryOnly: new Set(['code']) })).not.toContain('code');
  expect(inTitles('swans', { queryOnly: new Set(['code']) })).toContain('code');
});

it('nonsense finds nothing', () => {
  expect(ids('xyzzy')).toEqual([]);
  expect(ids('…')).toEqual([]);
});

it('the letters that match are marked, as far as they are in the label', () => {
  expect(marked('list of')).toEqual(['list of']);
  expect(marked('biling').join('')).toMatch(/^Bill?ing$/);
  expect(marked('money')).toEqual([]);
});
