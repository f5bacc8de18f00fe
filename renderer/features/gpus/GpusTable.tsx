/** GPU types with what an hour of them costs, what they can do, and what is free. */
import { ActionIcon, Button, Checkbox, Tooltip } from '@mantine/core';
import { ChevronDown, ChevronUp, Star } from 'lucide-react';
import { Amount, MemoryOf, Published, Rate } from './cells.tsx';
import { DeployButton } from './DeployButton.tsx';
import { freeOf, type GpuRow, type Sorting, type SortOf } from './gpuRows.ts';
import styles from './gpus.module.css';
import type { PricePoints } from './history/priceLines.ts';
import { Sparkline } from './history/Sparkline.tsx';
import { PinnedSince } from './PinnedSince.tsx';
import { togglePin, type PinnedPrice } from './pins.ts';
import { StockChip, stockOf } from './StockChip.tsx';
import { counted, t } from '../../language/text.ts';

/** So many types fit beside each other. */
export const MOST_COMPARED = 5;

interface GpusTableProps {
  rows: readonly GpuRow[];
  accountId: string;
  sort: SortOf;
  pinned: readonly string[];
  pinnedPrices: Readonly<Record<string, PinnedPrice>>;
  /** To be compared. */
  chosen: readonly string[];
  /** The prices of the last week by GPU type; undefined until they are known. */
  week: ReadonlyMap<string, PricePoints> | undefined;
  /** How many GPUs a person wants at once. */
  count: number;
  /** Whether the prices may be old. */
  stale: boolean;
  onSort: (by: Sorting) => void;
  onChoose: (id: string) => void;
  /** Opens its details. */
  onOpen: (id: string) => void;
  /** Opens the form of an alert. */
  onAlert: (row: GpuRow) => void;
}

/** Columns that are shown only with more space: `medium` needs the least. */
type Needs = 'medium' | 'wide' | 'extra' | 'full';

const columns: readonly { by: Sorting; title: string; hint?: string; needs?: Needs; isText?: boolean }[] = [
  { by: 'name', title: t`GPU`, isText: true },
  { by: 'memoryInGb', title: t`Memory`, needs: 'medium' },
  { by: 'perHour', title: '$/h' },
  { by: 'perGpu', title: '$/GPU-h', needs: 'wide' },
  { by: 'perGb', title: '$/GB-h', needs: 'wide', hint: t`Price of one GPU for each GB of its memory` },
  { by: 'perTflop', title: '$/TFLOPS-h', needs: 'wide', hint: t`Price of one GPU for each TFLOPS of FP16` },
  { by: 'tflops', title: 'TFLOPS', needs: 'extra', hint: t`FP16 tensor, dense, as published by the vendor` },
  { by: 'bandwidth', title: 'GB/s', needs: 'extra', hint: t`Memory bandwidth, as published by the vendor` },
  { by: 'watts', title: t`Power`, needs: 'extra', hint: t`Maximum power of the board` },
  { by: 'stock', title: t`Stock`, needs: 'medium', isText: true },
];

