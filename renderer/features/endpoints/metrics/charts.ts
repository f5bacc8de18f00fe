/** The charts of an endpoint's metrics: their lines, and their numbers in words. */
import type { EndpointMetrics, MetricPeriod, MetricSumsAnswer } from '#contract/local/metrics.ts';
import type { ChartLine } from '../../../ui/chart/chartLine.ts';
import { formatCount } from '../../../ui/text/format.ts';
import { formatMoney } from '../../../ui/text/money.ts';
import { formatTime } from './text.ts';
import { counted, t } from '../../../language/text.ts';

export interface MetricChart {
  id: 'jobs' | 'execution' | 'delay' | 'workers' | 'cost';
  title: string;
  lines: readonly ChartLine[];
  /** The number of a mark of the axis. */
  format: (value: number) => string;
  /** A span of time in words: "201 done, 3 failed". */
  words: (sums: MetricSumsAnswer) => string;
}

export const periodNames: Readonly<Record<MetricPeriod, string>> = {
  '1h': t`the last hour`,
  '24h': t`the last 24 hours`,
  '7d': t`the last 7 days`,
  '30d': t`the last 30 days`,
};

export const failedOf = ({ failed, timedOut }: MetricSumsAnswer): number => failed + timedOut;
export const endedOf = (sums: MetricSumsAnswer): number => sums.completed + failedOf(sums) + sums.cancelled;

const NONE = t`none`;

/** "201 done, 3 failed, 1 cancelled". */
function jobWords(sums: MetricSumsAnswer): string {
  const { completed, cancelled } = sums;
  const failed = failedOf(sums);
  const words = [
    ...(completed > 0 ? [t`${formatCount(completed)} done`] : []),
    ...(failed > 0 ? [t`${formatCount(failed)} failed`] : []),
    ...(cancelled > 0 ? [t`${formatCount(cancelled)} cancelled`] : []),
  ];
  return words.length === 0 ? NONE : words.join(', ');
}

const percentileWords = (times: MetricSumsAnswer['delay']): string =>
  times === null ? NONE : t`p50 about ${formatTime(times.p50)}, p95 about ${formatTime(times.p95)}`;

const formatMean = (workers: number): string => String(Math.round(workers * 10) / 10);

const workerWords = ({ workers: { mean, most } }: MetricSumsAnswer): string =>
  most === 0
    ? NONE
    : t`${mean > 0 && mean < 0.05 ? t`below 0.1` : formatMean(mean)} on average, ${formatCount(most)} at most`;

/** The share of failed jobs: "1.5 % failed", "none failed". */
function failedWords(failed: number, all: number): string {
  if (failed === 0) return t`none failed`;
  const percent = (100 * failed) / all;
  return t`${percent < 0.1 ? t`below 0.1` : percent < 10 ? percent.toFixed(1).replace('.0', '') : Math.round(percent)} % failed`;
}

/** "204 jobs, 1.5 % failed, p95 about 9.8 s". */
export function summaryOf(total: MetricSumsAnswer): string {
  const jobs = endedOf(total);
  const { execution } = total;
  return [
    counted(jobs, '{0} job', '{0} jobs', formatCount(jobs)),
    failedWords(failedOf(total), jobs),
    ...(execution ? [t`p95 about ${formatTime(execution.p95)}`] : []),
  ].join(', ');
}

/** Whether nothing happened in a span of time. */
export const isEmpty = (sums: MetricSumsAnswer): boolean =>
  endedOf(sums) + sums.accepted + sums.workers.most + sums.cost === 0;

const positive = (value: number): number | null => (value > 0 ? value : null);

/** The charts with something to show. */
export function chartsOf({ points, total }: EndpointMetrics): MetricChart[] {
  const line = (
    name: string,
    shape: ChartLine['shape'],
    tone: ChartLine['tone'],
    of: (sums: MetricSumsAnswer) => number | null,
  ): ChartLine => ({ name, shape, tone, values: points.map(of) });
  const percentiles = (of: 'execution' | 'delay'): ChartLine[] => [
    line(t`p95`, 'dashed', 'quiet', (sums) => sums[of]?.p95 ?? null),
    line(t`p50`, 'solid', 'main', (sums) => sums[of]?.p50 ?? null),
  ];
  const charts: (MetricChart & { isShown: boolean })[] = [
    {
      id: 'jobs',
      title: t`Jobs`,
      isShown: endedOf(total) > 0,
      lines: [
        line(t`failed`, 'bars', 'bad', (sums) => (failedOf(sums) > 0 ? sums.completed + failedOf(sums) : null)),
        line(t`done`, 'bars', 'main', ({ completed }) => positive(completed)),
      ],
      // A mark between two jobs is none.
      format: (value) => formatCount(Math.round(value)),
      words: jobWords,
    },
    {
      id: 'execution',
      title: t`Run time`,
      isShown: total.execution !== null,
      lines: percentiles('execution'),
      format: formatTime,
      words: ({ execution }) => percentileWords(execution),
    },
    {
      id: 'delay',
      title: t`Delay in the queue`,
      isShown: total.delay !== null,
      lines: percentiles('delay'),
      format: formatTime,
      words: ({ delay }) => percentileWords(delay),
    },
    {
      id: 'workers',
      title: t`Workers`,
      isShown: total.workers.most > 0,
      lines: [
        line(t`most`, 'dashed', 'quiet', ({ workers }) => workers.most),
        line(t`mean`, 'solid', 'main', ({ workers }) => workers.mean),
      ],
      format: formatMean,
      words: workerWords,
    },
    {
      id: 'cost',
      title: t`Cost`,
      isShown: total.cost > 0,
      lines: [line(t`cost`, 'bars', 'main', ({ cost }) => positive(cost))],
      format: formatMoney,
      words: ({ cost }) => (cost === 0 ? NONE : formatMoney(cost)),
    },
  ];
  return charts.filter(({ isShown }) => isShown);
}
