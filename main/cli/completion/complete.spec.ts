import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { typedDataDir } from './complete.ts';

it.each<[string[], string | undefined]>([
  [['jobs', ''], undefined],
  [['--data-dir', '/a', 'run', ''], '/a'],
  [['--data-dir=/a', 'run', ''], '/a'],
  [['run', '--data-dir', String.raw`/with\ space`, ''], '/with space'],
  [['--data-dir', '/a', '--data-dir', '/b', ''], '/b'],
  [['--data-dir', '~/a', ''], `${homedir()}/a`],
  [['--data-dir', '/still/typed'], undefined],
])('the words %j name the data folder %s', (words, expected) => {
  expect(typedDataDir(words)).toBe(expected);
});
