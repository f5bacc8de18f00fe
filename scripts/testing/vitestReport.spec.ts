import { expect, test } from 'vitest';
import { skipFor } from '../../test/support/core/skip.ts';
import { reasonOf } from './vitestReport.mjs';

test('a test that skips itself has the reason that it gives', () => {
  expect(reasonOf({ note: 'no GPU' }, {})).toBe('no GPU');
});

test('a test that its options skip has their reason, and one that may run has none', () => {
  expect(reasonOf({}, skipFor('no GPU').meta ?? {})).toBe('no GPU');
  expect(skipFor(null)).toEqual({});
});
