import { expect, it } from 'vitest';
import { textToCopy } from './clipboardRequest.ts';

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

it.each([
  ['a text', `c;${base64('grüße 🎉')}`, 'grüße 🎉'],
  ['a text for no named clipboard', `;${base64('x')}`, 'x'],
  ['a question for the clipboard', 'c;?', null],
  ['an empty text', 'c;', null],
  ['what is no base64', 'c;a*b', null],
  ['bytes that are no text', 'c;/w==', null],
  ['more than a person can judge', `c;${base64('x'.repeat(100_001))}`, null],
])('%s gives what is to be copied', (_, data, text) => {
  expect(textToCopy(data)).toBe(text);
});
