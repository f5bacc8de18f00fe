/** Below a stream: how fast it is and the numbers that its chunks carry, each as a small line with its value. */
import { useMemo, useState } from 'react';
import type { LedgerChunk } from '#contract/app/ledger.ts';
import styles from './rateBar.module.css';
import { createRateReader, type Series } from './streamRates.ts';
import { t } from '../../../language/text.ts';

const WIDTH = 120;
const HEIGHT = 18;
const ROOM = 1.5;

export function RateBar({ chunks, over }: { chunks: readonly LedgerChunk[]; over: boolean }) {
  const [read] = useState(createRateReader);
  const series = useMemo(() => read(chunks, over), [read, chunks, over]);
  if (series.length === 0) return null;
  return (
    <div className={styles.bar} role="group" aria-label={t`Stream speed`}>
      {series.map((one) => (
        <span key={one.name} className={styles.series}>
          {one.name}
          <Line values={one.values} />
          <b>{formatValue(one.value)}</b>
        </span>
      ))}
    </div>
  );
}

/** The number beside the line tells its value, so the line has no axes. */
function Line({ values }: Pick<Series, 'values'>) {
  const least = Math.min(0, ...values);
  const span = Math.max(...values) - least || 1;
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, at) => {
    const y = HEIGHT - ROOM - ((value - least) / span) * (HEIGHT - 2 * ROOM);
    return `${(at * step).toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg className={styles.line} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden>
      <polyline points={points.join(' ')} fill="none" stroke="currentColor" strokeWidth={ROOM} strokeLinejoin="round" />
    </svg>
  );
}

const formatValue = (value: number): string =>
  Math.abs(value) >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toPrecision(2);
