/** Compares the JSON validator with JSON.parse on generated texts, valid ones and broken ones. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectFields } from './jsonValidator.ts';

const space = fc.stringMatching(/^[ \n\r\t]{0,3}$/);
const json = fc
  .tuple(fc.json({ stringUnit: 'binary', maxDepth: 4 }), space)
  .map(([text, indent]) => JSON.stringify(JSON.parse(text), null, indent || undefined));
/** The characters of the generated texts, especially those with a meaning in JSON. */
const piece = fc.oneof(
  json,
  fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', ' ', '\t', '\n', '\r', '\f', '\0'),
  fc.constantFrom('\u001f', '\u007f', '\u00a0', '\ufeff', '\u2028', 'é', '😀'),
  fc.constantFrom('true', 'false', 'null', 'tru', 'nul', 'falsey', 'NaN', 'Infinity', 'undefined', 'TRUE'),
  fc.constantFrom(
    '0',
    '-0',
    '-',
    '01',
    '1.',
    '.5',
    '1e',
    '1e+',
    '1E-2',
    '0.0',
    '1.5e300',
    '+1',
    '0x1',
    '-1.25E+10',
    '00',
  ),
  fc.constantFrom(
    '\\u',
    '\\u12',
    '\\u00e9',
    '\\ud800',
    '\\uD83D\\uDE00',
    '\\u00G0',
    '\\x41',
    '\\n',
    '\\/',
    '\\"',
    "\\'",
  ),
  fc.constantFrom('"a"', '"a":', '"input":', '"":', '"__proto__":', '{"a":1}', '[1]', '[]', '{}', '[,]', '{,}', "'a'"),
);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Expects that both agree on this text. */
function agree(text: string): void {
  const bytes = Buffer.from(text);
  const read = bytes.toString('utf8');
  const value = parsed(read);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const fields = objectFields(bytes);
  expect(fields === null, JSON.stringify(text)).toBe(!isObject);
  if (!fields) return;
  expect(new Set(fields.keys())).toEqual(new Set(Object.keys(value as object)));
  for (const [name, { start, end }] of fields) {
    const raw = bytes.toString('utf8', start, end);
    expect(raw).toBe(raw.trim());
    expect(JSON.parse(raw)).toEqual((value as Record<string, unknown>)[name]);
  }
}

describe('objectFields', () => {
  it('says the same as JSON.parse of texts put together at random', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => agree(pieces.join(''))),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => agree(`{"a":${pieces.join('')}}`)),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => agree(`{"a":"${pieces.join('')}"}`)),
      { numRuns: 2000 },
    );
  });

  it('says the same as JSON.parse of sound objects in which one place was changed', () => {
    const object = fc
      .array(fc.tuple(fc.string(), json, space, space))
      .map((fields) => ` {${fields.map(([k, v, a, b]) => `${a}${JSON.stringify(k)}${b}:${a}${v}${b}`).join(',')}}\n`);
    fc.assert(fc.property(object, agree), { numRuns: 500 });
    fc.assert(
      fc.property(object, fc.nat(), fc.nat(3), piece, (text, place, gone, put) => {
        const at = place % text.length;
        agree(text.slice(0, at) + put + text.slice(at + gone));
      }),
      { numRuns: 3000 },
    );
  });

  it('takes the last of a repeated field, under the name that escapes stand for', () => {
    const text = '{"a":1, "\\u0061" : [2] }';
    expect([...objectFields(Buffer.from(text))!]).toEqual([['a', { start: 19, end: 22 }]]);
  });

  it('follows nesting as deep as it comes', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = `{"a":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
      expect(objectFields(Buffer.from(deep))?.get('a')).toEqual({ start: 5, end: deep.length - 1 });
      expect(objectFields(Buffer.from(deep.slice(0, -1)))).toBeNull();
      expect(objectFields(Buffer.from(`${deep}${close}`))).toBeNull();
    }
  });

  it('leaves objects of very many fields to others', () => {
    const of = (count: number): string =>
      JSON.stringify(
        Object.fromEntries(
          Array(count)
            .fill(0)
            .map((_, n) => [`f${n}`, n]),
        ),
      );
    expect(objectFields(Buffer.from(of(256)))?.size).toBe(256);
    expect(objectFields(Buffer.from(of(257)))).toBeNull();
  });
});
