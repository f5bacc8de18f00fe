import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeCutJson } from './cutJson.ts';

/**
 * Whether each value of `part` is in `whole` at the same place; the last list and object of each level may be shorter.
 */
function isStartOf(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return Object.is(part, whole);
  if (typeof whole !== 'object' || whole === null || Array.isArray(part) !== Array.isArray(whole)) return false;
  const values = new Map(Object.entries(whole));
  return Object.entries(part).every(([name, value]) => values.has(name) && isStartOf(value, values.get(name)));
}

describe('the start of a JSON text', () => {
  it.each([
    ['[{"id":1,"tags":["a","b"]},{"id":2,"ta', '[{"id":1,"tags":["a","b"]},{"id":2}]'],
    ['{"status":"ok","rows":[1,2,3', '{"status":"ok","rows":[1,2]}'],
    ['{ "a" : [ ], "b" : tr', '{ "a" : [ ]}'],
    ['[1,"wh', '[1]'],
    ['["a\\"b", "c', '["a\\"b"]'],
    ['{"a":{"b', null],
    ['[', null],
    ['"text', null],
    ['12', null],
  ])('%s is closed after its last whole value', (start, closed) => {
    expect(closeCutJson(start)).toBe(closed);
  });

  it('with a long text that is cut off is not shown: it is the start of a picture', () => {
    expect(closeCutJson(`{"seed":1,"image":"${'A'.repeat(20_000)}`)).toBeNull();
    expect(closeCutJson(`{"seed":1,"image":"${'A'.repeat(20_000)}","n":2`)).toMatch(/A"\}$/);
  });

  it('is valid wherever it was cut, and holds nothing that the whole does not have', () => {
    fc.assert(
      fc.property(fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.nat(), fc.nat(2)), ([value, cut, indent]) => {
        const text = JSON.stringify(value, null, indent);
        const closed = closeCutJson(text.slice(0, cut % (text.length + 1)));
        if (closed !== null) expect(isStartOf(JSON.parse(closed), JSON.parse(text))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
