import { describe, expect, it } from 'vitest';
import { fitsAsBase64, movedPlace, placeOfFiles } from './fileText.ts';

/** The text with "|" as the cursor, after the files were written. */
function written(marked: string, ...values: string[]): string {
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  const place = placeOfFiles(text, at, values);
  if (place === null) return 'no place';
  const { from, to, insert } = place;
  return text.slice(0, from) + insert + text.slice(to);
}

describe('files in a JSON text', () => {
  it.each([
    ['{"a": |}', ['x'], '{"a": "x"}'],
    ['{"a": "|"}', ['x'], '{"a": "x"}'],
    ['{"": 1, "a": ""}|', ['x'], '{"": 1, "a": "x"}'],
    ['|{"a": "b"}', ['x'], 'no place'],
    ['["b"|]', ['x'], 'no place'],
    ['["b"|', ['x'], '["b""x"'],
    ['{"b": "", "na|me": "old"}', ['x'], '{"b": "", "name": "x"}'],
    ['{"na|me": {"b": "old"}, "c": ""}', ['x'], '{"name": {"b": "old"}, "c": "x"}'],
    ['{"a": "ol|d \\" text", "b": "c"}', ['x'], '{"a": "x", "b": "c"}'],
    ['{"a": |"b"}', ['x'], 'no place'],
    ['{"na|me": 1}', ['x'], 'no place'],
    ['{"a": |}', ['x', 'y'], '{"a": ["x", "y"]}'],
    ['{"a": "|"}', ['x', 'y'], '{"a": ["x", "y"]}'],
    ['{"a": [|]}', ['x', 'y'], '{"a": ["x", "y"]}'],
    ['{"a": ["|"]}', ['x', 'y'], '{"a": ["x", "y"]}'],
    ['|', ['x'], '"x"'],
  ])('%s with %j is %s', (marked, values, result) => expect(written(marked, ...values)).toBe(result));
});

describe('files as base64', () => {
  it.each([
    [[3], 0, 8, true],
    [[3], 1, 8, false],
    [[4], 0, 12, true],
    [[4], 0, 11, false],
    [[3, 3], 0, 16, true],
    [[3, 3], 0, 15, false],
  ])('of %j bytes beside %i bytes in a body of %i fit: %s', (sizes, used, limit, fits) =>
    expect(
      fitsAsBase64(
        sizes.map((size) => ({ size })),
        used,
        limit,
      ),
    ).toBe(fits),
  );
});

describe('a place in a text that was changed', () => {
  it.each([
    ['ab|cd', 'ab|cd'],
    ['ab|cd', 'xab|cd'],
    ['ab|cd', 'ab|cdx'],
    ['ab|cd', 'ab|cXd'],
    ['{"n": 1, "f": "|"}', '{"n": 100, "f": "|"}'],
  ])('from %s is found in %s', (before, now) =>
    expect(movedPlace(before.replace('|', ''), now.replace('|', ''), before.indexOf('|'))).toBe(now.indexOf('|')),
  );

  it('is gone if the change went over it', () => {
    expect(movedPlace('{"f": ""}', '{}', 7)).toBeNull();
  });
});
