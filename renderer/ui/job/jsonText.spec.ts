import { describe, expect, it } from 'vitest';
import { indentJson, indentLine, jsonString, lineJson } from './jsonText.ts';

describe('JSON as text', () => {
  it('is laid out as JSON.stringify would do', () => {
    const value = { a: [1, { b: 'x, {y}: "z"\\' }], empty: {}, none: [], t: true };
    expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  });

  it('keeps numbers that JavaScript cannot hold', () => {
    expect(indentJson('{"n":9007199254740993.10}')).toBe('{\n  "n": 9007199254740993.10\n}');
  });

  it('stands on one line where it is short', () => {
    expect(lineJson('{"a":1,\n "b":[1,2]}')).toBe('{"a": 1, "b": [1, 2]}');
  });

  it('is laid out where it is one line, and stays as its author laid it out where it is more', () => {
    expect(indentLine('{"input":{"name":"world"}}\n')).toBe('{\n  "input": {\n    "name": "world"\n  }\n}');
    expect(indentLine('{"a": [1,\n  2]}')).toBe('{"a": [1,\n  2]}');
  });

  it('drops the layout that the text came with', () => {
    expect(indentJson('[ \n ]')).toBe('[]');
    expect(indentJson('{ "a" :\n 1 }')).toBe('{\n  "a": 1\n}');
  });

  it('ends with text that is cut off', () => expect(indentJson('{"a": "b\\')).toBe('{\n  "a": "b\\'));

  it('tells strings from everything else', () => {
    expect(jsonString('"a\\nb"')).toBe('a\nb');
    expect(jsonString('12')).toBeNull();
    expect(jsonString('"cut')).toBeNull();
  });
});
