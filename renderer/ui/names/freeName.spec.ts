import { expect, it } from 'vitest';
import { freeName } from './freeName.ts';

it('a name that is taken gets the next free number', () => {
  expect(freeName('trainer', [])).toBe('trainer');
  expect(freeName('trainer', ['trainer', 'trainer-2'])).toBe('trainer-3');
  expect(freeName('trainer-2', ['trainer-2'])).toBe('trainer-3');
});
