/** Usage added up, with the total below. */
import { formatDuration } from '../../ui/text/format.ts';
import { formatMoney } from '../../ui/text/money.ts';
import { PlainTable } from '../../ui/primitives/PlainTable.tsx';
import styles from './billing.module.css';
import { totalOf, type Grouping, type UsageSum } from './sums.ts';

interface UsageTableProps {
  sums: readonly UsageSum[];
  grouping: Grouping;
  bucketSize: 'hour' | 'day';
}

const kinds = { pod: 'Pod', endpoint: 'Endpoint', volume: 'Volume' };
const heads: Record<Grouping, string> = { day: 'When', resource: 'What', gpu: 'GPU type', endpoint: 'Endpoint' };

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const hourFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

export function UsageTable({ sums, grouping, bucketSize }: UsageTableProps) {
  const format = bucketSize === 'hour' ? hourFormat : dayFormat;
  const total = sums.reduce((ms, sum) => ms + sum.timeMs, 0);
  return (
    <PlainTable
      label="Usage"
      className={styles.table}
      rows={sums}
      keyOf={({ key }) => key}
      columns={[
        {
          title: heads[grouping],
          isHeader: true,
          cell: ({ time, kind, name }) => (
            <>
              {time === null ? (name ?? 'All network volumes') : format.format(Date.parse(time))}
              {kind !== null && name !== null && <em>{kinds[kind]}</em>}
            </>
          ),
        },
        { title: 'Time used', cell: ({ timeMs }) => (timeMs === 0 ? '–' : formatDuration(timeMs)) },
        { title: 'Amount', cell: ({ amount }) => formatMoney(amount) },
      ]}
      foot={
        <tr>
          <th scope="row">Total</th>
          <td>{formatDuration(total)}</td>
          <td>{formatMoney(totalOf(sums))}</td>
        </tr>
      }
    />
  );
}
