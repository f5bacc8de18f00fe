import { expect, test } from 'vitest';
import { isLoopbackName } from './otherComputer.ts';

test.each([
  ['localhost', true],
  ['hangar.localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['10.254.3.2', false],
  ['box.lan', false],
  ['localhost.example.com', false],
])('the host name %s leads each computer to itself: %s', (hostname, is) => expect(isLoopbackName(hostname)).toBe(is));
