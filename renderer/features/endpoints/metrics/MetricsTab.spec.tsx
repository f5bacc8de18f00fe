import { waitFor, within } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#contract/app/account.ts';
import type { ShownMetrics } from '#contract/app/endpointReadModels.ts';
import type { UsageRow } from '#contract/bridge/billing.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import type { Answers } from '../../../../test/support/page/app.ts';
import { provideCanvas } from '../../../../test/support/page/browser/canvas.ts';
import { endpointRow } from '../../../../test/support/page/endpoints.ts';
import { busySums, metricsOf, seenMetricsOf } from '../../../../test/support/page/metrics.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { queryClient } from '../../../client/transport/orpc.ts';
import { MetricsTab } from './MetricsTab.tsx';

beforeAll(provideCanvas);

const renderMetrics = (metrics: NonNullable<NonNullable<Answers['endpoints']>['metrics']>, row = endpointRow(null)) =>
  renderPage(<MetricsTab accountId={thisComputer.id} row={row} />, {
    accounts: { list: () => [thisComputer] },
    endpoints: { metrics },
  });

describe('the metrics of an endpoint', () => {
  it('are charts with the numbers of the period, and a table of the same numbers', async () => {
    const { screen, user } = renderMetrics(() => metricsOf(busySums));
    expect(await screen.findByText('204 runs, 1.5 % failed, p95 about 9.8 s')).toBeVisible();
    const jobs = await screen.findByRole('img', { name: /^Jobs in the last 24 hours: 200 done, 3 failed/ });
    expect(jobs.querySelector('canvas')).not.toBeNull();
    expect(screen.getAllByRole('img')).toHaveLength(5);
    expect(screen.queryByRole('table')).toBeNull();
    await user.click(screen.getByText('Show the numbers as a table'));
    const table = await screen.findByRole('table', { name: 'Metrics of the last 24 hours' });
    const [head, row, ...others] = within(table).getAllByRole('row');
    expect(head).toHaveTextContent('TimeDoneFailedCancelledRun p50Run p95Delay p50Delay p95WorkersMaximumCost');
    expect(row).toHaveTextContent('20031' + '6.1 s9.8 s' + '12 ms900 ms' + '1.42' + '$0.31');
    expect(others).toEqual([]);
    expect(screen.getByText('Runs of jobs that you removed from Jobs count, too.')).toBeVisible();
  });

  it('are those of the chosen period, also when the page is opened again', async () => {
    const periods: string[] = [];
    const answer = ({ period }: { period: ShownMetrics['period'] }) => {
      periods.push(period);
      return metricsOf(period === '7d' ? busySums : {}, period);
    };
    const { screen, user } = renderMetrics(answer);
    expect(await screen.findByText('No jobs in this period')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: '7 d' }));
    expect(await screen.findByRole('img', { name: /^Jobs in the last 7 days/ })).toBeVisible();
    // It also asked whether a longer period has more, because the first one was empty.
    expect(periods).toEqual(['24h', '30d', '7d']);
    expect(localStorage.getItem('hangar.metricPeriod')).toBe('7d');
  });

  it('lead to a longer period where no job was, and from the longest one to Run', async () => {
    const { screen, user } = renderMetrics(({ period }) => metricsOf({}, period));
    await user.click(await screen.findByRole('button', { name: 'Show the last 30 days' }));
    await user.click(await screen.findByRole('button', { name: 'Run a job' }));
    expect(location.hash).toBe('#/run/e');
  });

  it('say how many jobs wait where none has ended', async () => {
    const { screen } = renderMetrics(() => metricsOf({ accepted: 3 }));
    expect(await screen.findByText('3 submitted, none finished yet.')).toBeVisible();
  });

  it('of an endpoint that never ran offer a job, and no longer period', async () => {
    const { screen } = renderMetrics(({ period }) => ({ ...metricsOf({}), period }));
    expect(await screen.findByText('No jobs yet')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Run a job' })).toBeVisible();
    expect(screen.queryByText('Choose a longer period.')).toBeNull();
  });

  it('of an endpoint that balances load are its workers, and say that requests do not count', async () => {
    const row = { ...endpointRow(null), type: 'LB' as const };
    const { screen } = renderMetrics(() => metricsOf({ workers: { mean: 1, most: 1 } }), row);
    expect(await screen.findByText(/Requests to a load-balancing endpoint are not counted/)).toBeVisible();
    expect(await screen.findByRole('img', { name: /^Workers in/ })).toBeVisible();
    expect(screen.getByText(/no price is set/)).toBeVisible();
  });

  it('show that they load until the first answer has come', async () => {
    const waiting: ((metrics: ShownMetrics) => void)[] = [];
    const { screen } = renderMetrics(() => new Promise((resolve) => waiting.push(resolve)));
    expect(screen.getByRole('group', { name: 'Loading' })).toBeVisible();
    await waitFor(() => expect(waiting).toHaveLength(1));
    waiting[0]?.(metricsOf(busySums));
    expect(await screen.findByRole('img', { name: /^Jobs/ })).toBeVisible();
    expect(screen.queryByRole('group', { name: 'Loading' })).toBeNull();
  });

  it('say why they could not be read, and are read again when asked', async () => {
    let calls = 0;
    const { screen, user } = renderMetrics(() => {
      if (calls++ === 0) throw new ORPCError('NOT_IMPLEMENTED', { message: 'This account is too old.' });
      return metricsOf(busySums);
    });
    expect(await screen.findByText('This account is too old.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('img', { name: /^Jobs/ })).toBeVisible();
  });

  it('stay with their time where no newer ones come', async () => {
    let isAway = false;
    const { screen } = renderMetrics(() => {
      if (isAway) throw new ORPCError('SERVICE_UNAVAILABLE', { message: 'The engine does not answer.' });
      return metricsOf(busySums);
    });
    expect(await screen.findByRole('img', { name: /^Jobs/ })).toBeVisible();
    isAway = true;
    await queryClient.refetchQueries();
    expect(await screen.findByText(/The engine does not answer\. These are the last known numbers/)).toBeVisible();
    expect(screen.getByText(/^As of/)).toBeVisible();
    expect(screen.getByRole('img', { name: /^Jobs/ })).toBeVisible();
  });
});

describe('the metrics of an endpoint whose account reports none', () => {
  const cloud: Account = {
    ...thisComputer,
    id: 'cloud',
    name: 'Cloud',
    kind: 'cloud',
    capabilities: ['jobs', 'billing'],
  };
  const billed: UsageRow = {
    kind: 'endpoint',
    time: '2026-01-05T00:00:00.000Z',
    id: 'e',
    name: 'E',
    exists: true,
    amount: 2,
    timeMs: 200_000,
    gb: null,
  };
  const renderSeen = (metrics: ShownMetrics, bill: UsageRow[] = [], account = cloud) =>
    renderPage(<MetricsTab accountId={account.id} row={endpointRow(null)} />, {
      accounts: { list: () => [thisComputer, account] },
      endpoints: { metrics: () => metrics },
      billing: { read: () => bill },
    });
  const note = /^Based on the jobs that Hangar saw: 2 in this period\./;

  it('are charts of the jobs that Hangar saw, without workers and cost, and say so', async () => {
    const { screen, user } = renderSeen(seenMetricsOf());
    expect(await screen.findByText(note)).toHaveTextContent(
      'Based on the jobs that Hangar saw: 2 in this period. Jobs that it did not see are missing, ' +
        'and the number of workers is unknown: Cloud does not report metrics.',
    );
    await screen.findByRole('img', { name: /^Jobs in/ });
    expect(screen.getAllByRole('img').map((chart) => chart.getAttribute('aria-label')?.split(' in ')[0])).toEqual([
      'Jobs',
      'Run time',
    ]);
    await user.click(screen.getByText('Show the numbers as a table'));
    expect(within(await screen.findByRole('table')).getAllByRole('columnheader')).toHaveLength(6);
    expect(screen.queryByText(/no price is set/)).toBeNull();
  });

  it('estimate the cost from the bill of the endpoint', async () => {
    const { screen } = renderSeen(seenMetricsOf(), [billed]);
    // 16 s at one cent a second.
    expect(await screen.findByRole('img', { name: /^Estimated cost of the run time in .*: ≈ \$0\.16/ })).toBeVisible();
    expect(screen.getByText(note)).toHaveTextContent(
      'The cost is estimated from the run times and the cost per second',
    );
  });

  it('name what is not counted', async () => {
    const { screen } = renderSeen(seenMetricsOf({ unaccepted: 3, since: '2026-01-04T12:00:00.000Z' }));
    const text = await screen.findByText(note);
    expect(text).toHaveTextContent(/Hangar removed older jobs from this period\. The oldest one left is from .*4/);
    expect(text).toHaveTextContent('Not counted: 3 jobs that were refused or got no answer.');
  });

  it('are said to be of jobs that Hangar saw also where there are none', async () => {
    const { screen } = renderSeen({
      ...metricsOf({ workers: null, cost: null }),
      ledger: seenMetricsOf({ jobs: 0 }).ledger,
    });
    expect(await screen.findByText('No jobs yet')).toBeVisible();
    expect(screen.getByText(/^Based on the jobs that Hangar saw: 0 in this period\./)).toBeVisible();
  });

  it('of a Hangar that is too old say what to do', async () => {
    const old: Account = { ...cloud, name: 'Workshop', capabilities: ['jobs', 'local'] };
    const { screen } = renderSeen(seenMetricsOf({ isOldHangar: true }), [], old);
    expect(await screen.findByText(note)).toHaveTextContent(
      'Hangar on Workshop is too old to report metrics. Update it to see all jobs, workers and the cost.',
    );
  });
});
