/** Lines and words of measurements that are a mean and a greatest value. */
import type { ChartLine } from './chartLine.ts';
import { t } from '../../language/text.ts';

/** Null: not measured. */
export type Measured = { mean: number; most: number } | null;

/** The mean of all, and the greatest value; null where nothing was measured. */
export function overallOf(values: readonly Measured[]): Measured {
  const known = values.flatMap((value) => value ?? []);
  if (known.length === 0) return null;
  const sum = known.reduce((total, { mean }) => total + mean, 0);
  return { mean: sum / known.length, most: Math.max(...known.map(({ most }) => most)) };
}

export function measuredWords(measured: Measured, format: (value: number) => string): string {
  if (measured === null) return t`not measured`;
  const [mean, most] = [format(measured.mean), format(measured.most)];
  return mean === most ? mean : t`${mean} on average, ${most} at most`;
}

/** A dashed line of the greatest values, and a line of the means. */
export const meanAndMost = (values: readonly Measured[]): ChartLine[] => [
  { name: t`max`, shape: 'dashed', tone: 'quiet', values: values.map((value) => value?.most ?? null) },
  { name: t`avg`, shape: 'solid', tone: 'main', values: values.map((value) => value?.mean ?? null) },
];

export const GB = 2 ** 30;
/** Memory on an axis: in GB of 2^30 bytes, so that it has round marks. */
export const inGb = (bytes: number | null | undefined): number | null => (bytes == null ? null : bytes / GB);
