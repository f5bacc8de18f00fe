import { ORPCError } from '@orpc/client';
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { loseApp } from '../../../test/support/page/app.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { RecentCard } from './RecentCard.tsx';
import { SummaryTiles } from './SummaryTiles.tsx';
import { useLastJobs } from './useLastJobs.ts';

function Numbers() {
  return (
    <>
      <SummaryTiles accounts={[thisComputer]} pods={[]} />
      <RecentCard last={useLastJobs()} hasAccounts={false} />
    </>
  );
}

/** Until `works` says so, the ledger cannot be read. */
function renderNumbers(works: () => boolean) {
  const read = <Value,>(value: Value): Value => {
    if (!works()) throw new ORPCError('INTERNAL', { status: 500, message: 'The ledger cannot be read.' });
    return value;
  };
  return renderPage(<Numbers />, {
    accounts: { list: () => [thisComputer] },
    billing: { read: () => [] },
    jobs: {
      counts: () => read({ running: 2, queued: 5, since: 9, failed: 0 }),
      list: () => read({ entries: [], matching: 0, complete: true, total: 0 }),
    },
  });
}

it('a ledger that cannot be read is said once, its numbers are not known, and another try brings them', async () => {
  let works = false;
  const { user, screen } = renderNumbers(() => works);
  expect(await screen.findByText('The ledger cannot be read.')).toBeVisible();
  const tiles = screen.getByRole('region', { name: 'Now' });
  await waitFor(() => expect(tiles).toHaveTextContent(/^– ?running/));
  works = true;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('2')).toBeVisible();
  expect(screen.queryByText('The ledger cannot be read.')).toBeNull();
});

it('numbers stay while Hangar is away, which the banner says and the page does not', async () => {
  const { screen } = renderNumbers(() => true);
  expect(await screen.findByText('2')).toBeVisible();
  await act(loseApp);
  expect(screen.getByText('2')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
