import { act, screen, waitFor, within } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import type { UsageRow } from '#contract/bridge/billing.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { costOf, rateKey, ratesOf } from '../../../client/jobs/jobRates.ts';
import { entryOf } from '../../../../test/support/page/jobs.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { setDraft } from '../../../state/drafts.ts';
import ComparePage from './ComparePage.tsx';
import { columnPriceWords, priceOf, totalWords } from './comparePrice.ts';
import {
  addColumn,
  columnJobs,
  columns,
  columnTitles,
  COMPARE_DRAFT,
  compareTag,
  ensureColumn,
  isCompareTag,
  MOST_COLUMNS,
} from './comparison.ts';

const place = (endpointId: string, accountId: string = THIS_MACHINE) => ({
  accountId,
  endpointId,
  endpointName: endpointId,
});

describe('the columns of a comparison', () => {
  it('may be several of one endpoint, which have a number, and are at most six', () => {
    for (const endpointId of ['a', 'b', 'a', 'a', 'c', 'd', 'e']) addColumn(place(endpointId));
    expect([...columnTitles(columns.get()).values()]).toEqual(['a', 'b', 'a (2)', 'a (3)', 'c', 'd']);
    expect(columns.get()).toHaveLength(MOST_COLUMNS);
  });

  it('get none for an endpoint that Run opens again', () => {
    for (const endpointId of ['a', 'b', 'a']) ensureColumn(place(endpointId));
    expect(columns.get().map(({ endpointId }) => endpointId)).toEqual(['a', 'b']);
  });

  it('come back from the jobs of a tag, each with the newest run of its job', () => {
    const job = (entryId: string, sentAt: number, retryOf: string | null = null) =>
      entryOf({ entryId, endpointId: 'a', sentAt, retryOf });
    const earlier = columnJobs([job('again', 3, 'first'), job('second', 2), job('first', 1)]);
    expect(earlier.map(({ entryId }) => entryId)).toEqual(['again', 'second']);
  });

  it('come back in their order, also if they were sent at the same time', () => {
    const job = (entryId: string) => entryOf({ entryId, endpointId: 'a', sentAt: 1 });
    const earlier = columnJobs(['third', 'second', 'first'].map(job));
    expect(earlier.map(({ entryId }) => entryId)).toEqual(['first', 'second', 'third']);
  });

  it('have a tag that sorts by time and fits', () => {
    const tag = compareTag(new Date(2026, 10, 3, 4, 5, 6));
    expect(tag).toBe('compare 2026-11-03 04:05:06');
    expect([isCompareTag(tag), isCompareTag('comparison')]).toEqual([true, false]);
  });
});

describe('what a comparison costs', () => {
  const row = (fields: Partial<UsageRow>): UsageRow => ({
    kind: 'endpoint',
    time: '2026-11-20T00:00:00Z',
    id: 'e',
    name: 'e',
    exists: true,
    amount: 0.5,
    timeMs: 1000,
    gb: null,
    ...fields,
  });
  const rates = ratesOf('a', [row({}), row({ amount: 0.3 }), row({ kind: 'pod' }), row({ id: 'free', amount: 0 })]);

  it('goes by the bill of each endpoint', () => {
    expect([...rates]).toEqual([
      [rateKey('a', 'e'), 0.0004],
      [rateKey('a', 'free'), 0],
    ]);
    expect(costOf({ accountId: 'a', endpointId: 'e', pricePerHour: null, executionTime: 5000 }, rates)).toBe(2);
    expect(costOf({ accountId: 'a', endpointId: 'e', pricePerHour: null, executionTime: null }, rates)).toBeNull();
    expect(costOf({ accountId: 'a', endpointId: 'free', pricePerHour: null, executionTime: 5000 }, rates)).toBe(0);
    expect(costOf({ accountId: 'a', endpointId: 'new', pricePerHour: null, executionTime: 5000 }, rates)).toBeNull();
    // The price of its time counts, whatever the endpoint costs now.
    const early = { accountId: 'a', endpointId: 'e', pricePerHour: 0, executionTime: 5000 };
    expect(costOf(early, rates)).toBe(0);
    expect(costOf({ ...early, pricePerHour: 3.6 }, rates)).toBeCloseTo(0.005, 9);
  });

  it('says what is not known', () => {
    const usual = new Map([['a/e', 5000]]);
    const known = priceOf(place('e', 'a'), rates, usual, new Set(['a']));
    const unknown = priceOf(place('other', 'a'), rates, usual, new Set(['a']));
    const free = priceOf(place('e', 'b'), rates, usual, new Set(['a']));
    expect([known, unknown, free].map(columnPriceWords)).toEqual(['≈ $2.00', 'costs money', null]);
    expect(totalWords([known, known, free])).toBe('≈ $4.00');
    expect(totalWords([known, unknown])).toBe('≈ $2.00 and more');
    expect([totalWords([unknown]), totalWords([free])]).toEqual(['costs money', null]);
    // On this computer, which has a price: only how long a job takes is not known.
    const untried = priceOf(place('e', 'a'), rates, new Map(), new Set());
    expect(totalWords([known, untried])).toBe('≈ $2.00 and more');
    expect(totalWords([untried])).toBeNull();
  });
});

