import { expect, it } from 'vitest';
import { linesToConfirm } from './pasteGuard.ts';

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
