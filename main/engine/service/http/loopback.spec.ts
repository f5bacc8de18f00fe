/** Which connections count as those of this machine. */
import { expect, test } from 'vitest';
import { cameOverLoopback } from './loopback.ts';

const from = (remoteAddress: string | undefined): boolean =>
  cameOverLoopback({ socket: remoteAddress === undefined ? {} : { remoteAddress } });

test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', '::FFFF:127.0.0.1'])('%s is loopback', (address) => {
  expect(from(address)).toBe(true);
});

test.each([
  '10.0.0.7',
  '192.168.127.1',
  '::ffff:10.127.0.1',
  '::ffff:192.0.2.1',
  '::127.0.0.1',
  'fe80::1',
  '2001:db8::1',
  '1127.0.0.1',
  '127.0.0.1.example',
  undefined,
])('%s is not', (address) => {
  expect(from(address)).toBe(false);
});
