/** The charts of an endpoint's metrics, each with the number of its period, and a table of the same numbers. */
import { useMemo, useState } from 'react';
import type { ShownMetrics } from '#contract/app/endpointReadModels.ts';
import TimeChart from '../../../ui/chart/TimeChart.tsx';
import { spanWords, startWords } from '../../../ui/chart/timeWords.ts';
import { PlainTable, type TableColumn } from '../../../ui/primitives/PlainTable.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import { formatMoney } from '../../../ui/text/money.ts';
import { chartsOf, failedOf, isEmpty, mostWorkers, periodNames, type MetricChart } from './charts.ts';
import styles from './metrics.module.css';
import { formatTime } from './text.ts';
import { t } from '../../../language/text.ts';

type Point = ShownMetrics['points'][number];

export default function MetricCharts({ metrics }: { metrics: ShownMetrics }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const charts = useMemo(() => chartsOf(metrics), [metrics]);
  const at = useMemo(() => metrics.points.map((point) => Date.parse(point.at)), [metrics]);
  const point = pointed === null ? undefined : metrics.points[pointed];
  const { stepMs, period } = metrics;
  const spanMs = at.length * stepMs;
  const span = (one: Point): string => spanWords(Date.parse(one.at), stepMs, spanMs);
  return (
    <>
      <div className={styles.charts}>
        {charts.map((chart) => (
          <section key={chart.id} aria-label={chart.title} data-chart={chart.id}>
            <h3>
              {chart.title}
              <Legend chart={chart} />
            </h3>
            <p className={styles.number}>
              {point === undefined ? (
                chart.words(metrics.total)
              ) : (
                <>
                  <em>{startWords(Date.parse(point.at), spanMs)}</em> {chart.words(point)}
                </>
              )}
            </p>
            <TimeChart
              label={t`${chart.title} in ${periodNames[period]}: ${chart.words(metrics.total)}. The table below has every number.`}
              lines={chart.lines}
              at={at}
              stepMs={stepMs}
              group="metrics"
              format={chart.format}
              {...(chart.distances && { distances: chart.distances })}
              onPoint={setPointed}
            />
          </section>
        ))}
      </div>
      <Numbers metrics={metrics} charts={charts} span={span} />
    </>
  );
}

/** Bars have no end at which a name could stand. */
function Legend({ chart: { lines } }: { chart: MetricChart }) {
  const bars = lines.filter(({ shape }) => shape === 'bars');
  if (bars.length < 2) return null;
  return (
    <span className={styles.legend} aria-hidden>
      {bars.toReversed().map(({ name, tone }) => (
        <span key={name} data-tone={tone}>
          {name}
        </span>
      ))}
    </span>
  );
}

const timeOf = (times: Point['delay'], of: 'p50' | 'p95'): string => (times === null ? '–' : formatTime(times[of]));

const columnsOf: Readonly<Record<MetricChart['id'], readonly TableColumn<Point>[]>> = {
  jobs: [
    { title: t`Done`, isNumber: true, cell: ({ completed }) => formatCount(completed) },
    { title: t`Failed`, isNumber: true, cell: (sums) => formatCount(failedOf(sums)) },
    { title: t`Cancelled`, isNumber: true, cell: ({ cancelled }) => formatCount(cancelled) },
  ],
  execution: [
    { title: t`Run p50`, isNumber: true, cell: ({ execution }) => timeOf(execution, 'p50') },
    { title: t`Run p95`, isNumber: true, cell: ({ execution }) => timeOf(execution, 'p95') },
  ],
  delay: [
    { title: t`Delay p50`, isNumber: true, cell: ({ delay }) => timeOf(delay, 'p50') },
    { title: t`Delay p95`, isNumber: true, cell: ({ delay }) => timeOf(delay, 'p95') },
  ],
  workers: [
    { title: t`Workers`, isNumber: true, cell: ({ workers }) => String(Math.round((workers?.mean ?? 0) * 10) / 10) },
    { title: t`Maximum`, isNumber: true, cell: (sums) => formatCount(mostWorkers(sums)) },
  ],
  cost: [{ title: t`Cost`, isNumber: true, cell: ({ cost }) => (cost ? formatMoney(cost) : '–') }],
};

interface NumbersProps {
  metrics: ShownMetrics;
  charts: readonly MetricChart[];
  span: (point: Point) => string;
}

/** The twin of the charts: every span in which something happened, the newest first. */
function Numbers({ metrics, charts, span }: NumbersProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.numbers} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{t`Show the numbers as a table`}</summary>
      {isOpen && (
        <div className={styles.tableScroll} tabIndex={0} role="region" aria-label={t`Chart data`}>
          <PlainTable
            label={t`Metrics of ${periodNames[metrics.period]}`}
            className={styles.table}
            rows={metrics.points.filter((point) => !isEmpty(point)).toReversed()}
            keyOf={({ at }) => at}
            columns={[{ title: t`Time`, isHeader: true, cell: span }, ...charts.flatMap(({ id }) => columnsOf[id])]}
          />
        </div>
      )}
    </details>
  );
}
