/** Chunks above 1 MB are cut so that joining the pieces gives what was yielded. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { chunksFrom, createChunkLog, noteChunks, noteStored, readChunks, splitChunk } from './chunkLog.ts';

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

  test('text of any characters joins to what was yielded, and no piece is above the limit', () => {
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

test('no more is read from disk at once than was asked for, however large the chunks of a job are', () => {
  for (const known of [true, false]) {
    const log = createChunkLog(1, known ? 0 : undefined);
    const texts = Array.from({ length: 200 }, (_, n) => 'x'.repeat(n % 9 === 8 ? 900_000 : 10));
    noteChunks(log, 1, texts);
    noteStored(log, 1, texts);
    log.ready = texts.length;
    const position = { index: 0, row: 1 };
    const read: string[] = [];
    while (read.length < 180) {
      let loaded = 0;
      const some = chunksFrom(log, position, 2_000_000, (from, _to, limit) => {
        const rows = texts.slice(from - 1, from - 1 + limit).map((text, n) => ({ row: from + n, text }));
        loaded += rows.reduce((sum, { text }) => sum + text.length, 0);
        return rows;
      });
      expect(loaded).toBeLessThan(3_000_000);
      read.push(...some);
    }
    expect(read).toEqual(texts.slice(0, read.length));
  }
});

test('readers with positions of their own get every chunk in order, whatever is stored, in memory, or read by others', () => {
  const step = fc.oneof(
    fc.record({ add: fc.integer({ min: 1, max: 5 }), bytes: fc.constantFrom(10, 1000, 200_000) }),
    fc.constantFrom('store' as const, 'stream' as const, 0, 1),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const log = createChunkLog(7);
      const rows = new Map<number, string>();
      const unstored: { row: number; added: string[] }[] = [];
      const texts: string[] = [];
      const seen: string[][] = [[], []];
      const positions = seen.map(() => ({ index: 0, row: 7 }));
      const streamed: string[] = [];
      // Rows of other jobs lie between those of this one.
      let row = 7;
      const load = (from: number, to: number, limit: number): { row: number; text: string }[] =>
        [...rows]
          .filter(([at]) => at >= from && at <= to && at <= log.storedRow)
          .slice(0, limit)
          .map(([at, text]) => ({ row: at, text }));
      const read = (reader: number): void =>
        void seen[reader]!.push(...chunksFrom(log, positions[reader]!, 50_000, load));
      for (const one of steps) {
        if (one === 'store') {
          for (const write of unstored.splice(0)) noteStored(log, write.row, write.added);
          expect(log.unwrittenLength).toBe(0);
          expect(log.tail.textLength).toBeLessThan(500_000);
        } else if (one === 'stream') streamed.push(...readChunks(log, streamed.length, 50_000, load));
        else if (typeof one === 'number') read(one);
        else {
          const added = Array.from({ length: one.add }, (_, n) => `${texts.length + n} `.padEnd(one.bytes));
          added.forEach((text, n) => rows.set(row + n, text));
          noteChunks(log, row, added);
          unstored.push({ row, added });
          texts.push(...added);
          log.ready += added.length;
          row += added.length + 3;
        }
      }
      for (let n = 0; n < 400; n++) [0, 1].forEach(read);
      expect(seen[0]).toEqual(texts);
      expect(seen[1]).toEqual(texts);
      expect(texts.slice(0, streamed.length)).toEqual(streamed);
    }),
    { numRuns: 60 },
  );
});
