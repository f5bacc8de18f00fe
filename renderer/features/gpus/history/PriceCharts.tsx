/** Price and stock of one GPU type over a period, with the values under the pointer. */
import { useMemo, useState } from 'react';
import { pricePeriods, type PriceHistory, type PricePeriod, type SeenPrice } from '#contract/app/price.ts';
import TimeChart from '../../../ui/chart/TimeChart.tsx';
import type { ChartLine } from '../../../ui/chart/chartLine.ts';
import { startWords } from '../../../ui/chart/timeWords.ts';
import { formatMoney, NO_PRICE } from '../../../ui/text/money.ts';
import styles from './history.module.css';
import { isUnpriced, MOST_STOCK, priceOf, rangeOf, stockLevel, stockWord, type PricePoints } from './priceLines.ts';
import { t } from '../../../language/text.ts';

interface PriceChartsProps {
  name: string;
  period: PricePeriod;
  history: PriceHistory;
  points: PricePoints;
}

const nothing = t`no data`;

function priceWords(point: SeenPrice | null): string {
  if (point === null) return nothing;
  if (isUnpriced(point)) return NO_PRICE;
  if (point.onDemand === null) return t`none was free`;
  return point.spot === null
    ? formatMoney(point.onDemand)
    : t`${formatMoney(point.onDemand)}, spot ${formatMoney(point.spot)}`;
}

function rangeWords(points: PricePoints): string {
  const range = rangeOf(points);
  if (range === null)
    return points.some(isUnpriced) ? t`No price was set or reported in this time.` : t`None was free.`;
  const { least, most } = range;
  return least === most ? t`${formatMoney(least)} all the time` : t`${formatMoney(least)} to ${formatMoney(most)}`;
}

export default function PriceCharts({ name, period, history, points }: PriceChartsProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { from, stepMs } = history;
  const at = useMemo(() => points.map((_, index) => from + index * stepMs), [points, from, stepMs]);
  const charts = useMemo(() => chartsOf(points), [points]);
  const point = pointed === null ? undefined : points[pointed];
  const start = pointed === null ? from : from + pointed * stepMs;
  return (
    <div className={styles.charts}>
      {charts.map(({ title, lines, words, summary, full, format }) => (
        <section key={title} aria-label={title}>
          <h4>{title}</h4>
          <p>
            {point === undefined ? (
              summary
            ) : (
              <>
                <em>{startWords(start, pricePeriods[period].points * stepMs)}</em> {words(point)}
              </>
            )}
          </p>
          <TimeChart
            label={t`${title} of ${name}: ${summary}`}
            lines={lines}
            at={at}
            stepMs={stepMs}
            group="prices"
            full={full}
            format={format}
            onPoint={setPointed}
          />
        </section>
      ))}
    </div>
  );
}

interface Chart {
  title: string;
  lines: readonly ChartLine[];
  words: (point: SeenPrice | null) => string;
  summary: string;
  full: number | null;
  format: (value: number) => string;
}

function chartsOf(points: PricePoints): Chart[] {
  const spot = points.map((point) => point?.spot ?? null);
  const hasSpot = spot.some((value) => value !== null);
  const onDemand: ChartLine = {
    name: hasSpot ? t`price` : '',
    shape: 'solid',
    tone: 'main',
    values: points.map(priceOf),
  };
  return [
    {
      title: t`Price per GPU and hour`,
      lines: [onDemand, ...(hasSpot ? [{ name: t`spot`, shape: 'dashed', tone: 'quiet', values: spot } as const] : [])],
      words: priceWords,
      summary: rangeWords(points),
      full: null,
      format: formatMoney,
    },
    {
      title: t`Stock`,
      lines: [{ name: '', shape: 'solid', tone: 'main', values: points.map(stockLevel) }],
      words: (point) => (point === null ? nothing : (point.stock ?? t`not reported`)),
      summary: t`Now: ${points.findLast((point) => point !== null)?.stock ?? t`not reported`}`,
      full: MOST_STOCK,
      format: stockWord,
    },
  ];
}
