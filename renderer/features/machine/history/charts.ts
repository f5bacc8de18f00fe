/** The charts of a GPU over time: their lines, and their numbers in words. */
import type { GpuHistory, GpuPeriod, GpuPoint } from '#contract/local/gpuHistory.ts';
import type { ChartLine } from '../../../ui/chart/chartLine.ts';
import { formatDuration, formatMemory, formatPercent } from '../../../ui/text/format.ts';
import { t } from '../../../language/text.ts';

type Quantity = 'utilPercent' | 'memoryBytes' | 'powerW' | 'temperatureC';

export interface GpuChart {
  id: Quantity;
  title: string;
  lines: readonly ChartLine[];
  /** The top of the axis, in the unit of the lines; null for the greatest value. */
  full: number | null;
  /** The number of a mark of the axis. */
  format: (value: number) => string;
  /** The whole period in words. */
  summary: string;
  /** A point in words. */
  words: (point: GpuPoint) => string;
}

export const periodNames: Readonly<Record<GpuPeriod, string>> = {
  '15m': t`the last 15 minutes`,
  '1h': t`the last hour`,
  '6h': t`the last 6 hours`,
  '24h': t`the last 24 hours`,
};

const GB = 2 ** 30;
const inGb = (bytes: number | null | undefined): number | null => (bytes == null ? null : bytes / GB);

const formatDegrees = (value: number): string => `${Math.round(value)} °C`;
const formatWatts = (value: number): string => `${Math.round(value)} W`;

export const isMeasured = ({ points }: GpuHistory): boolean =>
  points.some(
    ({ utilPercent, memoryBytes, powerW, temperatureC }) =>
      (utilPercent ?? memoryBytes ?? powerW ?? temperatureC) !== null,
  );

/** The mean of the points, and the greatest value; null where nothing was measured. */
function overall(points: readonly GpuPoint[], of: Quantity): GpuPoint[Quantity] {
  const known = points.flatMap((point) => point[of] ?? []);
  if (known.length === 0) return null;
  const sum = known.reduce((total, { mean }) => total + mean, 0);
  return { mean: sum / known.length, most: Math.max(...known.map(({ most }) => most)) };
}

const wordsOf = (measured: GpuPoint[Quantity], format: (value: number) => string): string => {
  if (measured === null) return t`not measured`;
  const [mean, most] = [format(measured.mean), format(measured.most)];
  return mean === most ? mean : t`${mean} on average, ${most} at most`;
};

/** The charts of what the driver reports. */
export function chartsOf({ points, memoryBytes }: GpuHistory): GpuChart[] {
  const chart = (id: Quantity, title: string, full: number | null, format: (value: number) => string): GpuChart => ({
    id,
    title,
    full,
    format,
    lines: [
      { name: t`most`, shape: 'dashed', tone: 'quiet', values: points.map((point) => point[id]?.most ?? null) },
      { name: t`mean`, shape: 'solid', tone: 'main', values: points.map((point) => point[id]?.mean ?? null) },
    ],
    summary: wordsOf(overall(points, id), format),
    words: (point) => wordsOf(point[id], format),
  });
  const memory = chart('memoryBytes', t`Memory`, memoryBytes / GB, formatMemory);
  const own = (point: GpuPoint): string =>
    point.ownMemoryBytes === null ? '' : t`, ${formatMemory(point.ownMemoryBytes)} of Hangar`;
  const charts: GpuChart[] = [
    chart('utilPercent', t`Load`, 100, formatPercent),
    {
      ...memory,
      // In GB of 2^30 bytes, so that the axis has round marks.
      format: (value) => formatMemory(value * GB),
      lines: [
        { name: t`own`, shape: 'dashed', tone: 'quiet', values: points.map((point) => inGb(point.ownMemoryBytes)) },
        { name: t`all`, shape: 'solid', tone: 'main', values: points.map((point) => inGb(point.memoryBytes?.mean)) },
      ],
      words: (point) => `${memory.words(point)}${point.memoryBytes === null ? '' : own(point)}`,
    },
    chart('powerW', t`Power`, null, formatWatts),
    chart('temperatureC', t`Temperature`, 100, formatDegrees),
  ];
  return charts.filter(({ id }) => points.some((point) => point[id] !== null));
}

/** "draw: 45 min, up to 14.0 GB". At a point without the time. */
export function userWords({ kind, name, memoryBytes, ms }: GpuPoint['users'][number] & { ms?: number }): string {
  const facts = [
    ...(ms === undefined ? [] : [formatDuration(ms)]),
    ...(memoryBytes === null
      ? []
      : [ms === undefined ? formatMemory(memoryBytes) : t`up to ${formatMemory(memoryBytes)}`]),
  ];
  const title = kind === 'pod' ? t`Pod ${name}` : name;
  return facts.length === 0 ? title : `${title} (${facts.join(', ')})`;
}
