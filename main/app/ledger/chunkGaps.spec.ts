/** Rules of what a final output says of chunks that were lost on their way. */
import { describe, expect, it } from 'vitest';
import { findLost } from './chunkGaps.ts';

describe('chunks of which some may be lost', () => {
  it.each([
    ['the first', ['2', '3'], [null, 0, 1]],
    ['the last', ['1', '2'], [0, 1, null]],
    ['one in the middle', ['1', '3'], [0, null, 1]],
    ['all but one', ['2'], [null, 0, null]],
  ])('are completed from an output that is the list of all: %s', (_, received, places) => {
    const gap = findLost(received, ' [1, 2, 3] ');
    const whole = places.map((place, index) => ({ text: String(index + 1), receivedIndex: place }));
    expect(gap).toEqual({ kind: 'lost', whole });
  });

  it('are told apart where they are alike, and are the same however they are written', () => {
    expect(findLost(['"a"', '"a"'], '["a","b","a"]')).toMatchObject({
      whole: [{ receivedIndex: 0 }, { receivedIndex: null }, { receivedIndex: 1 }],
    });
    expect(findLost(['{"a": "\\u00e9"}'], '[0,{"a":"é"}]')).toMatchObject({
      whole: [{ receivedIndex: null }, { receivedIndex: 0 }],
    });
  });

  it('are all there where the list has no more, or where nothing is streamed', () => {
    expect(findLost(['1', '2'], '[1,2]')).toEqual({ kind: 'none' });
    expect(findLost([], '[]')).toEqual({ kind: 'none' });
    expect(findLost([], '{"answer":42}')).toEqual({ kind: 'none' });
  });

  it.each<[string, string[], string | null]>([
    ['there is no output', ['1'], null],
    ['the output is no list', ['1'], '{"sum":3}'],
    ['the list does not have what came', ['1', '9'], '[1,2,3]'],
    ['the list has it in another order', ['2', '1'], '[1,2]'],
    ['nothing came, and the list may be the answer of a handler that streams nothing', [], '[1,2]'],
  ])('are not told of where %s', (_, received, output) => {
    expect(findLost(received, output)).toEqual({ kind: 'unknown' });
  });
});
