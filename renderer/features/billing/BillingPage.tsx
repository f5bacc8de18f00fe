/** The Billing page: what was used and what it cost, as a chart, a table and a file. */
import { useMemo, useState } from 'react';
import { Button, Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useLiveView } from '../../client/transport/live.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { useTarget } from '../../client/accounts.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { Unread } from '../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../ui/domain/StaleNotice.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { formatMoney } from '../../ui/text/money.ts';
import { useNow } from '../../ui/primitives/useNow.ts';
import styles from './billing.module.css';
import page from '../../ui/theme/page.module.css';
import { usageCsv } from './csv.ts';
import { bucketsOf, periods, spanOf, type Period } from './periods.ts';
import { SpendChart } from './SpendChart.tsx';
import { groupings, sumsOf, totalOf, type Grouping } from './sums.ts';
import { UsageTable } from './UsageTable.tsx';

/** What runs is added every minute. */
const EVERY_MS = 30_000;
const SAVED_MS = 60_000;
const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));

/** The account that a question was put to. */
const askedOf = (key: readonly unknown[] | undefined): string | undefined =>
  (key?.[1] as { input?: { accountId?: string } } | undefined)?.input?.accountId;

export default function BillingPage() {
  const { accountId, account, name: target } = useTarget();
  const [period, setPeriod] = useState<Period>('month');
  const [grouping, setGrouping] = useState<Grouping>('day');
  const { from, to, bucketSize } = spanOf(period, useNow(EVERY_MS));
  const by = grouping === 'gpu' ? 'gpu' : 'resource';
  const input = {
    accountId,
    bucketSize,
    by,
    startTime: new Date(from).toISOString(),
    endTime: new Date(to).toISOString(),
  } as const;
  const { now, at, problem, retry } = useLiveView(
    useQuery(
      orpc.billing.read.queryOptions({
        input,
        refetchInterval: EVERY_MS,
        retry: false,
        // Another period of the same account; what another account spent is not shown as this one's.
        placeholderData: (before, query) => (askedOf(query?.queryKey) === accountId ? before : undefined),
      }),
    ),
  );
  const rows = useMemo(
    () => (now ?? []).filter(({ kind }) => grouping !== 'endpoint' || kind === 'endpoint'),
    [now, grouping],
  );
  const times = useMemo(() => bucketsOf({ from, to, bucketSize }), [from, to, bucketSize]);
  const amounts = useMemo(() => {
    const byTime = new Map<number, number>();
    for (const { time, amount } of rows) byTime.set(Date.parse(time), (byTime.get(Date.parse(time)) ?? 0) + amount);
    return times.map((time) => byTime.get(time) ?? 0);
  }, [rows, times]);
  const save = () => {
    const address = URL.createObjectURL(new Blob([usageCsv(rows)], { type: 'text/csv' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = `hangar-usage-${input.startTime.slice(0, 10)}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), SAVED_MS);
  };

  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
        {now && <span className={page.count}>{formatMoney(totalOf(rows))} recorded</span>}
      </header>
      <div className={page.frame}>
        <Card grow aria-label="What was used" role="region">
          <div className={styles.tools}>
            <Select
              aria-label="Period"
              data={options(periods)}
              value={period}
              allowDeselect={false}
              onChange={(value) => setPeriod((value ?? 'month') as Period)}
            />
            <Select
              aria-label="Told by"
              data={options({ ...groupings, ...(bucketSize === 'hour' && { day: 'By hour' }) })}
              value={grouping}
              allowDeselect={false}
              onChange={(value) => setGrouping((value ?? 'day') as Grouping)}
            />
            <span>Days and hours of UTC</span>
            <Button
              size="xs"
              variant="default"
              leftSection={<Download size={13} aria-hidden />}
              disabled={rows.length === 0}
              onClick={save}
            >
              CSV
            </Button>
          </div>
          {now && problem !== null && (
            <StaleNotice at={at} problem={problem} retry={retry}>
              This is what came last.
            </StaleNotice>
          )}
          {!now && problem === null && (
            <div className={styles.loading} role="group" aria-label="Loading" aria-busy="true">
              <Skeleton h={150} radius={6} />
              <Skeleton h={12} w="60%" radius={4} />
              <Skeleton h={12} w="50%" radius={4} />
            </div>
          )}
          {!now && problem !== null && (
            <Unread capability="billing" title="The history could not be read" problem={problem} retry={retry} />
          )}
          {now && rows.length === 0 && (
            <Empty title="Nothing was used in this time">
              {account?.kind === 'cloud'
                ? `${account.name} has recorded nothing for it. What is used now may take a while to be told.`
                : `What workers, Pods and volumes of ${target} use is recorded while they use it. What it costs is set on the page GPU prices.`}
            </Empty>
          )}
          {rows.length > 0 && (
            <div className={styles.scroll}>
              <SpendChart at={times} amounts={amounts} />
              <UsageTable sums={sumsOf(rows, grouping)} grouping={grouping} bucketSize={bucketSize} />
            </div>
          )}
        </Card>
      </div>
    </div>
  );
}
