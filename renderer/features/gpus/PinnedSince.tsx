/** What a pinned GPU cost when it was pinned, and how its price has changed since. */
import { formatMoment } from '../../ui/text/format.ts';
import { formatMoney } from '../../ui/text/money.ts';
import styles from './gpus.module.css';
import type { PinnedPrice } from './pins.ts';
import { t } from '../../language/text.ts';

/** Smaller differences are those of rounding. */
const LEAST = 0.00005;

/** `now`: what it costs now; null: not known. */
export function PinnedSince({ pinned: { perGpu, at }, now }: { pinned: PinnedPrice; now: number | null }) {
  const change = now === null ? 0 : now - perGpu;
  const isChanged = Math.abs(change) >= LEAST;
  return (
    <span
      className={styles.since}
      title={t`Pinned ${formatMoment(at)}`}
      data-change={isChanged ? (change < 0 ? 'down' : 'up') : undefined}
    >
      {isChanged ? t`${formatMoney(perGpu)} when pinned, ${changeWords(change, perGpu)}` : wordsOfSame(perGpu, now)}
    </span>
  );
}

const wordsOfSame = (perGpu: number, now: number | null): string =>
  now === null ? t`${formatMoney(perGpu)} when pinned` : t`${formatMoney(perGpu)} as when pinned`;

function changeWords(change: number, from: number): string {
  const amount = `${change < 0 ? '−' : '+'}${formatMoney(Math.abs(change))}`;
  return from === 0 ? amount : `${amount} (${Math.round((Math.abs(change) / from) * 100)} %)`;
}
