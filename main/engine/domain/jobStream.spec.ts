/** Chunks above 1 MB are cut so that joining the pieces gives what was yielded. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { splitChunk } from './jobStream.ts';

const pieces = (output: unknown): string[] => {
  return splitChunk(`{"output":${JSON.stringify(output)}}`);
};
const joined = (texts: string[]): string =>
  texts.map((text) => (JSON.parse(text) as { output: string }).output).join('');
const bytes = (text: string): number => new TextEncoder().encode(text).length;

describe('a streamed chunk is at most 1 MB; larger outputs are split over several chunks', () => {
  test('a chunk of exactly 1 MB stays whole, one byte more is cut', () => {
    const frame = '{"output":""}'.length;
    expect(pieces('x'.repeat(limits.chunkBytes - frame))).toHaveLength(1);
    const cut = pieces('x'.repeat(limits.chunkBytes - frame + 1));
    expect(cut).toHaveLength(2);
    expect(joined(cut)).toBe('x'.repeat(limits.chunkBytes - frame + 1));
  });

  test('text of any characters joins to what was yielded, and no piece is above the limit', { timeout: 20_000 }, () => {
    const text = fc
      .array(fc.constantFrom('a', 'é', '🙂', '"', '\\', '\n', '\u0001', '漢'), { minLength: 1, maxLength: 12 })
      .map((letters) => letters.join('').repeat(Math.ceil(1_300_000 / letters.join('').length)));
    fc.assert(
      fc.property(text, (whole) => {
        const cut = pieces(whole);
        expect(cut.every((piece) => bytes(piece) <= limits.chunkBytes)).toBe(true);
        expect(joined(cut) === whole).toBe(true);
      }),
      { numRuns: 4 },
    );
  });

  test('anything but a string joins to its JSON', () => {
    const whole = { rows: Array.from({ length: 90_000 }, (_, index) => ({ index })) };
    expect(JSON.parse(joined(pieces(whole)))).toEqual(whole);
  });
});
