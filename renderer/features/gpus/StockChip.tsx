/** How much of a GPU type is free: shape, word and colour. */
import { Circle, CircleDot, CircleOff, Disc, type LucideIcon } from 'lucide-react';
import { areCountsEnough } from '../../ui/text/format.ts';
import pieces from '../../ui/theme/pieces.module.css';
import type { GpuRow, Stock } from './gpuRows.ts';
import { t } from '../../language/text.ts';

const chips: Record<Stock, { icon: LucideIcon; tone: string; word: string }> = {
  High: { icon: Disc, tone: 'ok', word: t`High` },
  Medium: { icon: CircleDot, tone: 'run', word: t`Medium` },
  Low: { icon: Circle, tone: 'wait', word: t`Low` },
  None: { icon: CircleOff, tone: 'off', word: t`None` },
};

type StockChipProps = Pick<GpuRow, 'stock'> & Partial<Pick<GpuRow, 'totalCount' | 'rentedCount'>>;

/** What the chip of a row shows. */
export const stockOf = ({ stock, totalCount, rentedCount }: GpuRow): StockChipProps => ({
  stock,
  totalCount,
  rentedCount,
});

/** Without counts, or with many, the word of the service. */
export function StockChip({ stock, totalCount = 0, rentedCount = 0 }: StockChipProps) {
  if (stock === null) return <span title={t`The account does not report it`}>–</span>;
  const { icon: Icon, tone, word } = chips[stock];
  return (
    <span className={pieces.chip} data-tone={tone}>
      <Icon size={12} strokeWidth={2.4} aria-hidden className={pieces.chipIcon} />
      {areCountsEnough(totalCount) ? t`${totalCount - rentedCount} of ${totalCount} free` : word}
    </span>
  );
}
