import { expect, it } from 'vitest';
import { isNewer } from './format.ts';

it.each([
  ['0.2.0', '0.1.0', true],
  ['1.0.0', '0.9.9', true],
  ['0.1.10', '0.1.9', true],
  ['0.1.0', '0.1.0', false],
  ['0.1.0-beta.1', '0.1.0', false],
  ['0.1.0', '0.2.0', false],
])('%s is newer than %s: %s', (version, than, expected) => {
  expect(isNewer(version, than)).toBe(expected);
});
