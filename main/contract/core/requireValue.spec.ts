import { expect, it } from 'vitest';
import { requireValue } from './requireValue.js';

it('returns a value, also one that is false, 0 or empty', () => {
  expect([requireValue(0, 'a'), requireValue(false, 'a'), requireValue('', 'a')]).toEqual([0, false, '']);
});

it('throws an error with the name of a missing value', () => {
  expect(() => requireValue(undefined, 'the lease')).toThrow('There is no value for the lease.');
  expect(() => requireValue(null, 'the lease')).toThrow('There is no value for the lease.');
});
