import { describe, expect, it } from 'vitest';
import { copyRule, type TerminalKey } from './copyRule.ts';

const press = (text: string): TerminalKey => ({
  key: text.at(-1)!,
  ctrlKey: text.includes('Ctrl'),
  shiftKey: text.includes('Shift'),
  metaKey: text.includes('Cmd'),
  altKey: text.includes('Alt'),
});

describe('keys of the clipboard in a terminal', () => {
  it.each([
    ['other', 'Ctrl+Shift+C', true, 'copy'],
    ['other', 'Ctrl+Shift+V', false, 'paste'],
    ['other', 'Ctrl+Shift+F', false, 'find'],
    ['other', 'Ctrl+c', true, null],
    ['apple', 'Cmd+c', true, 'copy'],
    ['apple', 'Cmd+v', false, 'paste'],
    ['apple', 'Ctrl+c', true, null],
    ['windows', 'Ctrl+c', true, 'copy'],
    ['windows', 'Ctrl+c', false, null],
    ['windows', 'Ctrl+Shift+C', false, 'copy'],
    ['windows', 'Ctrl+v', false, 'paste'],
    ['windows', 'Ctrl+Alt+c', true, null],
  ] as const)('on %s, %s with a selection (%s…) is %s', (system, keys, hasSelection, is) => {
    const rule = copyRule(press(keys), { system, hasSelection });
    expect(rule).toBe(is);
  });
});
