/** The Jobs page with what the app answers: rows, counts, filters, actions on many, and one job beside the list. */
import { act, fireEvent, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LedgerEntry, LedgerFilter } from '#contract/app/ledger.ts';
import { commandsNow } from '../../state/commands.ts';
import { noFilter, useJobsFilter } from '../../state/jobsFilter.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import JobsPage from './JobsPage.tsx';

const failed = entryOf({
  entryId: 'entry-2',
  jobId: '01a20754-f3bb-7000-b654-292ad8c48b48-l1',
  source: 'api',
  client: 'curl',
  preview: 'a dog',
  status: 'FAILED',
  error: 'CUDA out of memory',
  delayTime: 12,
  executionTime: 840,
  startedAt: 13,
  finishedAt: 853,
  retries: 1,
});
const waiting = entryOf({ preview: 'a cat', waiting: 'Both workers are busy.', tags: ['nightly'] });

function show(entries: LedgerEntry[], more: object = {}, others: object = {}) {
  const filters: LedgerFilter[] = [];
  const answers = {
    jobs: {
      list({ filter }: { filter: LedgerFilter }) {
        filters.push(filter);
        return { entries, matching: entries.length, total: entries.length, complete: true };
      },
      counts: () => ({ running: 1, queued: 10, since: 312, failed: 3 }),
      tags: () => ['nightly'],
      keyNames: () => ['my script', 'scripts'],
      ...more,
    },
    accounts: { list: () => [] },
    endpoints: { list: () => [] },
    ...others,
  };
  return { filters, ...renderPage(<JobsPage entryId={null} />, answers) };
}

// jsdom lays nothing out: without a height, a list of only the visible rows has none.
beforeEach(() => {
  useJobsFilter.setState(noFilter, true);
  Object.defineProperties(HTMLElement.prototype, {
    offsetHeight: { configurable: true, value: 600 },
    offsetWidth: { configurable: true, value: 900 },
  });
});

