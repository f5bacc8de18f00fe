import { waitFor } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import type { Answers } from '../../../test/support/page/app.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import BillingPage from './BillingPage.tsx';

const renderBilling = (read: NonNullable<NonNullable<Answers['billing']>['read']>) =>
  renderPage(<BillingPage />, { accounts: { list: () => [thisComputer] }, billing: { read } });

describe('the billing page', () => {
  it('says that nothing was used, and has nothing to save then', async () => {
    const { screen } = renderBilling(() => []);
    expect(await screen.findByText('Nothing was used in this time')).toBeVisible();
    expect(screen.getByRole('button', { name: 'CSV' })).toBeDisabled();
  });

  it('shows that it loads until the first answer has come', async () => {
    const waiting: ((rows: []) => void)[] = [];
    const { screen } = renderBilling(() => new Promise<[]>((resolve) => waiting.push(resolve)));
    expect(screen.getByRole('group', { name: 'Loading' })).toBeVisible();
    await waitFor(() => expect(waiting).toHaveLength(1));
    waiting[0]?.([]);
    expect(await screen.findByText('Nothing was used in this time')).toBeVisible();
    expect(screen.queryByRole('group', { name: 'Loading' })).toBeNull();
  });

  it('says why the history could not be read, and reads it again when asked', async () => {
    let calls = 0;
    const { screen, user } = renderBilling(() => {
      if (calls++ === 0) throw new ORPCError('SERVICE_UNAVAILABLE', { message: 'The engine does not answer.' });
      return [];
    });
    expect(await screen.findByText('The history could not be read')).toBeVisible();
    expect(screen.getByText('The engine does not answer.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Nothing was used in this time')).toBeVisible();
  });
});
