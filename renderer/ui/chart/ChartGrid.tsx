/** The charts of one thing over the same time, side by side, each with its number above it. */
import type { GpuPeriod } from '#contract/local/gpuHistory.ts';
import type { AxisFormat } from './axisText.ts';
import type { ChartLine } from './chartLine.ts';
import { periodNames } from './period.ts';
import TimeChart from './TimeChart.tsx';
import { startWords } from './timeWords.ts';
import styles from './chartGrid.module.css';
import { t } from '../../language/text.ts';

export interface GridChart {
  id: string;
  title: string;
  lines: readonly ChartLine[];
  /** The top of the axis, in the unit of the lines; null for the greatest value. */
  full: number | null;
  /** The number of a mark of the axis. */
  format: AxisFormat;
  /** The whole period in words. */
  summary: string;
  /** A point in words. */
  words: (index: number) => string;
}

interface ChartGridProps {
  charts: readonly GridChart[];
  /** What they are about, for screen readers. */
  name: string;
  period: GpuPeriod;
  /** The starts of the points, milliseconds since the epoch. */
  at: readonly number[];
  stepMs: number;
  /** The charts of one group point at the same time. */
  group: string;
  /** The place of the point under the pointer, in all charts of the group. */
  pointed: number | null;
  onPoint: (index: number | null) => void;
}

export function ChartGrid({ charts, name, period, at, stepMs, group, pointed, onPoint }: ChartGridProps) {
  const start = pointed === null ? undefined : at[pointed];
  return (
    <div className={styles.charts}>
      {charts.map(({ id, title, lines, full, format, summary, words }) => (
        <section key={id} aria-label={t`${title} of ${name}`} data-chart={id}>
          <h4>{title}</h4>
          <p className={styles.number}>
            {pointed === null || start === undefined ? (
              summary
            ) : (
              <>
                <em>{startWords(start, at.length * stepMs)}</em> {words(pointed)}
              </>
            )}
          </p>
          <TimeChart
            label={t`${title} of ${name} in ${periodNames[period]}: ${summary}`}
            lines={lines}
            at={at}
            stepMs={stepMs}
            group={group}
            full={full}
            format={format}
            onPoint={onPoint}
          />
        </section>
      ))}
    </div>
  );
}
