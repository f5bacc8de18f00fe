import { waitFor, within } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EndpointMetrics } from '#contract/local/metrics.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import type { Answers } from '../../../../test/support/page/app.ts';
import { provideCanvas } from '../../../../test/support/page/canvas.ts';
import { endpointRow } from '../../../../test/support/page/endpoints.ts';
import { busySums, metricsOf } from '../../../../test/support/page/metrics.ts';
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
    expect(await screen.findByText('204 jobs, 1.5 % failed, p95 about 9.8 s')).toBeVisible();
    const jobs = await screen.findByRole('img', { name: /^Jobs in the last 24 hours: 200 done, 3 failed/ });
    expect(jobs.querySelector('canvas')).not.toBeNull();
    expect(screen.getAllByRole('img')).toHaveLength(5);
    expect(screen.queryByRole('table')).toBeNull();
    await user.click(screen.getByText('Show the numbers as a table'));
    const table = await screen.findByRole('table', { name: 'Metrics of the last 24 hours' });
    const [head, row, ...others] = within(table).getAllByRole('row');
    expect(head).toHaveTextContent('TimeDoneFailedCancelledRun p50Run p95Delay p50Delay p95WorkersMostCost');
    expect(row).toHaveTextContent('20031' + '6.1 s9.8 s' + '12 ms900 ms' + '1.42' + '$0.31');
    expect(others).toEqual([]);
  });

  it('are those of the chosen period, also when the page is opened again', async () => {
    const periods: string[] = [];
    const answer = ({ period }: { period: EndpointMetrics['period'] }) => {
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
    const waiting: ((metrics: EndpointMetrics) => void)[] = [];
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
    expect(await screen.findByText(/The engine does not answer\. These are the last numbers/)).toBeVisible();
    expect(screen.getByText(/^As of/)).toBeVisible();
    expect(screen.getByRole('img', { name: /^Jobs/ })).toBeVisible();
  });
});