describe('the Jobs page', () => {
  it('says in a row what the job is, where it came from, and how long it took', async () => {
    const { screen } = show([waiting, failed]);
    const rows = await screen.findAllByRole('row', { name: /words/ });
    expect(rows[0]).toHaveTextContent(/^Queueda catWaiting: Both workers are busy\.[\d.]+ d agowordswindownightly/);
    expect(rows[1]).toHaveTextContent('Faileda dogCUDA out of memory');
    expect(screen.getByRole('columnheader', { name: 'Source' })).toBeInTheDocument();
    expect(within(rows[1]!).getByRole('gridcell', { name: 'API · curl' })).toBeInTheDocument();
    expect(rows[1]).toHaveTextContent('attempt 2');
    expect(rows[1]).toHaveTextContent('840 ms');
    expect(within(rows[1]!).getByText('01a2…8b48')).toHaveAttribute('title', failed.jobId);
    expect(within(rows[1]!).getByRole('button', { name: 'Copy job id' })).toBeInTheDocument();
  });

  it('says what a job cost where its endpoint has a price', async () => {
    const done = entryOf({
      entryId: 'entry-3',
      status: 'COMPLETED',
      executionTime: 2000,
      startedAt: 13,
      finishedAt: 2013,
    });
    const { endpointId } = done;
    const bill = {
      kind: 'endpoint',
      time: '',
      id: endpointId,
      name: null,
      exists: true,
      amount: 0.0036,
      timeMs: 3000,
      gb: null,
    };
    const { screen } = show(
      [done, waiting],
      {},
      { accounts: { list: () => [thisComputer] }, billing: { read: () => [bill] } },
    );
    const cost = await screen.findByText('≈ $0.0024');
    expect(screen.getByRole('columnheader', { name: 'Cost' })).toBeVisible();
    expect(within(screen.getAllByRole('row', { name: /words/ })[0]!).getByText('≈ $0.0024')).toBe(cost);
    expect(cost.title).toMatch(/^Estimated from its run time/);
  });

  it.each([
    ['no price is set', { amount: 0 }, 'No price was set when it ran.'],
    ['nothing is billed', { id: 'another endpoint' }, /^Its usage is still being counted/],
    ['it waits', {}, 'Known once the job has run.'],
  ])('has a column of costs that says why one is not known, as where %s', async (why, bill, words) => {
    const executionTime = why === 'it waits' ? null : 2000;
    const job = entryOf({ status: executionTime === null ? 'IN_QUEUE' : 'COMPLETED', executionTime });
    const row = { time: '', kind: 'endpoint', id: job.endpointId, name: null, exists: true };
    const read = () => [{ ...row, amount: 0.0036, timeMs: 3000, gb: null, ...bill }];
    const { screen } = show([job], {}, { accounts: { list: () => [thisComputer] }, billing: { read } });
    const [line] = await screen.findAllByRole('row', { name: /words/ });
    expect(screen.getByRole('columnheader', { name: 'Cost' })).toBeVisible();
    const cost = within(line!).getAllByRole('gridcell').at(-2)!;
    await expect.poll(() => within(cost).getByText('–').title).toMatch(words);
  });

  it('shows the jobs with a tag after a click on it, and opens no row for that', async () => {
    const { user, screen, filters } = show([waiting]);
    await user.click(await screen.findByRole('button', { name: 'nightly' }));
    await expect.poll(() => filters.at(-1)).toMatchObject({ tag: 'nightly' });
    expect(screen.getByText('tag: nightly')).toBeVisible();
    expect(location.hash).not.toContain('entry-1');
  });

  it('counts what runs, waits and was sent today', async () => {
    const { screen } = show([waiting]);
    expect(await screen.findByText('1 running · 10 queued · 312 today')).toBeVisible();
  });

  it('shows each part of its filter as a token, saves it under a name, and uses it again', async () => {
    const { user, screen, filters } = show([waiting]);
    await user.click(await screen.findByRole('button', { name: 'Filter' }));
    useJobsFilter.setState({ source: 'api', state: 'failed' });
    expect(await screen.findByText('from: API')).toBeVisible();
    expect(filters.at(-1)).toMatchObject({ source: 'api', statuses: ['FAILED', 'TIMED_OUT', 'REFUSED', 'UNANSWERED'] });
    await user.type(screen.getByRole('textbox', { name: 'Name of the filter' }), 'broken scripts');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await user.click(screen.getByRole('button', { name: 'Remove the filter "from: API"' }));
    expect(useJobsFilter.getState()).toMatchObject({ source: 'any', state: 'failed' });
    const saved = within(screen.getByRole('group', { name: 'Saved filters' }));
    const chip = saved.getByRole('button', { name: 'broken scripts', pressed: false });
    await user.click(chip);
    expect(useJobsFilter.getState()).toMatchObject({ source: 'api', state: 'failed' });
    expect(chip).toHaveAttribute('aria-pressed', 'true');
    await user.click(chip);
    expect(useJobsFilter.getState()).toMatchObject(noFilter);
  });

  it('filters by the name of an API key', async () => {
    const { filters, user, screen } = show([failed]);
    await user.click(screen.getByRole('button', { name: 'Filter' }));
    await user.click(await screen.findByRole('combobox', { name: 'API key' }));
    await user.click(await screen.findByRole('option', { name: 'my script' }));
    await waitFor(() => expect(filters.at(-1)).toEqual({ keyName: 'my script' }));
    await user.click(screen.getByRole('button', { name: 'Remove the filter "key: my script"' }));
    await waitFor(() => expect(filters.at(-1)).toEqual({}));
  });

  it('invites where there is nothing, and says so where a filter leaves nothing', async () => {
    const { screen } = show([]);
    expect(await screen.findByText('No jobs yet')).toBeVisible();
    useJobsFilter.setState({ source: 'command' });
    expect(await screen.findByText('No jobs match these filters')).toBeVisible();
  });

  it('narrows the list to a range of days, both included, with either end left open', async () => {
    const { user, screen, filters } = show([waiting]);
    await user.click(await screen.findByRole('button', { name: 'Filter' }));
    act(() => useJobsFilter.setState({ time: 'range' }));
    const [from, to] = [screen.getByLabelText('From'), screen.getByLabelText('To')];
    fireEvent.change(from, { target: { value: '2026-03-28' } });
    fireEvent.change(to, { target: { value: '2026-03-29' } });
    const [begin, end] = [new Date(2026, 2, 28).getTime(), new Date(2026, 2, 30).getTime()];
    await expect.poll(() => filters.at(-1)).toEqual({ sentAfter: begin, sentBefore: end });
    expect(screen.getByText('2026-03-28 – 2026-03-29')).toBeVisible();
    fireEvent.change(to, { target: { value: '' } });
    await expect.poll(() => filters.at(-1)).toEqual({ sentAfter: begin });
    fireEvent.change(from, { target: { value: '' } });
    fireEvent.change(to, { target: { value: '2026-03-29' } });
    await expect.poll(() => filters.at(-1)).toEqual({ sentBefore: end });
    fireEvent.change(from, { target: { value: '2026-03-30' } });
    expect(to).toHaveAttribute('title', 'The end is before the start');
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    await expect.poll(() => filters.at(-1)).toEqual({});
    expect(screen.queryByLabelText('From')).toBeNull();
  });

  it('marks a job that the service of another computer has forgotten, and no other', async () => {
    const finishedAt = Date.now() - 3 * 24 * 3_600_000;
    const { screen } = show([
      waiting,
      { ...failed, accountId: 'cloud', finishedAt },
      { ...failed, accountId: 'cloud', entryId: 'new', finishedAt: Date.now() },
      { ...failed, entryId: 'here', finishedAt },
    ]);
    const rows = await screen.findAllByRole('row', { name: /words/ });
    const isMarked = (row: HTMLElement) => within(row).queryByRole('img', { name: 'kept here' }) !== null;
    expect(rows.map(isMarked)).toEqual([false, true, false, false]);
  });

  it('acts on many jobs, and says of each how it went', async () => {
    const done: string[][] = [];
    const { user, screen } = show([waiting, failed], {
      async *cancelMany({ entryIds }: { entryIds: string[] }) {
        done.push(entryIds);
        yield { entryId: 'entry-1', entry: null, problem: 'The engine does not answer.' };
      },
    });
    for (const box of await screen.findAllByRole('checkbox', { name: /words$/ })) await user.click(box);
    expect(screen.getByRole('toolbar', { name: 'Selected jobs' })).toHaveTextContent('2 selected');
    const none = screen.getByRole('button', { name: 'Retry' });
    expect(none).toHaveAttribute('aria-disabled', 'true');
    expect(none).toHaveAccessibleDescription('None of these jobs allows it.');
    await user.click(screen.getByRole('button', { name: 'Cancel 1' }));
    const results = await screen.findByRole('list', { name: 'Result' });
    expect(results).toHaveTextContent('a cat · words');
    expect(results).not.toHaveTextContent('Both workers are busy.');
    expect(results).toHaveTextContent('The engine does not answer.');
    expect(done).toEqual([['entry-1']]);
  });

  it.each([
    ['wait', [waiting, { ...waiting, entryId: 'entry-3' }], 'Only jobs that have ended can be retried.'],
    [
      'are done',
      [entryOf({ status: 'COMPLETED', finishedAt: 9 })],
      'Only jobs that failed or timed out can be retried. Open a job to run its input as a new job.',
    ],
    [
      'ran on a removed account',
      [entryOf({ accountId: 'gone', accountName: 'work', status: 'FAILED', finishedAt: 9 })],
      'These jobs ran on work, which you removed. Open a job to run its input on this computer.',
    ],
  ])('says in its bar why chosen jobs that %s cannot be retried', async (_, entries, reason) => {
    const { user, screen } = show(
      entries,
      {},
      { accounts: { list: () => [thisComputer] }, billing: { read: () => [] } },
    );
    for (const box of await screen.findAllByRole('checkbox', { name: /words$/ })) await user.click(box);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Retry' })).toHaveAccessibleDescription(reason));
  });

  it('adds a tag to the chosen jobs', async () => {
    const sent: unknown[] = [];
    const { user, screen } = show([waiting, failed], {
      tag(change: unknown) {
        sent.push(change);
        return { changed: 2 };
      },
    });
    for (const box of await screen.findAllByRole('checkbox', { name: /words$/ })) await user.click(box);
    await user.click(screen.getByRole('button', { name: 'Tag…' }));
    await user.type(await screen.findByLabelText('Tag', { selector: 'input' }), 'to look at');
    await user.keyboard('{Enter}');
    expect(sent).toEqual([{ entryIds: ['entry-1', 'entry-2'], tags: ['to look at'], change: 'add' }]);
    await waitFor(() => expect(screen.queryByLabelText('Tag', { selector: 'input' })).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Tag…' }));
    await user.type(await screen.findByLabelText('Tag', { selector: 'input' }), 'nig');
    // The key that marks a known tag, and the one that chooses it; the next one adds it.
    await user.keyboard('{ArrowDown}{Enter}');
    expect(sent).toHaveLength(1);
    await user.keyboard('{Enter}');
    expect(sent[1]).toEqual({ entryIds: ['entry-1', 'entry-2'], tags: ['nightly'], change: 'add' });
  });

  it('has a command for each action on the chosen jobs, as far as it is possible', async () => {
    const labels = () => commandsNow().map(({ label }) => label);
    // A service forgets a job some time after its end, and retries it until then.
    const { user, screen } = show([waiting, { ...failed, finishedAt: Date.now() }]);
    const [first] = await screen.findAllByRole('checkbox', { name: /words$/ });
    expect(labels().filter((label) => label.includes('chosen'))).toEqual([]);
    await user.click(first!);
    expect(labels()).toEqual(
      expect.arrayContaining(['Cancel the selected jobs', 'Tag the selected jobs…', 'Clear the selection of jobs']),
    );
    expect(labels()).not.toContain('Retry the selected jobs');
    expect(labels()).not.toContain('Remove the selected jobs from this computer');
    await user.click((await screen.findAllByRole('checkbox', { name: /words$/ }))[1]!);
    expect(labels()).toEqual(
      expect.arrayContaining(['Retry the selected jobs', 'Remove the selected jobs from this computer']),
    );
  });

  it('chooses all jobs of the filter, also those that are not loaded, and the first 1 000 of more', async () => {
    let total = 700;
    const page = ({ offset, limit }: { offset: number; limit: number }) => ({
      entries: Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, row) =>
        entryOf({ entryId: `entry-${offset + row}`, sentAt: total - offset - row }),
      ),
      matching: total,
      total,
      complete: true,
    });
    const { user, screen } = show([], { list: page });
    const bar = () => screen.getByRole('toolbar', { name: 'Selected jobs' });
    const all = await screen.findByRole('checkbox', { name: 'Select all jobs' });
    await user.click(all);
    await waitFor(() => expect(bar()).toHaveTextContent('700 selected'));
    expect(all).toBeChecked();
    await user.click(all);
    expect(screen.queryByRole('toolbar', { name: 'Selected jobs' })).toBeNull();

    total = 5321;
    useJobsFilter.setState({ state: 'queued' });
    await waitFor(() => expect(screen.getByRole('grid')).toHaveAttribute('aria-rowcount', '5322'));
    commandsNow()
      .find(({ label }) => label === 'Select all jobs')
      ?.run();
    await waitFor(() => expect(bar()).toHaveTextContent('The first 1 000 of 5 321 are selected'));
    expect(screen.getByRole('checkbox', { name: 'Select all jobs' })).toBePartiallyChecked();
    await user.click(screen.getAllByRole('checkbox', { name: /words$/ })[0]!);
    expect(bar()).toHaveTextContent('999 selected');
    await user.click(screen.getAllByRole('checkbox', { name: /words$/ })[0]!);
    expect(bar()).toHaveTextContent('1 000 selected (the maximum)');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('toolbar', { name: 'Selected jobs' })).toBeNull();
  });

  it('says why all jobs could not be chosen', async () => {
    let isAway = false;
    const list = () => {
      if (isAway) throw new Error('out of reach');
      return { entries: [waiting, failed], matching: 2, total: 2, complete: true };
    };
    const { user, screen } = show([], { list });
    const all = await screen.findByRole('checkbox', { name: 'Select all jobs' });
    isAway = true;
    await user.click(all);
    expect(await screen.findByText('Not selected')).toBeVisible();
    expect(all).not.toBeChecked();
  });

  it('puts the focus into the search by its keys', async () => {
    const { user, screen } = show([waiting]);
    await screen.findAllByRole('row');
    await user.keyboard('{Control>}f{/Control}');
    expect(screen.getByRole('textbox', { name: 'Text' })).toHaveFocus();
  });
});
