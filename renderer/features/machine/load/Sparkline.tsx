/** A small line chart of the period of the page. Its newest value is shown beside it, so it has neither axes nor grid. */
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { isDark, isHighContrast, useAppearance } from '../../../state/appearance.ts';
import styles from './load.module.css';
import type { GpuPeriod } from '#contract/local/gpuHistory.ts';
import { periodNames } from '../../../ui/chart/period.ts';
import { boundsOf, spanOf, type Track } from './series.ts';
import { t } from '../../../language/text.ts';

const HEIGHT = 30;
const LINE_WIDTH = 1.5;
const SECOND_MS = 1000;

interface SparklineProps {
  /** The description for screen readers: "Load of RTX 4090". */
  what: string;
  track: Track;
  period: GpuPeriod;
  /** The top of the chart. A larger value raises it. */
  full: number | null;
  format: (value: number) => string;
}

const dataOf = ({ at, values }: Track): uPlot.AlignedData => [at.map((time) => time / SECOND_MS), [...values]];

export function Sparkline({ what, track, period, full, format }: SparklineProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const newest = useRef({ track, full });
  const themeKey = useAppearance((state) => `${isDark(state)} ${isHighContrast(state)}`);

  useEffect(() => {
    const place = box.current;
    if (place === null) return undefined;
    const { color } = getComputedStyle(place);
    const chart = new uPlot(
      {
        width: Math.max(1, place.clientWidth),
        height: HEIGHT,
        padding: [2, 2, 2, 0],
        cursor: { show: false },
        legend: { show: false },
        axes: [{ show: false }, { show: false }],
        scales: {
          x: {
            time: false,
            range: () => {
              const { start, end } = boundsOf(newest.current.track);
              return [start / SECOND_MS, end / SECOND_MS];
            },
          },
          y: {
            range: (_, __, greatest) => [0, Math.max(newest.current.full ?? 0, greatest * 1.05, 1)],
          },
        },
        series: [{}, { stroke: color, width: LINE_WIDTH, points: { show: false }, spanGaps: false }],
      },
      dataOf(newest.current.track),
      place,
    );
    plot.current = chart;
    const resized = new ResizeObserver(() => chart.setSize({ width: Math.max(1, place.clientWidth), height: HEIGHT }));
    resized.observe(place);
    return () => {
      resized.disconnect();
      plot.current = null;
      chart.destroy();
    };
  }, [themeKey]);

  useEffect(() => {
    newest.current = { track, full };
    plot.current?.setData(dataOf(track));
  }, [track, full]);

  return <div ref={box} className={styles.spark} role="img" aria-label={describe(what, track, period, format)} />;
}

function describe(what: string, track: Track, period: GpuPeriod, format: (value: number) => string): string {
  const span = spanOf(track);
  if (span === null) return t`${what}: not measured yet`;
  return t`${what} in ${periodNames[period]}: from ${format(span.least)} to ${format(span.greatest)}`;
}
