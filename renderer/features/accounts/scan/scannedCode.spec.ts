import { expect, it } from 'vitest';
import { scanProblem } from './scannedCode.ts';

it.each([
  ['a pairing link', 'http://gpu-box:47800/#pair_0a1b', null],
  ['the link of a page', 'http://gpu-box:47801/?pair=0a1b', 'This link opens Hangar in a browser.'],
  ['another address', 'https://example.com/', 'This code is not a pairing link.'],
  ['a text', 'WIFI:S:home;;', 'This code is not a pairing link.'],
])('says of %s whether it adds a computer', (_, text, problem) => {
  expect(scanProblem(text)?.slice(0, problem?.length) ?? null).toBe(problem);
});
