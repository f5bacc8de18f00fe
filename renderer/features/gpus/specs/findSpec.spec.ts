import { describe, expect, it } from 'vitest';
import { findSpec } from './findSpec.ts';
import { GPU_SPECS } from './specTable.ts';

describe('the published numbers of a GPU', () => {
  it.each([
    ['NVIDIA GeForce RTX 4090', 'RTX 4090', 24, 1008],
    ['NVIDIA H100 80GB HBM3', 'H100 SXM', 80, 3350],
    ['NVIDIA H100 PCIe', 'H100 PCIe', 80, 2000],
    // An own machine reports less than what is sold.
    ['NVIDIA L4', 'L4', 22, 300],
    ['AMD Instinct MI300X OAM', 'MI300X', 192, 5300],
    ['own-id-17', 'RTX A6000', 48, 768],
  ])('of %s are found by its id or its name', (id, name, memoryInGb, bandwidth) => {
    expect(findSpec({ id, name, memoryInGb })).toMatchObject({ bandwidth });
  });

  it('are those of the GPU with the same memory', () => {
    expect(findSpec({ id: 'x', name: 'A100 PCIe', memoryInGb: 40 })).toBeNull();
    expect(findSpec({ id: 'NVIDIA A100-PCIE-40GB', name: 'A100 PCIe', memoryInGb: 40 })).toMatchObject({ watts: 250 });
    expect(findSpec({ id: 'NVIDIA GeForce RTX 3080', name: 'RTX 3080', memoryInGb: 12 })).toBeNull();
  });

  it('are unknown for a similar name', () => {
    for (const name of ['RTX 4090 D', 'L40G', 'RTX 6000', 'Quadro']) {
      expect(findSpec({ id: name, name, memoryInGb: 0 }), name).toBeNull();
    }
  });

  it('each name their source, and no name stands for two GPUs', () => {
    const names = GPU_SPECS.flatMap((spec) => spec.names);
    expect(new Set(names).size).toBe(names.length);
    for (const { names: ofOne, source, fp16Tflops, fp32Tflops, bandwidth, watts } of GPU_SPECS) {
      expect(source, ofOne[0]).toMatch(/datasheet|whitepaper/);
      for (const value of [fp16Tflops, fp32Tflops, bandwidth, watts]) expect(value ?? 1).toBeGreaterThan(0);
      expect(fp16Tflops ?? Infinity, ofOne[0]).toBeGreaterThan(fp32Tflops ?? 0);
    }
  });
});
