/** A chart over time with axes. Lines are named at their ends; the charts of one group point at the same time. */
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { isDark, isHighContrast, useAppearance } from '../../state/appearance.ts';
import { useFontsLoaded } from '../theme/useFontsLoaded.ts';
import { axisAbove, markDistances } from './axisMarks.ts';
import type { AxisFormat } from './axisText.ts';
import type { ChartLine } from './chartLine.ts';
import styles from './chart.module.css';
import { namePlaces } from './namePlaces.ts';
import { markOf } from './timeWords.ts';

const HEIGHT = 128;
const SECOND_MS = 1000;
/**
 * Room for the names of lines, and for half of the last mark of time. Every chart has it, so that their times align.
 * Pixels.
 */
const NAMES_WIDTH = 40;
const NAME_HEIGHT = 12;
/** Least distance between two marks of values, pixels: three marks have room in the height. */
const MARK_SPACE = 30;
const FONT_PX = 11;

const tones = { main: '--accent', bad: '--bad', quiet: '--ink-2' } as const;

export interface TimeChartProps {
  /** The description for screen readers. */
  label: string;
  lines: readonly ChartLine[];
  /** The starts of the points, milliseconds since the epoch; at least one. */
  at: readonly number[];
  stepMs: number;
  format: AxisFormat;
  /** The distances that marks of values may have, from small to large; absent for the usual ones. */
  distances?: readonly number[];
  /** The charts of one group point at the same time. */
  group: string;
  /** The top of the axis; null or absent for the greatest value. A greater value raises it. */
  full?: number | null;
  /** The point under the pointer; null when it leaves. */
  onPoint: (index: number | null) => void;
}

type Data = Pick<TimeChartProps, 'lines' | 'at' | 'stepMs'>;

/** The middle of each point, and the values. */
const dataOf = ({ lines, at, stepMs }: Data): uPlot.AlignedData => [
  at.map((start) => (start + stepMs / 2) / SECOND_MS),
  ...lines.map(({ values }) => [...values]),
];

const isSame = (word: string, index: number, words: readonly string[]): boolean => word === words[index - 1];
/** Repeated labels are removed: rounded marks may be equal. */
const withoutRepeats = (words: readonly string[]): (string | null)[] =>
  words.map((word, index) => (isSame(word, index, words) ? null : word));

const isAlone = (values: uPlot.AlignedData[number] | undefined, index: number): boolean =>
  (values?.[index] ?? null) !== null &&
  (values?.[index - 1] ?? null) === null &&
  (values?.[index + 1] ?? null) === null;

/** Points without neighbours, which no line shows. */
function alonePoints(plot: uPlot, series: number): number[] {
  const values = plot.data[series];
  return [...(values ?? [])].flatMap((_, index) => (isAlone(values, index) ? [index] : []));
}

const sumOf = (values: ChartLine['values']): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/** Writes the name of each line at its end, none on another. Where two lines end together, the greater one is above. */
function drawNames(plot: uPlot, lines: readonly ChartLine[], colour: (name: string) => string): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const ends = lines.flatMap(({ name, tone, shape, values }) => {
    const value = values.findLast((one) => one !== null);
    return shape === 'bars' || typeof value !== 'number'
      ? []
      : [{ name, tone, y: plot.valToPos(value, 'y', true), sum: sumOf(values) }];
  });
  ctx.save();
  // The chart's own style sheet gives it another font than that of the page.
  ctx.font = `${FONT_PX * ratio}px ${getComputedStyle(plot.root.parentElement ?? plot.root).fontFamily}`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  const sorted = ends.toSorted((a, b) => b.y - a.y || a.sum - b.sum);
  const middles = namePlaces(
    sorted.map(({ y }) => y),
    { top: (NAME_HEIGHT / 2) * ratio, bottom: bbox.top + bbox.height, height: NAME_HEIGHT * ratio },
  );
  for (const [index, { name, tone, y }] of sorted.entries()) {
    ctx.fillStyle = colour(tones[tone]);
    ctx.fillText(name, bbox.left + bbox.width + 5 * ratio, middles[index] ?? y);
  }
  ctx.restore();
}

/** Stripes of a colour: failed jobs differ from others by more than their colour. */
function stripes({ ctx }: uPlot, colour: string): CanvasPattern | string {
  const ratio = Math.max(1, Math.round(devicePixelRatio));
  const tile = document.createElement('canvas');
  tile.width = 1;
  tile.height = 3 * ratio;
  const paint = tile.getContext('2d');
  if (paint === null) return colour;
  paint.fillStyle = colour;
  paint.fillRect(0, 0, 1, 2 * ratio);
  return ctx.createPattern(tile, 'repeat') ?? colour;
}

