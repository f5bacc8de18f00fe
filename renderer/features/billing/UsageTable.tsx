/** Usage added up, with the total below. */
import { formatDuration } from '../../ui/text/format.ts';
import { formatMoney } from '../../ui/text/money.ts';
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
    <table className={styles.table} aria-label="Usage">
      <thead>
        <tr>
          <th scope="col">{heads[grouping]}</th>
          <th scope="col">Time used</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {sums.map(({ key, time, kind, name, timeMs, amount }) => (
          <tr key={key}>
            <th scope="row">
              {time === null ? (name ?? 'All network volumes') : format.format(Date.parse(time))}
              {kind !== null && name !== null && <em>{kinds[kind]}</em>}
            </th>
            <td>{timeMs === 0 ? '–' : formatDuration(timeMs)}</td>
            <td>{formatMoney(amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td>{formatDuration(total)}</td>
          <td>{formatMoney(totalOf(sums))}</td>
        </tr>
      </tfoot>
    </table>
  );
}
