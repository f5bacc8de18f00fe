import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gpuIdsOf, gpuPools, gpuTypesOf } from './pools.ts';

test('a pool stands for its types, and one with a minus is left out', () => {
  expect(gpuTypesOf('ADA_24')).toEqual(['NVIDIA GeForce RTX 4090']);
  expect(gpuTypesOf(' AMPERE_24 , -NVIDIA L4,NVIDIA L4, NVIDIA A2')).toEqual([
    'NVIDIA RTX A5000',
    'NVIDIA GeForce RTX 3090',
    'NVIDIA A2',
  ]);
  expect(gpuTypesOf('')).toEqual([]);
});

test('a pool that there is not, and a line that leaves nothing, are refused in words', () => {
  expect(() => gpuTypesOf('VOLTA_16')).toThrow(/"VOLTA_16" is no pool.*AMPERE_16/);
  expect(() => gpuTypesOf('ADA_24,-NVIDIA GeForce RTX 4090')).toThrow(/leaves out every/);
});

test('what is read and sent back is the same list of types', () => {
  const names = [...Object.keys(gpuPools), ...Object.values(gpuPools).flat(), 'CPU', 'NVIDIA A2'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...names)), (line) => {
      const types = gpuTypesOf(line.join(','));
      expect(gpuTypesOf(gpuIdsOf(types))).toEqual(types);
    }),
  );
  expect(gpuIdsOf(gpuTypesOf('AMPERE_48,NVIDIA L4,ADA_24'))).toBe('AMPERE_48,NVIDIA L4,ADA_24');
});