function seriesOf({ name, shape, tone }: ChartLine, index: number, colour: (name: string) => string): uPlot.Series {
  const stroke = colour(tones[tone]);
  if (shape === 'bars') {
    // Its bars stand on those of the next line: from that one's value to its own, and none where it has no value.
    const baseOf = (plot: uPlot, series: number): number[] =>
      Array.from(plot.data[0], (_, at) => plot.data[series + 1]?.[at] ?? 0);
    const stacked = {
      y0: { unit: 1, values: baseOf },
      y1: {
        unit: 1,
        values: (plot: uPlot, series: number) =>
          baseOf(plot, series).map((base, at) => plot.data[series]?.[at] ?? base),
      },
    };
    const paths = uPlot.paths.bars?.({ size: [0.72, 28], ...(tone === 'bad' && { disp: stacked }) });
    const fill = tone === 'bad' ? (plot: uPlot): CanvasPattern | string => stripes(plot, stroke) : stroke;
    return { label: name, stroke, fill, width: 0, points: { show: false }, ...(paths && { paths }) };
  }
  return {
    label: name,
    stroke,
    width: 1.75,
    ...(shape === 'dashed' && { dash: [4, 3] }),
    points: { show: true, size: 5, fill: stroke, filter: (plot) => alonePoints(plot, index + 1) },
  };
}

/** Without a known top, the last mark stands at the greatest value or above it. */
function topOf(most: number, { full = null, format, distances }: TimeChartProps): number {
  if (full !== null) return Math.max(full, most);
  return most > 0 ? axisAbove(most, format, distances).top : 1;
}

/** The distances between the marks of an axis that ends at `top`. */
const distancesOf = (top: number, { full = null, format, distances }: TimeChartProps): number[] =>
  full === null ? [axisAbove(top, format, distances).distance] : markDistances(top, format, distances);

function optionsOf(place: HTMLElement, newest: { readonly current: TimeChartProps }): uPlot.Options {
  const colour = (name: string): string => getComputedStyle(place).getPropertyValue(name);
  const { lines } = newest.current;
  const span = (): { from: number; to: number } => {
    const { at, stepMs } = newest.current;
    const from = at[0] ?? 0;
    return { from, to: (at.at(-1) ?? from) + stepMs };
  };
  const axis: uPlot.Axis = {
    stroke: colour('--ink-3'),
    font: `${FONT_PX}px ${getComputedStyle(place).fontFamily}`,
    ticks: { show: false },
  };
  return {
    width: Math.max(1, place.clientWidth),
    height: HEIGHT,
    padding: [8, NAMES_WIDTH, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 7 },
      sync: { key: `hangar.${newest.current.group}` },
    },
    scales: {
      x: { time: true, range: () => [span().from / SECOND_MS, span().to / SECOND_MS] },
      y: { range: (_plot, _least, most) => [0, topOf(most, newest.current)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        gap: 8,
        space: 64,
        values: (_plot, marks) =>
          withoutRepeats(marks.map((mark) => markOf(mark * SECOND_MS, span().to - span().from))),
      },
      {
        ...axis,
        grid: { stroke: colour('--line'), width: 1 },
        size: 58,
        gap: 6,
        space: MARK_SPACE,
        incrs: (_plot, _axis, _least, top) => distancesOf(top, newest.current),
        values: ({ scales }, marks) => marks.map((mark) => newest.current.format(mark, scales['y']?.max ?? mark)),
      },
    ],
    series: [{}, ...lines.map((line, index) => seriesOf(line, index, colour))],
    hooks: {
      draw: [(plot) => drawNames(plot, newest.current.lines, colour)],
      setCursor: [
        ({ cursor: { left, idx } }) => newest.current.onPoint(left === undefined || left < 0 ? null : (idx ?? null)),
      ],
    },
  };
}

export default function TimeChart(props: TimeChartProps) {
  const { label, lines, at, stepMs } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const newest = useRef(props);
  const fontsLoaded = useFontsLoaded();
  const themeKey = useAppearance((state) => `${isDark(state)} ${isHighContrast(state)}`);

  useEffect(() => {
    const place = box.current;
    if (place === null) return undefined;
    const chart = new uPlot(optionsOf(place, newest), dataOf(newest.current), place);
    plot.current = chart;
    const resized = new ResizeObserver(() => chart.setSize({ width: Math.max(1, place.clientWidth), height: HEIGHT }));
    resized.observe(place);
    return () => {
      resized.disconnect();
      plot.current = null;
      chart.destroy();
    };
  }, [themeKey, fontsLoaded]);

  useEffect(() => {
    newest.current = props;
  });
  useEffect(() => {
    plot.current?.setData(dataOf({ lines, at, stepMs }));
  }, [lines, at, stepMs]);

  return <div ref={box} className={styles.chart} role="img" aria-label={label} />;
}
