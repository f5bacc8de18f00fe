/** The charts of a Pod over time: their lines, and their numbers in words. */
import type { PodMetrics, PodPoint } from '#contract/local/podMetrics.ts';
import type { GridChart } from '../../../ui/chart/ChartGrid.tsx';
import { memoryMark } from '../../../ui/chart/axisText.ts';
import { GB, inGb, meanAndMost, measuredWords, overallOf } from '../../../ui/chart/measured.ts';
import { formatMemory, formatPercent } from '../../../ui/text/format.ts';
import { joinFacts } from '../../../language/sentences.ts';
import { t } from '../../../language/text.ts';

type Quantity = 'cpuPercent' | 'memoryBytes' | 'gpuPercent' | 'gpuMemoryBytes';

export const isMeasured = ({ points }: PodMetrics): boolean =>
  points.some(
    ({ cpuPercent, memoryBytes, gpuPercent, gpuMemoryBytes }) =>
      (cpuPercent ?? memoryBytes ?? gpuPercent ?? gpuMemoryBytes) !== null,
  );

/** A chart up to the limit of the memory would look empty below this part of it. */
const LEAST_OF_LIMIT = 0.1;

const ofLimit = (limitBytes: number | null): string | null =>
  limitBytes === null ? null : t`of ${formatMemory(limitBytes)}`;

/** The charts of what was measured. */
export function chartsOf(metrics: PodMetrics): GridChart[] {
  const { points, memoryLimitBytes, gpuMemoryLimitBytes } = metrics;
  const percent = (id: Quantity, title: string): GridChart => ({
    id,
    title,
    full: 100,
    format: formatPercent,
    lines: meanAndMost(points.map((point) => point[id])),
    summary: measuredWords(overallOf(points.map((point) => point[id])), formatPercent),
    words: (index) => measuredWords(points[index]?.[id] ?? null, formatPercent),
  });
  const memory = (id: Quantity, title: string, limitBytes: number | null): GridChart => ({
    ...percent(id, title),
    full:
      limitBytes !== null && (overallOf(points.map((point) => point[id]))?.most ?? 0) > limitBytes * LEAST_OF_LIMIT
        ? limitBytes / GB
        : null,
    format: memoryMark,
    lines: meanAndMost(points.map((point) => point[id])).map((line) => ({ ...line, values: line.values.map(inGb) })),
    summary: joinFacts(measuredWords(overallOf(points.map((point) => point[id])), formatMemory), ofLimit(limitBytes)),
    words: (index) => measuredWords(points[index]?.[id] ?? null, formatMemory),
  });
  const gpuMemory = memory('gpuMemoryBytes', t`GPU memory`, gpuMemoryLimitBytes);
  const hasOwn = points.some(({ ownGpuMemoryBytes }) => ownGpuMemoryBytes !== null);
  const own = (point: PodPoint | undefined): string | null =>
    point?.gpuMemoryBytes == null || point.ownGpuMemoryBytes === null
      ? null
      : t`${formatMemory(point.ownGpuMemoryBytes)} by this Pod`;
  const charts = [
    percent('cpuPercent', t`CPU`),
    memory('memoryBytes', t`Memory`, memoryLimitBytes),
    percent('gpuPercent', t`GPU`),
    hasOwn
      ? {
          ...gpuMemory,
          lines: [
            {
              name: t`own`,
              shape: 'dashed' as const,
              tone: 'quiet' as const,
              values: points.map((point) => inGb(point.ownGpuMemoryBytes)),
            },
            {
              name: t`all`,
              shape: 'solid' as const,
              tone: 'main' as const,
              values: points.map((point) => inGb(point.gpuMemoryBytes?.mean)),
            },
          ],
          words: (index: number) => joinFacts(gpuMemory.words(index), own(points[index])),
        }
      : gpuMemory,
  ];
  return charts.filter(({ lines }) => lines.some(({ values }) => values.some((value) => value !== null)));
}
