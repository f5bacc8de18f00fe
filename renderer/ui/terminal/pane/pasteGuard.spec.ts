import { describe, expect, it } from 'vitest';
import { beginningOf, linesToConfirm } from './pasteGuard.ts';

it.each([
  ['ls', false, null],
  ['', false, null],
  ['rm -rf build\n', false, 1],
  ['cd /tmp\r\nls', false, 2],
  ['cd /tmp\rls\r', false, 2],
  ['cd /tmp\nls', true, null],
  ['x\n'.repeat(99), true, null],
  ['x\n'.repeat(100), true, 100],
])('a paste of %j (bracketed: %s) is asked about with %j lines', (text, isBracketed, lines) => {
  expect(linesToConfirm(text, isBracketed)).toBe(lines);
});

describe('the beginning of a paste', () => {
  it('is shown with the number of lines that follow', () => {
    const text = Array.from({ length: 11 }, (_, n) => `line ${n}`).join('\r\n');
    expect(beginningOf({ text, lines: 11 })).toEqual({
      text: 'line 0\nline 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7',
      more: 3,
    });
    expect(beginningOf({ text: 'one\ntwo\n', lines: 2 })).toEqual({ text: 'one\ntwo', more: 0 });
  });

  it('has a sign for each character that could not be seen', () => {
    const text = 'a\tb\u001B[2Kc\u202Ed\u200Be\nf';
    expect(beginningOf({ text, lines: 2 }).text).toBe('a\tb\uFFFD[2Kc\uFFFDd\uFFFDe\nf');
  });
});
