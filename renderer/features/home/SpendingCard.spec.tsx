import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { Account } from '#contract/app/account.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { podFactsOf } from '../../../test/support/pods/podFacts.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { targetAccount } from '../../state/selection.ts';
import { SpendingCard } from './SpendingCard.tsx';

const cloud: Account = { ...thisComputer, id: 'work', name: 'work', kind: 'cloud' };

const rowOf = (account: Account) => ({ account, rows: [], problem: null, retry: () => undefined });

it('an account with GraphQL shows its own spend and balance, and one without is not asked', async () => {
  const queriedAccounts: string[] = [];
  const pods = [
    rowOf({ ...cloud, capabilities: ['management', 'graphql'] }),
    rowOf({ ...cloud, id: 'rest', name: 'rest', capabilities: ['management'] }),
  ];
  const { screen } = renderPage(<SpendingCard pods={pods} known />, {
    graphql: {
      ask: ({ accountId }) => {
        queriedAccounts.push(accountId);
        return { data: { myself: { clientBalance: 12.5, currentSpendPerHr: 0.72 } }, errors: [] };
      },
    },
  });
  expect(await screen.findByText(/Balance: \$12\.50/)).toBeVisible();
  expect(screen.getAllByRole('listitem')[0]).toHaveTextContent('$0.72/h');
  expect(screen.getAllByRole('listitem')[1]).toHaveTextContent('without storage.');
  expect(queriedAccounts).toEqual(['work']);
});

it('an account whose GraphQL refuses shows what its Pods cost', async () => {
  let calls = 0;
  const { screen } = renderPage(<SpendingCard pods={[rowOf({ ...cloud, capabilities: ['graphql'] })]} known />, {
    graphql: {
      ask: () => {
        calls += 1;
        return { data: null, errors: [{ message: 'No such field.' }] };
      },
    },
  });
  await waitFor(() => expect(calls).toBe(1));
  expect(await screen.findByText(/No Pods\. As reported by the account, without storage\./)).toBeVisible();
});

it('each Pod that is not stopped has its name, state and cost, and leads to it', async () => {
  const podOf = (name: string, costPerHr: number, desiredStatus = 'RUNNING', problem: string | null = null) => ({
    pod: lenientPodSchema.parse({ id: `id-${name}`, name, desiredStatus, costPerHr }),
    facts: podFactsOf({ id: name, problem }),
  });
  const rows = [podOf('trainer', 0.69), podOf('refused', 0, 'RUNNING', 'No such image.'), podOf('old', 1, 'EXITED')];
  const { user, screen } = renderPage(
    <SpendingCard pods={[{ ...rowOf({ ...cloud, capabilities: ['management'] }), rows }]} known />,
  );
  const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(lines.slice(1)).toEqual(['trainerPod, starting$0.69/h', 'refusedPod, not runningno price']);
  expect(lines[0]).toContain('Pods: 1 starting, 1 not running, 1 stopped.');
  await user.click(screen.getByRole('link', { name: 'trainer' }));
  expect(location.hash + location.pathname).toContain('id-trainer');
  expect(targetAccount.get()).toBe('work');
});

it('an account that cannot be asked says why in words, not by a code', () => {
  const away = {
    ...rowOf({ ...cloud, capabilities: ['management'] }),
    rows: undefined,
    problem: 'Cannot reach work (ECONNREFUSED).',
  };
  const { screen } = renderPage(<SpendingCard pods={[away]} known />);
  expect(screen.getByRole('listitem')).toHaveTextContent('Nothing answers at its address.');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
});

it('an account that no longer answers costs an unknown amount, not nothing', () => {
  const away = { ...rowOf({ ...cloud, capabilities: ['management'] }), problem: 'Cannot reach work (ECONNREFUSED).' };
  const { screen } = renderPage(<SpendingCard pods={[away]} known />);
  expect(screen.getByRole('listitem')).toHaveTextContent(/^workNothing answers at its address\.Try again$/);
  expect(screen.queryByText(/\$/)).toBeNull();
});
