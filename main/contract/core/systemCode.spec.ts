import { expect, test } from 'vitest';
import { expectCode, isMissingFile, readProblem, systemCode } from './systemCode.ts';

const withCode = (code: unknown): Error => Object.assign(new Error('it failed'), { code });

test('only an error has a code, and only as text', () => {
  expect(systemCode(withCode('ENOENT'))).toBe('ENOENT');
  expect(systemCode(withCode(2))).toBeUndefined();
  expect(systemCode({ code: 'ENOENT' })).toBeUndefined();
});

test('an error with another code is thrown again', () => {
  expect(() => expectCode(withCode('ENOENT'), 'EACCES', 'ENOENT')).not.toThrow();
  expect(() => expectCode(withCode('EIO'), 'EACCES', 'ENOENT')).toThrow('it failed');
  expect(() => expectCode(new TypeError('a fault'), 'ENOENT')).toThrow('a fault');
});

test('a file without its folder is missing as well', () => {
  expect(isMissingFile(withCode('ENOTDIR'))).toBe(true);
  expect(isMissingFile(withCode('EACCES'))).toBe(false);
});

test('only an error about the file itself says what to do about the file', () => {
  expect(readProblem(withCode('EACCES'))).toBe('this user may not read it. Change its permissions or its owner');
  expect(readProblem(new SyntaxError('no JSON'))).toBeNull();
});
