/**
 * What the vendors publish about GPUs. Each row names the publication that its numbers are from. A number that the
 * publication does not have is null.
 */
import { t } from '../../../language/text.ts';

export interface GpuSpec {
  /** The names by which drivers and services know the GPU. */
  readonly names: readonly string[];
  /** GB. Two GPUs of one name may differ only in it. */
  readonly memoryGb: number;
  /** Of its memory, in GB (10^9 bytes) per second. */
  readonly bandwidth: number | null;
  /**
   * Tensor cores with FP16 input, summed in FP32, without sparsity. Publications that have only the number with
   * sparsity give half of it here, and those that have only FP8 with sparsity a quarter: the vendor doubles for each.
   */
  readonly fp16Tflops: number | null;
  readonly fp32Tflops: number | null;
  /** The most that the board takes, in watts. */
  readonly watts: number | null;
  readonly source: string;
}

const row = (
  names: readonly string[],
  memoryGb: number,
  bandwidth: number | null,
  fp16Tflops: number | null,
  fp32Tflops: number | null,
  watts: number | null,
  source: string,
): GpuSpec => ({ names, memoryGb, bandwidth, fp16Tflops, fp32Tflops, watts, source });

const sheet = (name: string): string => t`${name} datasheet`;
const paper = (name: string): string => t`${name} architecture whitepaper`;

const H100 = sheet('NVIDIA H100 Tensor Core GPU');
const H200 = sheet('NVIDIA H200 Tensor Core GPU');
const A100 = sheet('NVIDIA A100 Tensor Core GPU');
const A100_SMALL = sheet('NVIDIA A100 40GB');
const V100 = sheet('NVIDIA V100 Tensor Core GPU');
const AMPERE = paper('NVIDIA Ampere GA102 GPU');
const ADA = paper('NVIDIA Ada GPU');
const BLACKWELL = paper('NVIDIA RTX Blackwell GPU');

