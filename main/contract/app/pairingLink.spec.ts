import { expect, it } from 'vitest';
import { isPageLink, pairingLink, readPairingLink } from './pairingLink.ts';

it('a pairing link is read as it was written', () => {
  const link = pairingLink('http://192.168.1.7:47800/', 'pair_0a1b');
  expect(link).toBe('http://192.168.1.7:47800/#pair_0a1b');
  expect(readPairingLink(` ${link}\n`)).toEqual({ address: 'http://192.168.1.7:47800', code: 'pair_0a1b' });
});

it.each([
  '',
  'pair_0a1b',
  'http://far:47800',
  'http://far/#rpa_key',
  'file:///x#pair_0a',
  'http://far/#pair_0a#b',
  '#pair_0a',
])('%j is no pairing link', (text) => {
  expect(readPairingLink(text)).toBeNull();
});

it.each([
  [' http://far:47801/?pair=0a1b ', true],
  ['https://far/?x=1&pair=0a1b', true],
  ['http://far:47800', false],
  ['http://far:47800/#pair_0a1b', false],
  ['far?pair=0a1b', false],
  ['', false],
])('of %j it is %s that it opens the page', (text, opens) => {
  expect(isPageLink(text)).toBe(opens);
});
