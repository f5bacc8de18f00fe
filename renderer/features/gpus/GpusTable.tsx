/** GPU types with what an hour of them costs and what is free. */
import { ActionIcon, Button, Checkbox } from '@mantine/core';
import { ChevronDown, ChevronUp, Star } from 'lucide-react';
import { openNewPod } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import { formatChoice } from '../../ui/text/format.ts';
import { formatMoney } from '../../ui/text/money.ts';
import type { GpuRow, Sorting, SortOf } from './gpuRows.ts';
import styles from './gpus.module.css';
import { togglePin } from './pins.ts';
import { StockChip } from './StockChip.tsx';
import { counted, t } from '../../language/text.ts';

interface GpusTableProps {
  rows: readonly GpuRow[];
  sort: SortOf;
  pinned: readonly string[];
  /** To be compared. */
  chosen: readonly string[];
  count: number;
  stale: boolean;
  onSort: (by: Sorting) => void;
  onChoose: (id: string) => void;
}

const columns: readonly { by: Sorting; title: string; medium?: boolean; wide?: boolean }[] = [
  { by: 'name', title: t`GPU` },
  { by: 'memoryInGb', title: t`Memory`, medium: true },
  { by: 'perHour', title: '$/h' },
  { by: 'perGpu', title: '$/GPU-h', wide: true },
  { by: 'perGb', title: '$/GB-h', wide: true },
  { by: 'stock', title: t`Stock`, medium: true },
];

/** Opens the sheet for a new Pod with this type. */
export function deployOn(gpuTypeId: string): void {
  navigate({ page: 'pods', podId: null, tab: 'logs' });
  openNewPod({ gpuTypeId });
}

const money = (amount: number | null): string => (amount === null ? '–' : formatMoney(amount));

/** How many are free, and how many of them one Pod can have; a service may tell only one of the two. */
function freeOf({ totalCount, rentedCount, counts }: GpuRow): string {
  const free = totalCount === 0 ? [] : [t`${totalCount - rentedCount} of ${totalCount}`];
  const together = counts.length === 0 ? [] : [t`${formatChoice(counts)} per Pod`];
  return [...free, ...together].join(' · ') || '–';
}

export function GpusTable({ rows, sort, pinned, chosen, count, stale, onSort, onChoose }: GpusTableProps) {
  return (
    <div className={styles.scroll} data-stale={stale || undefined}>
      <table className={styles.table} aria-label={t`GPU types`}>
        <thead>
          <tr>
            <th scope="col">
              <span className={styles.hidden}>{t`Pinned, compared`}</span>
            </th>
            {columns.map(({ by, title, medium, wide }) => (
              <th
                key={by}
                scope="col"
                data-medium={medium}
                data-wide={wide}
                data-column={by}
                aria-sort={sort.by !== by ? undefined : sort.up ? 'ascending' : 'descending'}
              >
                <button type="button" onClick={() => onSort(by)}>
                  {title}
                  {sort.by === by &&
                    (sort.up ? <ChevronUp size={12} aria-hidden /> : <ChevronDown size={12} aria-hidden />)}
                </button>
              </th>
            ))}
            <th scope="col" data-wide>{t`Free now`}</th>
            <th scope="col">
              <span className={styles.hidden}>{t`Actions`}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <span className={styles.marks}>
                  <ActionIcon
                    aria-label={t`Pin ${row.name}`}
                    aria-pressed={pinned.includes(row.id)}
                    onClick={() => togglePin(row.id)}
                  >
                    <Star size={14} fill={pinned.includes(row.id) ? 'currentColor' : 'none'} aria-hidden />
                  </ActionIcon>
                  <Checkbox
                    size="xs"
                    aria-label={t`Compare ${row.name}`}
                    checked={chosen.includes(row.id)}
                    onChange={() => onChoose(row.id)}
                  />
                </span>
              </td>
              <th scope="row" title={row.id}>
                {row.name}
                <span className={styles.below}>
                  {t`${row.memoryInGb} GB`} <StockChip stock={row.stock} />
                </span>
              </th>
              <td data-column="memoryInGb" data-medium>{t`${row.memoryInGb} GB`}</td>
              <td data-column="perHour">{money(row.perHour)}</td>
              <td data-column="perGpu" data-wide>
                {money(row.perGpu)}
              </td>
              <td data-column="perGb" data-wide>
                {money(row.perGb)}
              </td>
              <td data-medium>
                <StockChip stock={row.stock} />
              </td>
              <td data-wide>{freeOf(row)}</td>
              <td>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={t`Deploy on ${row.name}`}
                  disabled={row.stock === 'None'}
                  title={row.stock === 'None' ? t`${counted(count, 'None is', '{0} are not')} free now` : undefined}
                  onClick={() => deployOn(row.id)}
                >{t`Deploy…`}</Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
