/** Values of a GPU type in tables. A value that is not there is a dash, which says why. */
import { formatCount, formatGpuMemory } from '../../ui/text/format.ts';
import { formatMoney, NO_PRICE } from '../../ui/text/money.ts';
import type { GpuRow } from './gpuRows.ts';
import styles from './gpus.module.css';
import type { GpuSpec } from './specs/specTable.ts';
import { t } from '../../language/text.ts';

interface AmountProps {
  /** The GPU type. */
  row: Pick<GpuRow, 'isUnpriced'>;
  /** US dollars; null where none is free. */
  amount: number | null;
  /** Shown instead, in grey, where none is free. */
  listPrice?: number | null;
}

export const Amount = (props: AmountProps) => <Price {...props} format={formatMoney} />;

/** A price for a small part of a GPU, with one decimal more than a price has. */
export const Rate = (props: AmountProps) => (
  <Price
    {...props}
    format={(amount) => (amount < 0.01 || amount >= 1 ? formatMoney(amount) : `$${amount.toFixed(3)}`)}
  />
);

function Price({ row, amount, listPrice = null, format }: AmountProps & { format: (amount: number) => string }) {
  if (amount !== null) return format(amount);
  if (row.isUnpriced) return <Unpriced />;
  if (listPrice === null) return <Dash reason={t`None is free now`} />;
  return <em title={t`None is free now. This is what it costs when some are.`}>{format(listPrice)}</em>;
}

export const Unpriced = () => (
  <span className={styles.unpriced} title={t`No price is set or reported`}>
    {NO_PRICE}
  </span>
);

export function MemoryOf({ gb }: { gb: number }) {
  return gb === 0 ? <Dash reason={t`The account does not report its memory`} /> : <span>{formatGpuMemory(gb)}</span>;
}

/** A number with at most one decimal: "3 350", "19.5". */
const formatNumber = (value: number): string =>
  value >= 100 || Number.isInteger(value) ? formatCount(Math.round(value)) : value.toFixed(1);

interface PublishedProps {
  /** Null: Hangar has no published numbers of the GPU. */
  spec: GpuSpec | null;
  value: number | null;
  unit: string;
}

export function Published({ spec, value, unit }: PublishedProps) {
  if (spec === null) return <Dash reason={t`No published specifications for this GPU`} />;
  if (value === null) return <Dash reason={t`The vendor does not publish this`} />;
  return <span title={spec.source}>{unit === '' ? formatNumber(value) : `${formatNumber(value)} ${unit}`}</span>;
}

function Dash({ reason }: { reason: string }) {
  return (
    <span title={reason}>
      <span aria-hidden>–</span>
      <span className={styles.hidden}>{reason}</span>
    </span>
  );
}
