import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitCommandLine } from '../../domain/core/shellWords.ts';
import { lineOf } from './values.ts';

test('a command written as one line is taken apart into the words that it was made of', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
      expect(splitCommandLine(lineOf(words))).toEqual(words);
    }),
  );
});
