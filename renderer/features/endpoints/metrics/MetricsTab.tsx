/** The metrics of an endpoint over a period that the person chooses. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Account } from '#contract/app/account.ts';
import type { EndpointRow, ShownMetrics } from '#contract/app/endpointReadModels.ts';
import { metricPeriods, metricPeriodSchema, type MetricPeriod } from '#contract/local/metrics.ts';
import { endedRuns } from '../../../ui/endpoint/endedRuns.ts';
import { removedWords } from '../../../ui/endpoint/removedRuns.ts';
import { useAccounts } from '../../../client/accounts.ts';
import { rateKey, useJobRates } from '../../../client/jobs/jobRates.ts';
import { useLiveView, usePollMs } from '../../../client/transport/live.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { personalSetting } from '../../../state/personalSetting.ts';
import { navigate } from '../../../state/route.ts';
import { LoadError } from '../../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../../ui/domain/StaleNotice.tsx';
import { ErrorBoundary } from '../../../ui/primitives/ErrorBoundary.tsx';
import { lazyPart } from '../../../ui/primitives/lazyPart.ts';
import { Empty } from '../../../ui/primitives/Notice.tsx';
import panel from '../../../ui/theme/panel.module.css';
import { formatCount, formatMoment } from '../../../ui/text/format.ts';
import { isEmpty, mostWorkers, summaryOf, withEstimate } from './charts.ts';
import styles from './metrics.module.css';
import { Segments } from '../../../ui/tabs/Segments.tsx';
import { counted, t } from '../../../language/text.ts';

const MetricCharts = lazyPart(
  () => import('./MetricCharts.tsx'),
  () => <ChartsSkeleton />,
);

const labels: Readonly<Record<MetricPeriod, string>> = { '1h': '1 h', '24h': '24 h', '7d': '7 d', '30d': '30 d' };
const LONGEST: MetricPeriod = '30d';
/** Points of the longer periods change slowly. */
const SHORT_MS = 5000;
const LONG_MS = 30_000;

const chosenPeriod = personalSetting('metricPeriod', metricPeriodSchema, '24h');

export function MetricsTab({ accountId, row }: { accountId: string; row: EndpointRow }) {
  const period = chosenPeriod.use();
  const everyMs = Math.max(usePollMs(), period === '1h' ? SHORT_MS : LONG_MS);
  const { now, at, problem, retry } = useLiveView(
    useQuery(
      orpc.endpoints.metrics.queryOptions({
        input: { accountId, endpointId: row.id, period },
        refetchInterval: everyMs,
        // Another period is read when it is chosen, also one that was empty a moment ago.
        staleTime: 0,
        retry: false,
      }),
    ),
  );
  const account = useAccounts()?.find(({ id }) => id === accountId);
  // The engine of a Hangar reports the cost itself.
  const rates = useJobRates(now?.ledger ? [accountId] : []);
  return (
    <div className={panel.panel} tabIndex={0} role="region" aria-label={t`Metrics of ${row.name}`}>
      {now && problem !== null && (
        <StaleNotice at={at} problem={problem} retry={retry}>{t`These are the last known numbers.`}</StaleNotice>
      )}
      <div className={styles.head}>
        <strong>{now && endedRuns(now.total) > 0 ? summaryOf(now.total) : ''}</strong>
        <Segments
          aria-label={t`Period`}
          data={metricPeriods.map((value) => ({ value, label: labels[value] }))}
          value={period}
          onChange={(value) => chosenPeriod.set(metricPeriodSchema.parse(value))}
        />
      </div>
      {!now && problem === null && <ChartsSkeleton />}
      {!now && problem !== null && (
        <LoadError title={t`The metrics could not be read`} problem={problem} retry={retry} />
      )}
      {now && (
        <Metrics
          accountId={accountId}
          metrics={withEstimate(now, rates.get(rateKey(accountId, row.id)))}
          row={row}
          account={account}
        />
      )}
    </div>
  );
}

interface MetricsProps {
  accountId: string;
  metrics: ShownMetrics;
  row: EndpointRow;
  account: Account | undefined;
}

/** Whether nothing was measured, and nothing was done, in the time of these sums. */
function hasNothing({ total }: ShownMetrics, { type }: EndpointRow): boolean {
  return isEmpty(total) || (type === 'QB' && endedRuns(total) + mostWorkers(total) === 0);
}

