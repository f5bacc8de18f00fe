/** Rules of the JSON span scanner, checked against JSON.parse on generated texts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrayItems, rawField, topLevelSpans } from './jsonScanner.ts';

const space = fc.stringMatching(/^[ \n\r\t]{0,3}$/);
const pretty = fc.tuple(fc.json({ stringUnit: 'binary' }), space).map(([json, indent]) => {
  return JSON.stringify(JSON.parse(json), null, indent || undefined);
});
const key = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\\"', '__proto__', '', 'output', '\u2028', '}'));

describe('jsonText', () => {
  it('finds every field of an object exactly as it was written', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, pretty, space, space)), (fields) => {
        const parts = fields.map(
          ([k, v, before, after]) => `${before}${JSON.stringify(k)}${after}:${before}${v}${after}`,
        );
        const text = ` {${parts.join(',')}${fields.length === 0 ? ' ' : ''}}\n`;
        const expected = new Map(fields.map(([k, v]) => [k, v]));
        const spans = [...topLevelSpans(text)].map(([k, { start, end }]) => [k, text.slice(start, end)] as const);
        expect(new Map(spans)).toEqual(expected);
      }),
    );
  });

  it('takes the last of a repeated field, as JSON.parse does', () => {
    expect(rawField('{"a":1,"a":[2]}', 'a')).toBe('[2]');
  });

  it('answers undefined for a field that is only present deeper down or inside a string', () => {
    expect(rawField('{"a":{"output":1},"b":"\\"output\\":2"}', 'output')).toBeUndefined();
  });

  it('keeps numbers that JavaScript cannot hold', () => {
    expect(rawField('{"output": 12345678901234567890.10 }', 'output')).toBe('12345678901234567890.10');
  });

  it('splits an array into its items exactly as they were written', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(pretty, space, space)), (items) => {
        const text = ` [${items.map(([v, before, after]) => `${before}${v}${after}`).join(',')} ]`;
        expect(arrayItems(text)).toEqual(items.map(([v]) => v));
      }),
    );
  });

  it('reads a key written with escapes as the key it stands for', () => {
    expect(rawField('{"\\u006futput":true}', 'output')).toBe('true');
  });

  it('refuses text that is not an object or an array', () => {
    expect(() => topLevelSpans('[1]')).toThrow(SyntaxError);
    expect(() => arrayItems('{}')).toThrow(SyntaxError);
    expect(() => topLevelSpans('{"a":"no end')).toThrow(SyntaxError);
  });

  it('is linear in the length of the text', () => {
    const text = JSON.stringify({ input: '\\"'.repeat(2_000_000), output: [1] });
    expect(rawField(text, 'output')).toBe('[1]');
  });
});
