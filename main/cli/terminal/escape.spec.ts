/** Rules of the escape of `hangar ssh`. */
import { expect, it } from 'vitest';
import { createEscape } from './escape.ts';

it.each<[string, string[], string, boolean]>([
  ['leaves at the beginning', ['~.'], '', true],
  ['leaves after a line', ['ls\r~.more'], 'ls\r', true],
  ['leaves where it comes in two pieces', ['\r~', '.'], '\r', true],
  ['types a tilde in the middle of a line', ['cd ~.'], 'cd ~.', false],
  ['types a tilde for two', ['~~.'], '~.', false],
  ['types both for any other character', ['~a'], '~a', false],
])('%s', (_name, pieces, text, isLeaving) => {
  const escape = createEscape();
  const taken = pieces.map((piece) => escape.take(piece));
  expect(taken.map((piece) => piece.text).join('')).toBe(text);
  expect(taken.some((piece) => piece.isLeaving)).toBe(isLeaving);
});
