import fc from 'fast-check';
import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isEveryNetwork, isLoopbackConnection, isLoopbackHost, isLoopbackName, reachableHost } from './hosts.ts';

describe('a loopback host', () => {
  it.each(['localhost', 'LocalHost', '127.0.0.1', '127.255.0.9', '::1', '[::1]'])('is %s', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
    expect(isLoopbackName(host)).toBe(true);
  });

  it.each([
    '127.example.com',
    '127.0.0.1.example.com',
    '127.0.0.256',
    '127.0.0',
    '127.0.0.1:80',
    'localhost.example.com',
    'notlocalhost',
    '.localhost',
    '[127.0.0.1]',
    '::ffff:127.0.0.1',
    '10.0.0.1',
    '0.0.0.0',
    '::',
    'box.lan',
    '',
  ])('is not "%s"', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
    expect(isLoopbackName(host)).toBe(false);
  });

  it('is an IPv4 address as Node reads it', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300), { minLength: 2, maxLength: 4 }), (parts) => {
        const host = `127.${parts.join('.')}`;
        expect(isLoopbackHost(host)).toBe(isIP(host) === 4);
      }),
    );
  });

  it('has names below localhost, which are no bare hosts', () => {
    expect(isLoopbackName('hangar-1.localhost')).toBe(true);
    expect(isLoopbackHost('hangar-1.localhost')).toBe(false);
  });
});

it.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::FFFF:127.8.0.1', true],
  ['::ffff:10.0.0.1', false],
  ['10.0.0.1', false],
  ['localhost', false],
  ['', false],
])('a connection from "%s" came over loopback: %s', (address, is) => expect(isLoopbackConnection(address)).toBe(is));

it.each([
  ['0.0.0.0', true, '127.0.0.1'],
  ['::', true, '[::1]'],
  ['::1', false, '[::1]'],
  ['fe80::1', false, '[fe80::1]'],
  ['127.0.0.1', false, '127.0.0.1'],
  ['box.lan', false, 'box.lan'],
])('a server that listens on %s: in all networks: %s, and is reached at %s', (host, isEvery, reached) => {
  expect(isEveryNetwork(host)).toBe(isEvery);
  expect(reachableHost(host)).toBe(reached);
});
