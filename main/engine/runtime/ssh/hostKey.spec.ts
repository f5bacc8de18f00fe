/** The host key of the SSH server: what is made can be read. */
import { utils } from 'ssh2';
import { expect, test } from 'vitest';
import { newKey } from './hostKey.ts';

test('every new host key can be read again', () => {
  // One of 256 that ssh2 makes cannot: 3,000 without a single one of them happen once in 100,000 runs.
  const keys = Array.from({ length: 3000 }, () => newKey(utils));
  expect(keys.filter((key) => utils.parseKey(key) instanceof Error)).toEqual([]);
});
