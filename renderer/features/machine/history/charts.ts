/** The charts of a GPU and of the processor over time: their lines, and their numbers in words. */
import type { GpuHistory, GpuPoint } from '#contract/local/gpuHistory.ts';
import type { ProcessorHistory } from '#contract/local/machine.ts';
import type { GridChart } from '../../../ui/chart/ChartGrid.tsx';
import { memoryMark } from '../../../ui/chart/axisText.ts';
import { GB, inGb, meanAndMost, measuredWords, overallOf, type Measured } from '../../../ui/chart/measured.ts';
import { formatDuration, formatMemory, formatPercent } from '../../../ui/text/format.ts';
import { joinFacts } from '../../../language/sentences.ts';
import { t } from '../../../language/text.ts';

type Quantity = 'utilPercent' | 'memoryBytes' | 'powerW' | 'temperatureC';

export interface GpuChart extends GridChart {
  id: Quantity;
}

const formatDegrees = (value: number): string => `${Math.round(value)} °C`;
const formatWatts = (value: number): string => `${Math.round(value)} W`;

/** The charts of what the driver reports; none where nothing was measured. */
export function chartsOf({ points, memoryBytes }: GpuHistory): GpuChart[] {
  const chart = (id: Quantity, title: string, full: number | null, format: (value: number) => string): GpuChart => ({
    id,
    title,
    full,
    format,
    lines: meanAndMost(points.map((point) => point[id])),
    summary: measuredWords(overallOf(points.map((point) => point[id])), format),
    words: (index) => measuredWords(points[index]?.[id] ?? null, format),
  });
  const memory = chart('memoryBytes', t`Memory`, memoryBytes / GB, formatMemory);
  const own = (point: GpuPoint | undefined): string | null =>
    point?.memoryBytes == null || point.ownMemoryBytes === null
      ? null
      : t`${formatMemory(point.ownMemoryBytes)} of Hangar`;
  const charts: GpuChart[] = [
    chart('utilPercent', t`Load`, 100, formatPercent),
    {
      ...memory,
      format: memoryMark,
      lines: [
        { name: t`own`, shape: 'dashed', tone: 'quiet', values: points.map((point) => inGb(point.ownMemoryBytes)) },
        { name: t`all`, shape: 'solid', tone: 'main', values: points.map((point) => inGb(point.memoryBytes?.mean)) },
      ],
      words: (index) => joinFacts(memory.words(index), own(points[index])),
    },
    chart('temperatureC', t`Temperature`, 100, formatDegrees),
    chart('powerW', t`Power`, null, formatWatts),
  ];
  return charts.filter(({ id }) => points.some((point) => point[id] !== null));
}

/** The charts of load and memory; none where nothing was measured. `memoryBytes`: what the computer has. */
export function processorChartsOf({ points }: ProcessorHistory, memoryBytes: number): GridChart[] {
  const ofMemory = points.map((point) => point.memoryBytes);
  const ofLoad = points.map((point) => point.loadPercent);
  const chart = (id: string, title: string, values: readonly Measured[], format: (value: number) => string) => ({
    id,
    title,
    lines: meanAndMost(values),
    summary: measuredWords(overallOf(values), format),
    words: (index: number) => measuredWords(values[index] ?? null, format),
  });
  const memory = chart('memoryBytes', t`Memory`, ofMemory, formatMemory);
  const charts: GridChart[] = [
    { ...chart('loadPercent', t`Load`, ofLoad, formatPercent), full: 100, format: formatPercent },
    {
      ...memory,
      lines: memory.lines.map((line) => ({ ...line, values: line.values.map(inGb) })),
      full: memoryBytes / GB,
      format: memoryMark,
    },
  ];
  return charts.filter(({ lines }) => lines.some(({ values }) => values.some((value) => value !== null)));
}

/** " (45 min, up to 14.0 GB)". At a point without the time; empty if nothing is known. */
export function measuredFacts({
  memoryBytes,
  ms,
}: Pick<GpuPoint['users'][number], 'memoryBytes'> & { ms?: number }): string {
  const facts = [
    ...(ms === undefined ? [] : [formatDuration(ms)]),
    ...(memoryBytes === null
      ? []
      : [ms === undefined ? formatMemory(memoryBytes) : t`up to ${formatMemory(memoryBytes)}`]),
  ];
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
}
