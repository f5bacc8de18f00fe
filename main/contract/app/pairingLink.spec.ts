import { expect, it } from 'vitest';
import { pairingLink, readPairingLink } from './pairingLink.ts';

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