describe('the page Compare', () => {
  const accounts: Account[] = [{ ...thisComputer, capabilities: ['jobs'] }];

  it('sends one job for each column with a shared tag, and shows a refusal in its column alone', async () => {
    addColumn(place('good'));
    addColumn(place('gone'));
    const sent: { endpointId: string; tags?: string[] | undefined; entryId: string }[] = [];
    const done = (entryId: string): LedgerEntry =>
      entryOf({ entryId, endpointId: 'good', status: 'COMPLETED', finishedAt: 2, sentAt: 1 });
    const { user } = renderPage(<ComparePage />, {
      accounts: { list: () => accounts },
      endpoints: { list: () => [] },
      jobs: {
        list: () => ({ entries: [], matching: 0, complete: true, total: 0 }),
        submit(submission) {
          sent.push(submission);
          if (submission.endpointId === 'gone') throw new ORPCError('NOT_FOUND', { message: 'No such account.' });
          return done(submission.entryId);
        },
        async *watch({ entryId }) {
          if (sent.find((one) => one.entryId === entryId)?.endpointId === 'gone') {
            throw new ORPCError('NOT_FOUND', { message: 'Not in the ledger.' });
          }
          yield { type: 'snapshot', entry: done(entryId), chunks: [], output: '"warm"' };
        },
      },
    });
    await user.click(await screen.findByRole('button', { name: /^Run all 2/ }));
    const good = await screen.findByRole('region', { name: 'good on This computer' });
    expect(await within(good).findByText('warm')).toBeVisible();
    const gone = screen.getByRole('region', { name: 'gone on This computer' });
    expect(await within(gone).findByRole('alert')).toHaveTextContent('Not sentNo such account.');
    expect(sent.map(({ endpointId }) => endpointId)).toEqual(['good', 'gone']);
    expect(sent[0]?.tags).toHaveLength(1);
    expect(sent[0]?.tags).toEqual(sent[1]?.tags);

    // A removed column comes back in its place, with the output of its job.
    await user.click(within(good).getByRole('button', { name: 'Remove the column good' }));
    expect(screen.queryByRole('region', { name: 'good on This computer' })).toBeNull();
    expect(await screen.findByText('Removed the column good')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await within(await screen.findByRole('region', { name: 'good on This computer' })).findByText('warm'));
    expect(columns.get().map(({ endpointId }) => endpointId)).toEqual(['good', 'gone']);
  });

  it('says where a removed column has no room any more', async () => {
    for (let at = 0; at < MOST_COLUMNS; at += 1) addColumn(place(`e${at}`));
    const { user } = renderPage(<ComparePage />, {
      accounts: { list: () => accounts },
      endpoints: { list: () => [] },
      jobs: { list: () => ({ entries: [], matching: 0, complete: true, total: 0 }) },
    });
    await user.click(await screen.findByRole('button', { name: 'Remove the column e2' }));
    act(() => void addColumn(place('new')));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('A comparison has at most 6 columns')).toBeVisible();
    expect(columns.get().map(({ endpointId }) => endpointId)).toEqual(['e0', 'e1', 'e3', 'e4', 'e5', 'new']);
  });

  it('compares an endpoint with itself, with a field of its own in the second column', async () => {
    setDraft(COMPARE_DRAFT, '{"input": {"prompt": "sea", "seed": 1}}');
    addColumn(place('draws'));
    const bodies: string[] = [];
    const { user } = renderPage(<ComparePage />, {
      accounts: { list: () => accounts },
      endpoints: { list: () => [] },
      jobs: {
        list: () => ({ entries: [], matching: 0, complete: true, total: 0 }),
        submit({ body, entryId }) {
          bodies.push(body);
          return entryOf({ entryId, status: 'COMPLETED' });
        },
        async *watch({ entryId }) {
          yield { type: 'snapshot', entry: entryOf({ entryId, status: 'COMPLETED' }), chunks: [], output: '1' };
        },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Duplicate the column draws' }));
    const own = await screen.findByRole('dialog', { name: 'Input of draws (2)' });
    // The shared input proposes its fields, with their kind and value.
    await user.type(within(own).getByRole('combobox', { name: 'Name' }), 'seed');
    expect(within(own).getByRole('combobox', { name: 'Kind' })).toHaveValue('Number');
    const value = within(own).getByRole('textbox', { name: 'Value' });
    expect(value).toHaveValue('1');
    await user.clear(value);
    await user.type(value, '7{Enter}');
    const second = screen.getByRole('region', { name: 'draws (2) on This computer' });
    expect(within(second).getByRole('button', { name: 'seed 7' })).toBeVisible();

    // A wrong value is not sent, and neither is the one before it.
    const seed = await within(own).findByRole('textbox', { name: 'seed' });
    await user.type(seed, '.');
    const words = 'The field seed of draws (2): This is not a number.';
    expect(await screen.findByText(words)).toBeVisible();
    await user.keyboard('{Control>}{Enter}{/Control}');
    await user.type(seed, '{Backspace}');
    await waitFor(() => expect(screen.queryByText(words)).toBeNull());
    await user.keyboard('{Escape}{Control>}{Enter}{/Control}');
    await waitFor(() =>
      expect(bodies).toEqual(['{"input": {"prompt": "sea", "seed": 1}}', '{"input": {"prompt": "sea", "seed": 7}}']),
    );
  });

  it('invites to add columns while there is none', async () => {
    renderPage(<ComparePage />, { accounts: { list: () => accounts }, endpoints: { list: () => [] } });
    expect(await screen.findByText('Which endpoints?')).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent('Add a column first.');
  });
});
