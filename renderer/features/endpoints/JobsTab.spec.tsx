import { expect, it } from 'vitest';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { endpointRow } from '../../../test/support/page/endpoints.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { JobsTab } from './JobsTab.tsx';

it('a job says why it failed or waits, where it came from and its times, after a skeleton', async () => {
  const entries: LedgerEntry[] = [
    entryOf({ entryId: '1', preview: 'a cat', status: 'FAILED', error: 'No memory\n  at x', source: 'command' }),
    entryOf({ entryId: '2', preview: 'a dog', waiting: 'No GPU is free.' }),
    entryOf({
      entryId: '3',
      preview: 'a fox',
      pricePerHour: 0,
      status: 'COMPLETED',
      sentAt: 1000,
      queuedAt: 1000,
      startedAt: 3000,
      finishedAt: 8000,
      delayTime: 2000,
      executionTime: 5000,
    }),
  ];
  let answer = (): void => undefined;
  const read = new Promise<void>((resolve) => (answer = resolve));
  const { screen } = renderPage(<JobsTab accountId={thisComputer.id} row={endpointRow(null)} />, {
    accounts: { list: () => [{ ...thisComputer, capabilities: [] }] },
    jobs: {
      async list() {
        await read;
        return { entries, matching: 3, total: 3, complete: true };
      },
    },
  });
  const list = screen.getByRole('list', { name: 'Last jobs of greeter' });
  expect(list).toHaveAttribute('aria-busy', 'true');
  expect(list.children).toHaveLength(4);
  answer();
  const rows = await screen.findAllByRole('button', { name: /^(Failed|Queued|Done)/ });
  expect(list).not.toHaveAttribute('aria-busy');
  expect(rows[0]).toHaveTextContent(/a catNo memory.*command line/);
  expect(rows[1]).toHaveTextContent(/a dogWaiting: No GPU is free\./);
  // Nothing at its end: no price was set.
  expect(rows[2]).toHaveTextContent(/a foxwindowwaited 2(\.\d+)? sran 5(\.\d+)? s[^–]*$/);
});