/** Names, memory, bandwidth, FP16, FP32, watts, source. */
export const GPU_SPECS: readonly GpuSpec[] = [
  row(['NVIDIA B200'], 180, 8000, 2250, null, 1000, t`NVIDIA HGX B200 and DGX B200 datasheets`),
  row(['NVIDIA H200', 'H200 SXM'], 141, 4800, 989, 67, 700, H200),
  row(['NVIDIA H200 NVL'], 141, 4800, 835, 60, 600, H200),
  row(['NVIDIA H100 80GB HBM3', 'H100 SXM', 'H100 SXM5'], 80, 3350, 989, 67, 700, H100),
  row(['NVIDIA H100 PCIe'], 80, 2000, 756, 51, 350, H100),
  row(['NVIDIA H100 NVL'], 94, 3900, 835, 60, 400, H100),
  row(['NVIDIA A100-SXM4-80GB', 'A100 SXM'], 80, 2039, 312, 19.5, 400, A100),
  row(['NVIDIA A100 80GB PCIe', 'A100 PCIe'], 80, 1935, 312, 19.5, 300, A100),
  row(['NVIDIA A100-SXM4-40GB'], 40, 1555, 312, 19.5, 400, A100_SMALL),
  row(['NVIDIA A100-PCIE-40GB'], 40, 1555, 312, 19.5, 250, A100_SMALL),
  row(['Tesla V100-SXM2-16GB'], 16, 900, 125, 15.7, 300, V100),
  row(['Tesla V100-SXM2-32GB'], 32, 900, 125, 15.7, 300, V100),
  row(['Tesla V100-PCIE-16GB'], 16, 900, 112, 14, 250, V100),
  row(['Tesla V100-PCIE-32GB'], 32, 900, 112, 14, 250, V100),
  row(['NVIDIA L40S'], 48, 864, 362.05, 91.6, 350, sheet('NVIDIA L40S')),
  row(['NVIDIA L40'], 48, 864, 181.05, 90.5, 300, sheet('NVIDIA L40')),
  row(['NVIDIA L4'], 24, 300, 121, 30.3, 72, sheet('NVIDIA L4')),
  row(['NVIDIA A40'], 48, 696, 149.7, 37.4, 300, sheet('NVIDIA A40')),
  row(['NVIDIA A30'], 24, 933, 165, 10.3, 165, sheet('NVIDIA A30')),
  row(['NVIDIA A10'], 24, 600, 125, 31.2, 150, sheet('NVIDIA A10')),
  row(['NVIDIA A2'], 16, 200, 18, 4.5, 60, sheet('NVIDIA A2')),
  row(['Tesla T4'], 16, null, 65, 8.1, 70, sheet('NVIDIA T4')),
  row(['NVIDIA GeForce RTX 5090'], 32, 1792, 209.5, 104.8, 575, BLACKWELL),
  row(['NVIDIA GeForce RTX 5080'], 16, 960, 112.6, 56.3, 360, BLACKWELL),
  row(['NVIDIA GeForce RTX 4090'], 24, 1008, 165.2, 82.6, 450, ADA),
  row(['NVIDIA GeForce RTX 4080'], 16, 716.8, 97.5, 48.7, 320, ADA),
  row(['NVIDIA GeForce RTX 4070 Ti'], 12, 504.2, 80.2, 40.1, 285, ADA),
  row(['NVIDIA GeForce RTX 3090 Ti'], 24, 1008, 80, 40, 450, ADA),
  row(['NVIDIA GeForce RTX 3090'], 24, 936, 71, 35.6, 350, AMPERE),
  row(['NVIDIA GeForce RTX 3080'], 10, 760, 59.5, 29.8, 320, AMPERE),
  row(['NVIDIA GeForce RTX 3070'], 8, 448, 40.6, 20.3, 220, AMPERE),
  row(['NVIDIA RTX 6000 Ada Generation'], 48, 960, 364.2, 91.1, 300, sheet('NVIDIA RTX 6000 Ada Generation')),
  row(['NVIDIA RTX 5000 Ada Generation'], 32, 576, 261.1, 65.3, 250, sheet('NVIDIA RTX 5000 Ada Generation')),
  row(['NVIDIA RTX 4500 Ada Generation'], 24, 432, 158.5, 39.6, 210, sheet('NVIDIA RTX 4500 Ada Generation')),
  row(['NVIDIA RTX 4000 Ada Generation'], 20, 360, 106.9, 26.7, 130, sheet('NVIDIA RTX 4000 Ada Generation')),
  row(['NVIDIA RTX 2000 Ada Generation'], 16, 224, 48, 12, 70, sheet('NVIDIA RTX 2000 Ada Generation')),
  row(['NVIDIA RTX A6000'], 48, 768, 154.8, 38.7, 300, sheet('NVIDIA RTX A6000')),
  row(['NVIDIA RTX A5000'], 24, 768, 111.1, 27.8, 230, sheet('NVIDIA RTX A5000')),
  row(['NVIDIA RTX A4500'], 20, 640, 94.6, 23.7, 200, sheet('NVIDIA RTX A4500')),
  row(['NVIDIA RTX A4000'], 16, 448, 76.7, 19.2, 140, sheet('NVIDIA RTX A4000')),
  row(['AMD Instinct MI325X', 'AMD Instinct MI325X OAM'], 256, 6000, 1307.4, 163.4, 1000, sheet('AMD Instinct MI325X')),
  row(['AMD Instinct MI300X', 'AMD Instinct MI300X OAM'], 192, 5300, 1307.4, 163.4, 750, sheet('AMD Instinct MI300X')),
  row(['AMD Instinct MI250X'], 128, 3276.8, 383, 47.9, 560, sheet('AMD Instinct MI250X')),
  row(['AMD Instinct MI210'], 64, 1638.4, 181, 22.6, 300, sheet('AMD Instinct MI210')),
];
