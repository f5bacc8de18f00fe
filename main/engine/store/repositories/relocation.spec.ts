import { expect, it } from 'vitest';
import { relocatedAddress } from './relocation.ts';

it.each([
  ['file:///old/data/examples/a%20b', 'file:///new/examples/a%20b'],
  ['file:///older/examples/c', 'file:///new/examples/c'],
  ['file:///old/database/c', null],
  ['file:///home/ada/handler', null],
  ['me/image:1', null],
])('the address %s becomes %s', (address, expected) => {
  expect(relocatedAddress(address, ['/older', '/old/data'], '/new')).toBe(expected);
});
