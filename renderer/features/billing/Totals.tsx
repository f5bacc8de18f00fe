/** The numbers of a period at a glance: what it cost in all, on average, and at most. */
import { formatMoney } from '../../ui/text/money.ts';
import styles from './billing.module.css';
import { bucketName, type Span } from './periods.ts';
import { t } from '../../language/text.ts';

interface TotalsProps extends Pick<Span, 'bucketSize'> {
  /** The start of each day or hour, in milliseconds since the epoch. */
  at: readonly number[];
  /** US dollars of each day or hour. */
  amounts: readonly number[];
}

export function Totals({ bucketSize, at, amounts }: TotalsProps) {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const most = Math.max(...amounts);
  const mostAt = at[amounts.indexOf(most)];
  const isHour = bucketSize === 'hour';
  return (
    <dl className={styles.totals}>
      <div>
        <dt>{t`Total`}</dt>
        <dd>{formatMoney(total)}</dd>
      </div>
      <div>
        <dt>{isHour ? t`Average per hour` : t`Average per day`}</dt>
        <dd>{formatMoney(total / amounts.length)}</dd>
      </div>
      {most > 0 && mostAt !== undefined && (
        <div>
          <dt>{isHour ? t`Highest hour` : t`Highest day`}</dt>
          <dd>
            {formatMoney(most)} <small>{bucketName(mostAt, bucketSize)}</small>
          </dd>
        </div>
      )}
    </dl>
  );
}