function Metrics({ accountId, metrics, row, account }: MetricsProps) {
  const { total, period, ledger } = metrics;
  const hasQueue = row.type === 'QB';
  const source = ledger && (
    <LedgerNote ledger={ledger} name={account?.name ?? t`this account`} hasCost={total.cost !== null} />
  );
  if (hasNothing(metrics, row)) {
    return (
      <>
        <Nothing accountId={accountId} period={period} row={row} waiting={total.accepted} />
        {source}
      </>
    );
  }
  return (
    <>
      {!hasQueue && (
        <p className={styles.note}>{t`Requests to a load-balancing endpoint are not counted, only its workers.`}</p>
      )}
      {hasQueue && endedRuns(total) === 0 && <p className={styles.note}>{t`No jobs finished in this period.`}</p>}
      <ErrorBoundary what={t`The charts`} of={period}>
        <MetricCharts metrics={metrics} />
      </ErrorBoundary>
      {source}
      {hasQueue && account !== undefined && <p className={styles.note}>{removedWords(account)}</p>}
      {total.execution !== null && (
        <p
          className={styles.note}
        >{t`p50 and p95 are within 3 % of the exact values, so that they can differ a little from the times of single jobs.`}</p>
      )}
      {total.cost === 0 && mostWorkers(total) > 0 && (
        <p
          className={styles.note}
        >{t`Cost is $0 because no price is set for its hardware. Set prices on the GPU prices page.`}</p>
      )}
    </>
  );
}

interface LedgerNoteProps {
  ledger: NonNullable<ShownMetrics['ledger']>;
  /** Of the account. */
  name: string;
  /** Whether the cost of a run time is known. */
  hasCost: boolean;
}

/** From which jobs the numbers are, and what they lack. */
function LedgerNote({ ledger: { jobs, unaccepted, isOldHangar, since }, name, hasCost }: LedgerNoteProps) {
  const lacks = isOldHangar
    ? t`Hangar on ${name} is too old to report metrics. Update it to see all jobs, workers and the cost.`
    : t`Jobs that it did not see are missing, and the number of workers is unknown: ${name} does not report metrics.`;
  return (
    <p className={styles.note}>
      {t`Based on the jobs that Hangar saw: ${formatCount(jobs)} in this period.`} {lacks}
      {since !== null &&
        ` ${t`Hangar removed older jobs from this period. The oldest one left is from ${formatMoment(Date.parse(since))}.`}`}
      {unaccepted > 0 &&
        ` ${counted(unaccepted, 'Not counted: {0} job that was refused or got no answer.', 'Not counted: {0} jobs that were refused or got no answer.', formatCount(unaccepted))}`}
      {hasCost &&
        ` ${t`The cost is estimated from the run times and the cost per second of this endpoint in the last seven days.`}`}
    </p>
  );
}

interface NothingProps {
  accountId: string;
  period: MetricPeriod;
  row: EndpointRow;
  /** Jobs that were submitted in the period. */
  waiting: number;
}

function nothingTitle(hasQueue: boolean, isLongest: boolean): string {
  if (isLongest) return hasQueue ? t`No jobs yet` : t`No workers yet`;
  return hasQueue ? t`No jobs in this period` : t`No workers in this period`;
}

function Nothing({ accountId, period, row, waiting }: NothingProps) {
  // A longer period helps only where something is in it.
  const longest = useQuery(
    orpc.endpoints.metrics.queryOptions({
      input: { accountId, endpointId: row.id, period: LONGEST },
      enabled: period !== LONGEST,
      retry: false,
    }),
  );
  const isLongest = period === LONGEST || (longest.data !== undefined && hasNothing(longest.data, row));
  const hasQueue = row.type === 'QB';
  const longer = (
    <Button variant="default" onClick={() => chosenPeriod.set(LONGEST)}>{t`Show the last 30 days`}</Button>
  );
  const run = hasQueue ? (
    <Button variant="default" onClick={() => navigate({ page: 'run', endpointId: row.id })}>{t`Run a job`}</Button>
  ) : undefined;
  if (waiting > 0)
    return <Empty title={t`No jobs finished in this period`}>{t`${waiting} submitted, none finished yet.`}</Empty>;
  return (
    <div className={styles.nothing}>
      <Empty title={nothingTitle(hasQueue, isLongest)} action={isLongest ? run : longer}>
        {isLongest ? t`Numbers appear here once a job has run.` : t`Choose a longer period.`}
      </Empty>
    </div>
  );
}

/** Has the size of the charts that come. */
const ChartsSkeleton = () => (
  <div className={styles.charts} role="group" aria-label={t`Loading`} aria-busy="true">
    {['jobs', 'execution', 'delay', 'workers'].map((name) => (
      <div key={name} className={styles.skeleton} data-chart={name} />
    ))}
  </div>
);
