/** The Billing page: usage and cost as a chart, a table and a file. */
import { useMemo, useState } from 'react';
import { Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useLiveView } from '../../client/transport/live.ts';
import { orpc } from '../../client/transport/orpc.ts';
import * as z from 'zod';
import { keysOf } from '#contract/core/keysOf.ts';
import { useTarget } from '../../client/accounts.ts';
import { useCommands } from '../../state/commands.ts';
import { navigate } from '../../state/route.ts';
import { formatRoute, startOf } from '../../state/routePath.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { LoadError } from '../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../ui/domain/StaleNotice.tsx';
import { saveFile } from '../../ui/files/saveFile.ts';
import { Card } from '../../ui/primitives/Card.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import styles from './billing.module.css';
import page from '../../ui/theme/page.module.css';
import { usageCsv } from './csv.ts';
import { bucketsOf, periods, spanOf, type Period } from './periods.ts';
import { SpendChart } from './SpendChart.tsx';
import { groupings, sumsOf, type Grouping } from './sums.ts';
import { Totals } from './Totals.tsx';
import { UsageTable } from './UsageTable.tsx';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { rich, t } from '../../language/text.ts';

/** Interval of the polls: usage grows by itself, without a change that could be reported. */
const EVERY_MS = 30_000;
const hourGroupings = { ...groupings, day: t`By hour` };
const options = <Name extends string>(labels: Record<Name, string>) =>
  keysOf(labels).map((value) => ({ value, label: labels[value] }));

const podsRoute = startOf('pods');
const pricesRoute = startOf('gpus');

const querySchema = z.object({ input: z.object({ accountId: z.string() }) });
/** The account of a query. */
const accountOf = (queryKey: readonly unknown[] | undefined): string | undefined =>
  querySchema.safeParse(queryKey?.[1]).data?.input.accountId;

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
        // Shows the earlier period of the same account meanwhile, but never another account's data.
        placeholderData: (before, query) => (accountOf(query?.queryKey) === accountId ? before : undefined),
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
  const save = () =>
    saveFile(new Blob([usageCsv(rows)], { type: 'text/csv' }), `hangar-usage-${input.startTime.slice(0, 10)}.csv`);
  const groups = bucketSize === 'hour' ? hourGroupings : groupings;
  useCommands([
    ...keysOf(periods).map(
      (name) => name !== period && { label: t`Period: ${periods[name]}`, run: () => setPeriod(name) },
    ),
    ...keysOf(groups).map((name) => name !== grouping && { label: groups[name], run: () => setGrouping(name) }),
    rows.length > 0 && { label: t`Save as CSV`, run: save },
    { label: t`Limit what a Pod can cost`, run: () => navigate(podsRoute) },
  ]);

  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
      </header>
      <div className={page.frame}>
        <Card grow aria-label={t`Usage`} role="region">
          <div className={styles.tools}>
            <Select
              aria-label={t`Period`}
              data={options(periods)}
              value={period}
              allowDeselect={false}
              onChange={(value) => setPeriod(value ?? 'month')}
            />
            <Select
              aria-label={t`Group by`}
              data={options(groups)}
              value={grouping}
              allowDeselect={false}
              onChange={(value) => setGrouping(value ?? 'day')}
            />
            <span>{t`Times in UTC`}</span>
            <ReasonButton
              size="xs"
              variant="default"
              leftSection={<Download size={13} aria-hidden />}
              whyNot={rows.length === 0 ? t`There is no usage in this period to save.` : null}
              onClick={save}
            >{t`CSV`}</ReasonButton>
          </div>
          {now && problem !== null && (
            <StaleNotice at={at} problem={problem} retry={retry}>{t`This is the last known data.`}</StaleNotice>
          )}
          {!now && problem === null && (
            <div className={styles.loading} role="group" aria-label={t`Loading`} aria-busy="true">
              <Skeleton h={150} radius={6} />
              <Skeleton h={12} w="60%" radius={4} />
              <Skeleton h={12} w="50%" radius={4} />
            </div>
          )}
          {!now && problem !== null && (
            <LoadError capability="billing" title={t`The usage could not be read`} problem={problem} retry={retry} />
          )}
          {now && rows.length === 0 && (
            <Empty title={t`No usage in this period`}>
              {account?.kind === 'cloud'
                ? t`${account.name} has no records for it. Current usage may appear after a delay.`
                : t`Usage of workers, Pods and volumes on ${target} is recorded as it happens. You set its prices on the GPU prices page.`}
            </Empty>
          )}
          {rows.length > 0 && (
            <div className={styles.scroll}>
              <Totals bucketSize={bucketSize} at={times} amounts={amounts} />
              {amounts.some((amount) => amount > 0) && <SpendChart at={times} amounts={amounts} />}
              <UsageTable
                accountId={accountId}
                sums={sumsOf(rows, grouping)}
                grouping={grouping}
                bucketSize={bucketSize}
              />
              <p
                className={styles.note}
              >{t`The time used by an endpoint is the running time of its workers, including the time they wait for jobs.`}</p>
              {account?.kind !== 'cloud' && amounts.every((amount) => amount === 0) && <NoPriceNote />}
            </div>
          )}
          {now && <LimitNote />}
        </Card>
      </div>
    </div>
  );
}

/** Why the use of an own machine costs nothing. */
function NoPriceNote() {
  return (
    <p className={styles.note}>
      {rich`Nothing was charged, because no price was set for it. ${(
        <a href={formatRoute(pricesRoute)}>{t`Set your prices`}</a>
      )}`}
    </p>
  );
}

/** Where a person limits what is spent. */
function LimitNote() {
  return (
    <p className={styles.limit}>
      {rich`To limit what a Pod can cost, set "Automatic stop" in its settings, or when you deploy it. ${(
        <a href={formatRoute(podsRoute)}>{t`Go to Pods`}</a>
      )}`}
    </p>
  );
}
