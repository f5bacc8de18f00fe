import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLines } from './jsonLines.ts';

const collect = async (answer: Readable): Promise<unknown[]> => {
  const values: unknown[] = [];
  for await (const value of jsonLines(answer)) values.push(value);
  return values;
};

test('values come out as they went in, wherever the answer was cut into pieces, and however its lines end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue())),
      fc.array(fc.nat()),
      fc.constantFrom('\n', '\r\n', '\n\n'),
      fc.boolean(),
      async (values, cuts, end, endsLast) => {
        const lines = values.map((value) => JSON.stringify(value)).join(end) + (endsLast ? end : '');
        const bytes = Buffer.from(lines);
        const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
          (a, b) => a - b,
        );
        const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
        expect(await collect(Readable.from(pieces, { objectMode: false }))).toEqual(
          values.map((value) => JSON.parse(JSON.stringify(value)) as unknown),
        );
      },
    ),
  );
});

test('an answer that breaks off fails, after what it has told', async () => {
  const answer = new Readable({ read: () => undefined });
  answer.push('{"a":1}\n{"b"');
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const value of jsonLines(answer)) {
      seen.push(value);
      answer.destroy(new Error('the engine has gone'));
    }
  })();
  await expect(reading).rejects.toThrow('the engine has gone');
  expect(seen).toEqual([{ a: 1 }]);
});
