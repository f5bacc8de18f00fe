/** The cost of each day or hour as bars; the table below contains the same numbers. */
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { isDark, isHighContrast, useAppearance } from '../../state/appearance.ts';
import { markDistances } from '../../ui/chart/axisMarks.ts';
import { utcMarkOf } from '../../ui/chart/timeWords.ts';
import { formatMoney } from '../../ui/text/money.ts';
import { useFontsLoaded } from '../../ui/theme/useFontsLoaded.ts';
import styles from './billing.module.css';
import { t } from '../../language/text.ts';

const HEIGHT = 170;
const FONT_PX = 11;
/** The height of the marks of time, with the room above them. */
const X_AXIS_PX = 26;
const SECOND_MS = 1000;

interface SpendChartProps {
  /** Start of each bucket in milliseconds since the epoch, and its cost. */
  at: readonly number[];
  amounts: readonly number[];
}

export function SpendChart({ at, amounts }: SpendChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const fontsLoaded = useFontsLoaded();
  const themeKey = useAppearance((state) => `${isDark(state)} ${isHighContrast(state)}`);
  useEffect(() => {
    const place = box.current;
    if (!place) return undefined;
    const colour = (name: string): string => getComputedStyle(place).getPropertyValue(name);
    const axis = {
      stroke: colour('--ink-3'),
      font: `${FONT_PX}px ${getComputedStyle(place).fontFamily}`,
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
    };
    const step = ((at[1] ?? at[0] ?? 0) - (at[0] ?? 0)) / SECOND_MS;
    const span = (at.at(-1) ?? 0) - (at[0] ?? 0);
    const plot = new uPlot(
      {
        width: place.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * SECOND_MS), 'UTC'),
        scales: {
          // A bar extends to both sides of its time.
          x: { range: (_plot, first, last) => [first - step / 2, last + step / 2] },
          y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
        },
        axes: [
          {
            ...axis,
            size: X_AXIS_PX,
            grid: { show: false },
            values: (_plot, marks) => marks.map((mark) => utcMarkOf(mark * SECOND_MS, span)),
          },
          {
            ...axis,
            size: 64,
            incrs: (_plot, _axis, _least, top) => markDistances(top, formatMoney),
            values: (_plot, marks) => marks.map(formatMoney),
          },
        ],
        series: [
          {},
          {
            stroke: colour('--accent'),
            fill: colour('--accent'),
            ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.7, 40] }) }),
            points: { show: false },
          },
        ],
      },
      [at.map((time) => time / SECOND_MS), amounts.map((amount) => (amount > 0 ? amount : null))],
      place,
    );
    const watch = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT }));
    watch.observe(place);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [at, amounts, themeKey, fontsLoaded]);
  return <div ref={box} className={styles.chart} role="img" aria-label={t`Cost of each period, as bars`} />;
}
