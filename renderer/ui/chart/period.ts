/** The periods of the charts of GPUs and Pods. */
import type { GpuPeriod } from '#contract/local/gpuHistory.ts';
import { t } from '../../language/text.ts';

/** In the middle of a sentence. */
export const periodNames: Readonly<Record<GpuPeriod, string>> = {
  '15m': t`the last 15 minutes`,
  '1h': t`the last hour`,
  '6h': t`the last 6 hours`,
  '24h': t`the last 24 hours`,
};

/** Points of the longer periods change slowly. */
const SHORT_MS = 5000;
const LONG_MS = 30_000;

/** How often charts of this period are read again, milliseconds. */
export const refreshMs = (period: GpuPeriod): number => (period === '15m' || period === '1h' ? SHORT_MS : LONG_MS);
