/** The keys of the pages. */
import { expect, test } from 'vitest';
import { pageCommands } from './hostMessage.ts';
import { pageFacts } from './pages.ts';

test('no two pages, and no command of the window, have the same keys', () => {
  const keys = [...Object.values(pageFacts), ...Object.values(pageCommands)].flatMap(({ key }) => key ?? []);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});
