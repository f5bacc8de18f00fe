import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growingBlocks } from './growingText.ts';

const texts = fc
  .array(fc.oneof(fc.constantFrom('word ', 'line\n', '😀', 'ab'), fc.string({ unit: 'binary', maxLength: 40 })), {
    minLength: 1,
    maxLength: 60,
  })
  .chain((parts) => fc.integer({ min: 1, max: 300 }).map((times) => parts.join('').repeat(times)));

describe('a text that grows', () => {
  it('is whole in its blocks, of which only the last one changes', () => {
    fc.assert(
      fc.property(texts, fc.double({ min: 0, max: 1, noNaN: true }), (text, share) => {
        const blocks = growingBlocks(text);
        expect(blocks.join('')).toBe(text);
        expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThanOrEqual(4000);
        const before = growingBlocks(text.slice(0, Math.round(text.length * share)));
        expect(blocks.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
      }),
    );
  });

  it('has its borders after lines, else after words, and never within a character', () => {
    const lines = 'a line of some words\n'.repeat(1000);
    expect(growingBlocks(lines).every((block) => block.endsWith('\n'))).toBe(true);
    const words = 'word '.repeat(4000);
    expect(growingBlocks(words).every((block) => block.endsWith(' '))).toBe(true);
    const faces = `a${'😀'.repeat(8000)}`;
    expect(growingBlocks(faces).every((block) => !/\p{Surrogate}/u.test(block))).toBe(true);
  });
});
