import { cleanup, waitFor } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import type { Answers } from '../../../test/support/page/app.ts';
import { provideCanvas } from '../../../test/support/page/browser/canvas.ts';
import { renderPage, runCommand } from '../../../test/support/page/render.tsx';
import BillingPage from './BillingPage.tsx';
import { bucketName } from './periods.ts';
import { Totals } from './Totals.tsx';
import { commandsNow } from '../../state/commands.ts';

const renderBilling = (read: NonNullable<NonNullable<Answers['billing']>['read']>) =>
  renderPage(<BillingPage />, { accounts: { list: () => [thisComputer] }, billing: { read } });

beforeAll(provideCanvas);

describe('the billing page', () => {
  it('says that nothing was used, and has nothing to save then', async () => {
    const { screen } = renderBilling(() => []);
    expect(await screen.findByText('No usage in this period')).toBeVisible();
    expect(commandsNow().map(({ label }) => label)).toEqual(
      expect.arrayContaining(['Period: Last month', 'By resource']),
    );
    expect(screen.getByRole('button', { name: 'CSV' })).toHaveAttribute('aria-disabled', 'true');
    runCommand('Period: 7 days');
    expect(screen.getByRole('combobox', { name: 'Period' })).toHaveValue('7 days');
  });

  it('draws no chart of nothing, and leads to what limits the cost of a Pod', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const row = { time: `${today}T00:00:00.000Z`, timeMs: 60_000, gb: null, exists: true };
    const endpoint = { ...row, kind: 'endpoint', id: 'e', name: 'e', amount: 0 } as const;
    const free = renderBilling(() => [endpoint]);
    expect(await free.screen.findByRole('table', { name: 'Usage' })).toBeVisible();
    expect(free.screen.queryByRole('img', { name: /^Cost of each period/ })).toBeNull();
    expect(free.screen.getByRole('link', { name: 'Go to Pods' })).toHaveAttribute('href', '#/pods');
    expect(commandsNow().map(({ label }) => label)).toContain('Limit what a Pod can cost');
    expect(free.screen.getByRole('link', { name: 'Set your prices' })).toHaveAttribute('href', '#/gpus');
    cleanup();
    const { screen } = renderBilling(() => [{ ...endpoint, amount: 1 }]);
    expect(await screen.findByRole('img', { name: /^Cost of each period/ })).toBeVisible();
    expect(screen.queryByText(/^Nothing was charged/)).toBeNull();
  });

  it('says that the time used includes workers that wait for a job', async () => {
    const { screen } = renderBilling(() => [
      {
        kind: 'endpoint',
        time: new Date().toISOString(),
        id: 'e',
        name: 'e',
        exists: true,
        amount: 1,
        timeMs: 60_000,
        gb: null,
      },
    ]);
    expect(await screen.findByRole('table', { name: 'Usage' })).toBeVisible();
    expect(screen.getByText(/including the time they wait for jobs/)).toBeVisible();
  });

  it('says the total of a period, its average and its highest day', async () => {
    const at = [1, 2, 3].map((day) => Date.UTC(2026, 10, day));
    const { screen } = renderPage(<Totals bucketSize="day" at={at} amounts={[1, 3, 2]} />);
    const valueOf = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling;
    await waitFor(() => expect(valueOf('Total')).toHaveTextContent('$6.00'));
    expect(valueOf('Average per day')).toHaveTextContent('$2.00');
    expect(valueOf('Highest day')).toHaveTextContent(`$3.00 ${bucketName(Date.UTC(2026, 10, 2), 'day')}`);
  });

  it('names what was used as a link to its page, while it exists', async () => {
    const row = { time: new Date().toISOString(), amount: 1, timeMs: 60_000, gb: null, exists: true };
    const { screen, user } = renderBilling(() => [
      { ...row, kind: 'pod', id: 'p', name: 'trainer' },
      { ...row, kind: 'endpoint', id: 'e', name: 'greeter' },
      { ...row, kind: 'volume', id: 'v', name: 'datasets' },
      { ...row, kind: 'pod', id: 'd', name: 'deleted', exists: false },
    ]);
    await user.click(await screen.findByRole('combobox', { name: 'Group by' }));
    await user.click(await screen.findByRole('option', { name: 'By resource' }));
    expect(await screen.findByRole('link', { name: 'trainer' })).toHaveAttribute('href', '#/pods/p/overview');
    expect(screen.getByRole('link', { name: 'greeter' })).toHaveAttribute('href', '#/endpoints/e');
    expect(screen.getByRole('link', { name: 'datasets' })).toHaveAttribute('href', '#/resources/volumes/v');
    expect(screen.getByText('deleted')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'deleted' })).toBeNull();
  });

  it('shows that it loads until the first answer has come', async () => {
    const waiting: ((rows: []) => void)[] = [];
    const { screen } = renderBilling(() => new Promise<[]>((resolve) => waiting.push(resolve)));
    expect(screen.getByRole('group', { name: 'Loading' })).toBeVisible();
    await waitFor(() => expect(waiting).toHaveLength(1));
    waiting[0]?.([]);
    expect(await screen.findByText('No usage in this period')).toBeVisible();
    expect(screen.queryByRole('group', { name: 'Loading' })).toBeNull();
  });

  it('says why the history could not be read, and reads it again when asked', async () => {
    let calls = 0;
    const { screen, user } = renderBilling(() => {
      if (calls++ === 0) throw new ORPCError('SERVICE_UNAVAILABLE', { message: 'The engine does not answer.' });
      return [];
    });
    expect(await screen.findByText('The usage could not be read')).toBeVisible();
    expect(screen.getByText('The engine does not answer.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No usage in this period')).toBeVisible();
  });
});
