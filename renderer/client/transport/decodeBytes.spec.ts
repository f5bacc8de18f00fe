import { expect, it } from 'vitest';
import { bytesOfBase64 } from './decodeBytes.ts';

it('the bytes of base64 are read, with padding, without it and with white space', () => {
  expect([...bytesOfBase64('AP+A7w==')]).toEqual([0, 255, 128, 239]);
  expect([...bytesOfBase64('AP+A7w')]).toEqual([0, 255, 128, 239]);
  expect([...bytesOfBase64('AP+A 7w==')]).toEqual([0, 255, 128, 239]);
  expect([...bytesOfBase64('')]).toEqual([]);
});

it('what is not base64 throws', () => {
  expect(() => bytesOfBase64('{"a": 1}')).toThrow();
});
