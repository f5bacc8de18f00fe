/** How much of a GPU type is free: shape, word and colour. */
import { Circle, CircleDot, CircleOff, Disc, type LucideIcon } from 'lucide-react';
import pieces from '../../ui/theme/pieces.module.css';
import type { GpuRow, Stock } from './gpuRows.ts';
import { t } from '../../language/text.ts';

const looks: Record<Stock, { icon: LucideIcon; tone: string }> = {
  High: { icon: Disc, tone: 'ok' },
  Medium: { icon: CircleDot, tone: 'run' },
  Low: { icon: Circle, tone: 'wait' },
  None: { icon: CircleOff, tone: 'off' },
};

export function StockChip({ stock }: Pick<GpuRow, 'stock'>) {
  if (stock === null) return <span title={t`The account does not report it`}>–</span>;
  const { icon: Icon, tone } = looks[stock];
  return (
    <span className={pieces.chip} data-tone={tone}>
      <Icon size={12} strokeWidth={2.4} aria-hidden className={pieces.chipIcon} />
      {stock}
    </span>
  );
}
