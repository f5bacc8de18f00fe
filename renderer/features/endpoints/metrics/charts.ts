/** The charts of an endpoint's metrics: their lines, and their numbers in words. */
import type { ShownMetrics, ShownSums } from '#contract/app/endpointReadModels.ts';
import type { MetricPeriod } from '#contract/local/metrics.ts';
import { endedRuns } from '../../../ui/endpoint/endedRuns.ts';
import type { ChartLine } from '../../../ui/chart/chartLine.ts';
import { durationDistances } from '../../../ui/chart/axisMarks.ts';
import { durationMark, type AxisFormat } from '../../../ui/chart/axisText.ts';
import { formatCount } from '../../../ui/text/format.ts';
import { formatEstimate, formatMoney } from '../../../ui/text/money.ts';
import { formatTime } from './text.ts';
import { counted, t } from '../../../language/text.ts';

export interface MetricChart {
  id: 'jobs' | 'execution' | 'delay' | 'workers' | 'cost';
  title: string;
  lines: readonly ChartLine[];
  /** The number of a mark of the axis. */
  format: AxisFormat;
  /** The distances that marks of values may have, from small to large; absent for the usual ones. */
  distances?: readonly number[];
  /** A span of time in words: "201 done, 3 failed". */
  words: (sums: ShownSums) => string;
}

export const periodNames: Readonly<Record<MetricPeriod, string>> = {
  '1h': t`the last hour`,
  '24h': t`the last 24 hours`,
  '7d': t`the last 7 days`,
  '30d': t`the last 30 days`,
};

export const failedOf = ({ failed, timedOut }: ShownSums): number => failed + timedOut;

const NONE = t`none`;

/** "201 done, 3 failed, 1 cancelled". */
function jobWords(sums: ShownSums): string {
  const { completed, cancelled } = sums;
  const failed = failedOf(sums);
  const words = [
    ...(completed > 0 ? [t`${formatCount(completed)} done`] : []),
    ...(failed > 0 ? [t`${formatCount(failed)} failed`] : []),
    ...(cancelled > 0 ? [t`${formatCount(cancelled)} cancelled`] : []),
  ];
  return words.length === 0 ? NONE : words.join(', ');
}

const percentileWords = (times: ShownSums['delay']): string =>
  times === null ? NONE : t`p50 about ${formatTime(times.p50)}, p95 about ${formatTime(times.p95)}`;

const formatMean = (workers: number): string => String(Math.round(workers * 10) / 10);

/** The most workers at the same time; 0 where nobody knows. */
export const mostWorkers = ({ workers }: ShownSums): number => workers?.most ?? 0;

function workerWords({ workers }: ShownSums): string {
  if (workers === null || workers.most === 0) return NONE;
  const { mean, most } = workers;
  return t`${mean > 0 && mean < 0.05 ? t`below 0.1` : formatMean(mean)} on average, ${formatCount(most)} at most`;
}

/** The share of failed jobs: "1.5 % failed", "none failed". */
function failedWords(failed: number, all: number): string {
  if (failed === 0) return t`none failed`;
  const percent = (100 * failed) / all;
  return t`${percent < 0.1 ? t`below 0.1` : percent < 10 ? percent.toFixed(1).replace('.0', '') : Math.round(percent)} % failed`;
}

/** "204 runs, 1.5 % failed, p95 about 9.8 s". A job that ran again has one run more. */
export function summaryOf(total: ShownSums): string {
  const runs = endedRuns(total);
  const { execution } = total;
  return [
    counted(runs, '{0} run', '{0} runs', formatCount(runs)),
    failedWords(failedOf(total), runs),
    ...(execution ? [t`p95 about ${formatTime(execution.p95)}`] : []),
  ].join(', ');
}

/** Whether nothing happened in a span of time. */
export const isEmpty = (sums: ShownSums): boolean =>
  endedRuns(sums) + sums.accepted + mostWorkers(sums) + (sums.cost ?? 0) === 0;

/**
 * Metrics from the ledger with an estimate of the cost: what the run time of their jobs cost at this rate. `rate`: US
 * dollars for each millisecond; undefined if it is not known.
 */
export function withEstimate(metrics: ShownMetrics, rate: number | undefined): ShownMetrics {
  if (metrics.ledger === null || rate === undefined) return metrics;
  const estimated = <Sums extends ShownSums>(sums: Sums): Sums => ({ ...sums, cost: (sums.executionMs ?? 0) * rate });
  return { ...metrics, total: estimated(metrics.total), points: metrics.points.map(estimated) };
}

const positive = (value: number): number | null => (value > 0 ? value : null);

/** The charts with something to show. */
export function chartsOf({ points, total, ledger }: ShownMetrics): MetricChart[] {
  const line = (
    name: string,
    shape: ChartLine['shape'],
    tone: ChartLine['tone'],
    of: (sums: ShownSums) => number | null,
  ): ChartLine => ({ name, shape, tone, values: points.map(of) });
  const percentiles = (of: 'execution' | 'delay'): ChartLine[] => [
    line(t`p95`, 'dashed', 'quiet', (sums) => sums[of]?.p95 ?? null),
    line(t`p50`, 'solid', 'main', (sums) => sums[of]?.p50 ?? null),
  ];
  const charts: (MetricChart & { isShown: boolean })[] = [
    {
      id: 'jobs',
      title: t`Jobs`,
      isShown: endedRuns(total) > 0,
      lines: [
        line(t`failed`, 'bars', 'bad', (sums) => (failedOf(sums) > 0 ? sums.completed + failedOf(sums) : null)),
        line(t`done`, 'bars', 'main', ({ completed }) => positive(completed)),
      ],
      // Jobs are whole: a mark of the axis between two numbers is rounded.
      format: (value) => formatCount(Math.round(value)),
      words: jobWords,
    },
    {
      id: 'execution',
      title: t`Run time`,
      isShown: total.execution !== null,
      lines: percentiles('execution'),
      format: durationMark,
      distances: durationDistances,
      words: ({ execution }) => percentileWords(execution),
    },
    {
      id: 'delay',
      title: t`Queue delay`,
      isShown: total.delay !== null,
      lines: percentiles('delay'),
      format: durationMark,
      distances: durationDistances,
      words: ({ delay }) => percentileWords(delay),
    },
    {
      id: 'workers',
      title: t`Workers`,
      isShown: mostWorkers(total) > 0,
      lines: [
        line(t`max`, 'dashed', 'quiet', ({ workers }) => workers?.most ?? null),
        line(t`avg`, 'solid', 'main', ({ workers }) => workers?.mean ?? null),
      ],
      format: formatMean,
      words: workerWords,
    },
    {
      id: 'cost',
      title: ledger ? t`Estimated cost of the run time` : t`Cost`,
      isShown: (total.cost ?? 0) > 0,
      lines: [line(t`cost`, 'bars', 'main', ({ cost }) => positive(cost ?? 0))],
      format: formatMoney,
      words: ({ cost }) => (!cost ? NONE : ledger ? formatEstimate(cost) : formatMoney(cost)),
    },
  ];
  return charts.filter(({ isShown }) => isShown);
}
