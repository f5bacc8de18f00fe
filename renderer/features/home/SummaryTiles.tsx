/** Four numbers of all accounts: current jobs, today's jobs, spending by the hour, and this month. Each is a link. */
import type { ReactNode } from 'react';
import { Skeleton } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { Account } from '#contract/app/account.ts';
import { costPerHourNow } from '#contract/app/podCost.ts';
import { isAway } from '../../client/accounts.ts';
import { useJobCounts } from '../../client/jobs/jobCounts.ts';
import { useOwners } from '../../client/owners.ts';
import type { PodsOfAccount } from '../../client/podsOfAll.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { noFilter, useJobsFilter, type JobsFilter } from '../../state/jobsFilter.ts';
import { formatRoute, type Route } from '../../state/routePath.ts';
import { useNow } from '../../ui/primitives/useNow.ts';
import { formatCount } from '../../ui/text/format.ts';
import { formatMoney } from '../../ui/text/money.ts';
import styles from './home.module.css';
import { activeOf, spendingOf } from './spending.ts';
import { monthOf, monthWords, spendingWords, totalOf } from './summary.ts';
import { counted, t } from '../../language/text.ts';

/** Interval of the reads of bills. */
const BILLS_MS = 5 * 60_000;
const MINUTE_MS = 60_000;
/** Stands for a number that is not known. */
const UNREAD = '–';
const billing: Route = { page: 'billing' };
const jobs: Route = { page: 'jobs', entryId: null };

interface SummaryTilesProps {
  accounts: readonly Account[] | undefined;
  pods: readonly PodsOfAccount[];
}

export function SummaryTiles({ accounts, pods }: SummaryTilesProps) {
  const { counts, isUnread } = useJobCounts();
  const spending = useSpending(pods);
  const now = useNow(MINUTE_MS);
  const month = useMonth(accounts, now);
  /** Stands for a number that could not be read. The card of the last jobs says why. */
  const unread = isUnread ? UNREAD : undefined;
  const { running, queued, failed, since: today } = counts ?? {};
  return (
    <section className={styles.tiles} aria-label={t`Now`}>
      <Tile
        number={running === undefined ? unread : formatCount(running)}
        tone={running ? 'run' : undefined}
        route={jobs}
        filter={{ state: running === 0 && queued !== 0 ? 'queued' : 'running' }}
      >
        {t`running`}
        {queued !== undefined && ` · ${t`${formatCount(queued)} queued`}`}
      </Tile>
      <Tile
        number={today === undefined ? unread : formatCount(today)}
        route={jobs}
        filter={{ state: failed ? 'failed' : 'any', time: 'day', timeChosenAt: now }}
      >
        {counted(today ?? 0, 'job today', 'jobs today')}
        {failed !== undefined && failed > 0 && (
          <>
            , <i data-tone="bad">{t`${formatCount(failed)} failed`}</i>
          </>
        )}
      </Tile>
      <Tile
        number={spending === null ? UNREAD : spending && formatMoney(spending.perHour)}
        unit={spending === null ? undefined : t`/h now`}
        route={spending?.hasWorkers ? billing : { page: 'pods', podId: null, tab: 'logs' }}
      >
        {spending === null ? t`spending now: unknown` : spending?.words}
      </Tile>
      <Tile number={month === undefined ? undefined : month === null ? UNREAD : formatMoney(month)} route={billing}>
        {month === null ? t`this month: unknown` : month !== undefined && monthWords(month, now)}
      </Tile>
    </section>
  );
}

interface TileProps {
  /** Undefined while it is not known. */
  number: string | undefined;
  unit?: string | undefined;
  tone?: 'run' | undefined;
  route: Route;
  filter?: Partial<JobsFilter>;
  children: ReactNode;
}

function Tile({ number, unit, tone, route, filter, children }: TileProps) {
  return (
    <a
      className={styles.tile}
      href={formatRoute(route)}
      data-tone={tone}
      onClick={() => filter && useJobsFilter.setState({ ...noFilter, ...filter }, true)}
    >
      <span>
        {number === undefined ? <Skeleton h={22} w={56} my={3} radius={4} /> : <b>{number}</b>}
        {unit !== undefined && number !== undefined && <small>{unit}</small>}
      </span>
      <span>{children}</span>
    </a>
  );
}

interface Summed {
  perHour: number;
  words: string;
  /** Whether workers are part of it. */
  hasWorkers: boolean;
}

/** Undefined until every account that can be asked has answered; null if none could be read. */
function useSpending(pods: readonly PodsOfAccount[]): Summed | null | undefined {
  const owners = useOwners(pods.map(({ account }) => account));
  const known = pods.flatMap(({ account, rows }) =>
    rows === undefined ? [] : [{ rows, spending: spendingOf(account, rows, owners.get(account.id)) }],
  );
  const isWhole = pods.every(({ rows, problem }) => rows !== undefined || problem !== null);
  if (pods.length === 0 || !isWhole) return undefined;
  if (known.length === 0) return null;
  const running = known.flatMap(({ rows }) => activeOf(rows));
  const perHour = known.reduce((sum, { spending }) => sum + spending.perHour, 0);
  const ofPods = running.reduce((sum, row) => sum + costPerHourNow(row), 0);
  const ofWorkers = known.reduce((sum, { spending }) => sum + spending.workersPerHour, 0);
  const words = spendingWords(running, ofWorkers, perHour - ofPods - ofWorkers > 0.000_5);
  return { perHour, words, hasWorkers: ofWorkers > 0 };
}

/** What all accounts recorded this month, in dollars; undefined until each has answered, null if none could be read. */
function useMonth(accounts: readonly Account[] | undefined, now: number): number | null | undefined {
  const { from, to } = monthOf(now);
  const billable = (accounts ?? []).filter((account) => !isAway(account) && account.capabilities.includes('billing'));
  const answers = useQueries({
    queries: billable.map(({ id }) =>
      orpc.billing.read.queryOptions({
        input: {
          accountId: id,
          bucketSize: 'day',
          by: 'resource',
          startTime: new Date(from).toISOString(),
          endTime: new Date(to).toISOString(),
        },
        refetchInterval: BILLS_MS,
        retry: false,
      }),
    ),
  });
  if (accounts === undefined || answers.some(({ isPending }) => isPending)) return undefined;
  if (answers.length > 0 && answers.every(({ data }) => data === undefined)) return null;
  return answers.reduce((sum, { data }) => sum + totalOf(data ?? []), 0);
}