export function GpusTable(props: GpusTableProps) {
  const { rows, sort, stale, onSort } = props;
  return (
    <div className={styles.scroll} data-stale={stale || undefined}>
      <table className={styles.table} aria-label={t`GPU types`}>
        <thead>
          <tr>
            <th scope="col">
              <span className={styles.hidden}>{t`Pinned, compared`}</span>
            </th>
            {columns.map(({ by, title, hint, needs, isText }) => (
              <th
                key={by}
                scope="col"
                data-needs={needs}
                data-number={!isText || undefined}
                data-states={by === 'stock' || undefined}
                title={hint}
                aria-sort={sort.by !== by ? undefined : sort.up ? 'ascending' : 'descending'}
              >
                <button type="button" onClick={() => onSort(by)}>
                  {title}
                  {sort.by === by &&
                    (sort.up ? <ChevronUp size={12} aria-hidden /> : <ChevronDown size={12} aria-hidden />)}
                </button>
              </th>
            ))}
            <th scope="col" data-needs="wide">{t`7 days`}</th>
            <th scope="col" data-needs="full">{t`Free now`}</th>
            <th scope="col">
              <span className={styles.hidden}>{t`Actions`}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, ...props }: GpusTableProps & { row: GpuRow }) {
  const { accountId, pinned, pinnedPrices, chosen, week, count, onChoose, onOpen, onAlert } = props;
  const { id, name, stock, spec } = row;
  const isPinned = pinned.includes(id);
  const isChosen = chosen.includes(id);
  const isFull = !isChosen && chosen.length >= MOST_COMPARED;
  const whyNot = isFull ? t`At most ${MOST_COMPARED} types can be compared.` : null;
  const since = isPinned ? pinnedPrices[id] : undefined;
  return (
    <tr>
      <td>
        <span className={styles.marks}>
          <ActionIcon
            aria-label={t`Pin ${name}`}
            aria-pressed={isPinned}
            onClick={() => togglePin(id, accountId, row.perGpu ?? row.listPrice)}
          >
            <Star size={14} fill={isPinned ? 'currentColor' : 'none'} aria-hidden />
          </ActionIcon>
          <Tooltip label={whyNot} disabled={whyNot === null}>
            <Checkbox
              size="xs"
              aria-label={t`Compare ${name}`}
              checked={isChosen}
              // Not disabled, so that the keyboard reaches it and its reason.
              {...(whyNot !== null && { 'aria-disabled': true, 'aria-description': whyNot })}
              onChange={() => whyNot === null && onChoose(id)}
            />
          </Tooltip>
        </span>
      </td>
      <th scope="row" title={id}>
        <button type="button" className={styles.name} aria-haspopup="dialog" onClick={() => onOpen(id)}>
          {name}
        </button>
        <span className={styles.below}>
          <MemoryOf gb={row.memoryInGb} /> <StockChip {...stockOf(row)} />
        </span>
        {since && <PinnedSince pinned={since} now={row.perGpu ?? row.listPrice} />}
      </th>
      <td data-number data-needs="medium">
        <MemoryOf gb={row.memoryInGb} />
      </td>
      <td data-number>
        <Amount row={row} amount={row.perHour} listPrice={row.listPerHour} />
      </td>
      <td data-number data-needs="wide">
        <Amount row={row} amount={row.perGpu} listPrice={row.listPrice} />
      </td>
      <td data-number data-needs="wide">
        <Rate row={row} amount={row.perGb} listPrice={row.listPerGb} />
      </td>
      <td data-number data-needs="wide">
        {spec === null || row.tflops === null ? (
          <Published spec={spec} value={null} unit="" />
        ) : (
          <Rate row={row} amount={row.perTflop} listPrice={row.listPerTflop} />
        )}
      </td>
      <td data-number data-needs="extra">
        <Published spec={spec} value={row.tflops} unit="" />
      </td>
      <td data-number data-needs="extra">
        <Published spec={spec} value={row.bandwidth} unit="" />
      </td>
      <td data-number data-needs="extra">
        <Published spec={spec} value={row.watts} unit="W" />
      </td>
      <td data-needs="medium">
        <StockChip {...stockOf(row)} />
      </td>
      <td data-needs="wide">{week && <Sparkline points={week.get(id)} />}</td>
      <td data-needs="full">{freeOf(row)}</td>
      <td>
        {stock === 'None' ? (
          <Button
            size="xs"
            variant="default"
            aria-label={t`Alert me about ${name}`}
            title={counted(count, 'None is free now', '{0} are not free now')}
            onClick={() => onAlert(row)}
          >{t`Alert me…`}</Button>
        ) : (
          <DeployButton row={row} size="xs" variant="default" label={t`Deploy on ${name}`} />
        )}
      </td>
    </tr>
  );
}
