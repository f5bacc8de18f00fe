/** The sums of usage, with their total. */
import { formatDuration } from '../../ui/text/format.ts';
import { formatMoney } from '../../ui/text/money.ts';
import { PlainTable } from '../../ui/primitives/PlainTable.tsx';
import { RouteLink } from '../../ui/primitives/RouteLink.tsx';
import styles from './billing.module.css';
import { bucketName, type Span } from './periods.ts';
import { totalOf, type Grouping, type UsageSum } from './sums.ts';
import { t } from '../../language/text.ts';

interface UsageTableProps {
  accountId: string;
  sums: readonly UsageSum[];
  grouping: Grouping;
  bucketSize: Span['bucketSize'];
}

const kinds = { pod: t`Pod`, endpoint: t`Endpoint`, volume: t`Volume` };
const heads: Record<Grouping, string> = {
  day: t`When`,
  resource: t`Resource`,
  gpu: t`GPU type`,
  endpoint: t`Endpoint`,
};

export function UsageTable({ accountId, sums, grouping, bucketSize }: UsageTableProps) {
  const total = sums.reduce((ms, sum) => ms + sum.timeMs, 0);
  return (
    <PlainTable
      label={t`Usage`}
      className={styles.table}
      rows={sums}
      keyOf={({ key }) => key}
      columns={[
        {
          title: heads[grouping],
          isHeader: true,
          cell: ({ time, kind, name, to }) => (
            <>
              {to === null ? (
                time === null ? (
                  (name ?? t`All network volumes`)
                ) : (
                  bucketName(Date.parse(time), bucketSize)
                )
              ) : (
                <RouteLink accountId={accountId} to={to}>
                  {name}
                </RouteLink>
              )}
              {kind !== null && name !== null && <em>{kinds[kind]}</em>}
            </>
          ),
        },
        { title: t`Time used`, cell: ({ timeMs }) => (timeMs === 0 ? '–' : formatDuration(timeMs)) },
        { title: t`Amount`, cell: ({ amount }) => formatMoney(amount) },
      ]}
      foot={
        <tr>
          <th scope="row">{t`Total`}</th>
          <td>{formatDuration(total)}</td>
          <td>{formatMoney(totalOf(sums))}</td>
        </tr>
      }
    />
  );
}
