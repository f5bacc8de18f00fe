import { expect, it } from 'vitest';
import { processorOf } from './nativePackage.mjs';

/** A header with these numbers at these places. */
function header(start: string, ...numbers: [at: number, value: number][]): Buffer {
  const bytes = Buffer.alloc(256);
  bytes.write(start, 'latin1');
  for (const [at, value] of numbers) bytes.writeUInt32LE(value, at);
  return bytes;
}

it.each<[string, Buffer, string | undefined]>([
  ['Linux, x64', header('\x7fELF', [18, 62]), 'x64'],
  ['Linux, arm64', header('\x7fELF', [18, 183]), 'arm64'],
  ['macOS, x64', header('\xcf\xfa\xed\xfe', [4, 0x0100_0007]), 'x64'],
  ['macOS, arm64', header('\xcf\xfa\xed\xfe', [4, 0x0100_000c]), 'arm64'],
  ['Windows, x64', header('MZ', [0x3c, 128], [132, 0x8664]), 'x64'],
  ['a text', header('#!/bin/sh'), undefined],
])('the processor of a module of %s is read from its header', (_name, module, processor) =>
  expect(processorOf(module)).toBe(processor),
);
