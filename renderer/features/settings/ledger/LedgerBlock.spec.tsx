import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Place } from '#contract/bridge/data/places.ts';
import type { Keeping, LedgerStorage } from '#contract/app/jobs/keeping.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { LedgerBlock } from './LedgerBlock.tsx';

const storage: LedgerStorage = {
  path: '/data/ledger.db',
  jobs: 12,
  usedBytes: 4096,
  oldestSentAt: Date.UTC(2026, 0, 1),
  lastPrune: null,
  keeping: { retentionDays: null, capBytes: null },
};

/** On the disk: the database and what is not merged into it yet. */
const ledgerFiles: Place = {
  kind: 'ledger',
  path: storage.path,
  isPath: true,
  isInside: true,
  bytes: 2_900_000,
  files: 3,
  size: 'counted',
  names: [],
  leaves: null,
};

/** The block with a ledger in which `ended` jobs ended long ago, and what it was told to keep. */
async function renderBlock(ended = 0) {
  const limits: Keeping[] = [];
  const counted: (number | undefined)[] = [];
  let now = storage;
  const { screen, user } = renderPage(<LedgerBlock />, {
    data: {
      async *places() {
        yield { dataDir: '/data', freeBytes: null, isDone: true, places: [ledgerFiles] };
      },
    },
    ledger: {
      storage: () => now,
      keep: (keeping) => {
        limits.push(keeping);
        now = { ...storage, keeping };
        return now;
      },
    },
    jobs: {
      list: ({ filter }) => {
        counted.push(filter.sentAfter);
        const matching = filter.sentAfter === undefined ? ended : 0;
        return { entries: [], matching, complete: true, total: ended };
      },
    },
  });
  const days = await screen.findByLabelText('Keep jobs for');
  const save = () => screen.getByRole('button', { name: 'Save' });
  return { screen, user, limits, counted, days, save };
}

it('the size of the ledger is that of its files, as the list of places has it', async () => {
  const { screen } = await renderBlock();
  expect(await screen.findByText('2.8 MB')).toBeVisible();
  expect(screen.queryByText('4.0 KB')).toBeNull();
});

describe('the bounds of the ledger', () => {
  it('cannot be saved beyond what is allowed, and the field says what is', async () => {
    const { screen, user, days, save } = await renderBlock();
    expect(screen.getByText('never')).toBeVisible();
    expect(save()).toHaveAccessibleDescription('Nothing has changed.');
    await user.type(days, '0');
    expect(screen.getByText(/From 1 to 3.650 days/)).toBeVisible();
    expect(save()).toHaveAccessibleDescription('Correct the marked fields first');
  });

  it('are saved at once where nothing would go', async () => {
    const { screen, user, limits, days, save } = await renderBlock();
    await user.type(days, '30');
    await user.click(save());
    await waitFor(() => expect(limits).toEqual([{ retentionDays: 30, capBytes: null }]));
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(screen.getByLabelText('Keep jobs for')).toHaveValue('30 days'));
    expect(save()).toHaveAccessibleDescription('Nothing has changed.');
  });

  it('ask before jobs go, with their number, and change nothing when the answer is no', async () => {
    const { screen, user, limits, days, save } = await renderBlock(7);
    await user.type(days, '1');
    await user.click(save());
    const dialog = await screen.findByRole('dialog', { name: 'Remove jobs from the record?' });
    expect(dialog).toHaveTextContent(/Jobs that ended before .*: up to 7/);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(limits).toEqual([]);
  });

  it('hold once the question was answered with yes, which is asked once', async () => {
    const { screen, user, limits, counted, days, save } = await renderBlock(7);
    await user.type(days, '1');
    await user.click(save());
    await user.click(await screen.findByRole('button', { name: 'Save and remove them' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(limits).toEqual([{ retentionDays: 1, capBytes: null }]);
    // All that ended, and those after the cut-off; an answer that reached the form as well would count them again.
    expect(counted).toEqual([undefined, expect.any(Number)]);
  });
});
