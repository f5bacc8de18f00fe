import { ORPCError } from '@orpc/server';
import { act, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#contract/app/account.ts';
import type { LedgerEntry, RequestLine } from '#contract/app/ledger.ts';
import { queryClient } from '../../client/transport/orpc.ts';
import { commandsNow } from '../../state/commands.ts';
import { draftKey, draftText, setDraft } from '../../state/drafts.ts';
import { shownEntry, targetAccount } from '../../state/selection.ts';
import { noFilter, useJobsFilter } from '../../state/jobsFilter.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import type { Answers } from '../../../test/support/page/app.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { endpointSummary } from '../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { Inspector } from './Inspector.tsx';
import { WhatCell } from './list/WhatCell.tsx';
import JobsPage from './JobsPage.tsx';

/** What the page has asked in this test: it may ask after its first tabs are there. */
const answered = new Set<string>();
beforeEach(() => {
  answered.clear();
  queryClient.clear();
});

const answers = (entry: LedgerEntry, requests: RequestLine[]): Answers => ({
  jobs: {
    list: () => ({ entries: [entry], matching: 1, total: 1, complete: true }),
    counts: () => ({ running: 0, queued: 0, since: 1, failed: 0 }),
    tags() {
      answered.add('tags');
      return [];
    },
    body: () => '{"input":{}}',
    requests() {
      answered.add('requests');
      return requests;
    },
    attempts: () => [
      {
        number: 1,
        endedBy: 'lost',
        status: 'FAILED',
        queuedAt: 1,
        startedAt: 2,
        finishedAt: 3,
        delayTime: 1,
        executionTime: 1,
        workerId: 'w-1',
        error: 'Traceback:\n  File "/srv/handler.py", line 12\nValueError: no',
        outputBytes: 0,
        chunkCount: 0,
      },
    ],
    async *watch() {
      yield { type: 'snapshot', entry, chunks: [], output: null };
    },
  },
  accounts: { list: () => [] },
  endpoints: { list: () => [], now: () => ({ rows: [], pause: null }) },
});
const ended = entryOf({ status: 'COMPLETED', startedAt: 2, finishedAt: 3, workerId: 'w-2', retries: 1 });
const request = {
  method: 'GET',
  path: '/v2/e/status/job-1',
  status: 200,
  error: null,
  times: 1,
  tookMs: 2,
  firstAt: 1,
  lastAt: 1,
};

const inspectorOf = ({ entryId }: LedgerEntry) => (
  <Inspector entryId={entryId} onClose={() => undefined} onRemoved={() => undefined} />
);

function show(entry: LedgerEntry, requests: RequestLine[] = []) {
  return renderPage(inspectorOf(entry), answers(entry, requests));
}

describe('one job', () => {
  it.each([
    ['of a script has no tab of requests without one that is known', 'api' as const, [], false],
    ['of a script has one for the requests of Hangar', 'api' as const, [request], true],
    ['of the window has one', 'window' as const, [], true],
  ])('%s', async (_what, source, requests, has) => {
    const { screen } = show({ ...ended, source }, requests);
    expect(await screen.findByRole('tab', { name: 'Webhooks' })).toBeVisible();
    const expectedCalls = ended.source === source ? ['tags'] : ['requests', 'tags'];
    await expect.poll(() => [...answered].toSorted()).toEqual(expectedCalls);
    await expect.poll(() => screen.queryByRole('tab', { name: 'Requests' }) !== null).toBe(has);
  });

  it('that a person ran again as a new job leads to the one before', async () => {
    const { screen } = show({ ...ended, retryOf: 'entry-0' });
    const link = await screen.findByRole('link', { name: 'the earlier job' });
    expect(link).toHaveAttribute('href', '#/jobs/entry-0');
    await expect.poll(() => answered).toContain('tags');
  });

  it('has its link in the palette', async () => {
    const { screen } = show(ended);
    await screen.findByRole('tab', { name: 'Webhooks' });
    act(() =>
      commandsNow()
        .find(({ label }) => label === 'Copy the link to this job')
        ?.run(),
    );
    await expect.poll(() => navigator.clipboard.readText()).toBe(location.href);
    await expect.poll(() => answered).toContain('tags');
  });

  it.each(['attempts', 'requests', 'webhooks'] as const)('has a skeleton while its %s are read', async (what) => {
    const base = answers(ended, []);
    const { user, screen } = renderPage(inspectorOf(ended), {
      ...base,
      jobs: { ...base.jobs, [what]: () => new Promise(() => undefined) },
    });
    await user.click(await screen.findByRole('tab', { name: new RegExp(`^${what}$`, 'i') }));
    const panel = within(screen.getByRole('tabpanel', { name: new RegExp(`^${what}$`, 'i') }));
    expect((await panel.findByRole('group', { name: 'Loading' })).children).toHaveLength(4);
  });

  it('lists its attempts, each with its time and its worker, in three columns', async () => {
    const { user, screen } = show(ended);
    await user.click(await screen.findByRole('tab', { name: 'Attempts' }));
    await screen.findByText('w-1');
    await expect.poll(() => answered).toContain('tags');
    const titles = screen.getAllByRole('columnheader');
    expect(titles.map(({ textContent }) => textContent)).toEqual(['Attempt', 'State', 'Ran']);
    expect(screen.getByText(/File "\/srv\/handler\.py", line 12/)).toBeInTheDocument();
  });
});

describe('what was asked of the service about a job', () => {
  it('is listed, and that no webhook was named', async () => {
    const base = answers(ended, [request]);
    const { user, screen } = renderPage(inspectorOf(ended), {
      ...base,
      jobs: { ...base.jobs, webhooks: () => ({ told: 'none-named' as const, webhooks: [] }) },
    });
    await user.click(await screen.findByRole('tab', { name: 'Requests' }));
    const row = await screen.findByRole('row', { name: /status\/job-1/ });
    // Without what all requests of the job have, and without the day on which it was sent.
    expect(row).toHaveTextContent(/^GET status\/job-120012 ms[\d:]+( [AP]M)?$/);
    expect(within(row).getByTitle('/v2/e/status/job-1')).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Webhooks' }));
    expect(await screen.findByText('This job has no webhook.')).toBeVisible();
  });
});

describe('a job that is over', () => {
  function showOver(more: object = {}) {
    const removed: string[] = [];
    const base = answers({ ...ended, finishedAt: Date.now() }, []);
    const page = renderPage(
      <Inspector entryId={ended.entryId} onClose={() => undefined} onRemoved={(entryId) => removed.push(entryId)} />,
      { ...base, jobs: { ...base.jobs, ...more } },
    );
    return { ...page, removed };
  }

  it('opens Run with its input and no result by "Edit and run…"', async () => {
    const { user, screen } = showOver({ body: () => '{"input":{"text":"once more"}}' });
    const edit = await screen.findByRole('button', { name: 'Edit and run…' });
    await expect.poll(() => edit.hasAttribute('disabled')).toBe(false);
    const key = draftKey(ended.accountId, ended.endpointId);
    shownEntry.set(key, ended.entryId);
    await user.click(edit);
    expect(location.hash).toBe(`#/run/${ended.endpointId}`);
    // A script sends it on one line; a person edits it on several.
    const laidOut = '{\n  "input": {\n    "text": "once more"\n  }\n}';
    expect([draftText.get(key), shownEntry.get(key)]).toEqual([laidOut, null]);
  });

  it('is removed from this computer at once, says so, and is put back by Undo', async () => {
    const calls: [string, string[]][] = [];
    const { user, screen, removed } = showOver({
      forget({ entryIds }: { entryIds: string[] }) {
        calls.push(['forget', entryIds]);
        return { removed: entryIds.length };
      },
      restore({ entryIds }: { entryIds: string[] }) {
        calls.push(['restore', entryIds]);
        return { restored: entryIds.length };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Remove from this computer' }));
    const notice = (await screen.findByText('Removed the job')).closest<HTMLElement>('[role=alert]')!;
    expect(removed).toEqual([ended.entryId]);
    await user.click(within(notice).getByRole('button', { name: 'Undo' }));
    await expect.poll(() => calls.map(([name]) => name)).toEqual(['forget', 'restore']);
    expect(calls.map(([, entryIds]) => entryIds)).toEqual([[ended.entryId], [ended.entryId]]);
  });

  it('that its service has forgotten says that it is kept here', async () => {
    const { screen } = show({ ...ended, accountId: 'cloud' });
    expect(await screen.findByText('Here. The service has removed its copy.')).toBeVisible();
    await expect.poll(() => answered).toContain('tags');
  });

  it('that was removed is not found at its address', async () => {
    const { screen } = showOver({
      async *watch() {
        throw new ORPCError('NOT_FOUND', { message: 'The record of this job was removed.' });
      },
    });
    expect(await screen.findByText('Job not found')).toBeVisible();
    expect(screen.getByText('The record of this job was removed.')).toBeVisible();
  });
});

describe('a job that is cancelled', () => {
  it('is not sent again by the second click of a double click', async () => {
    const running = entryOf({ status: 'IN_PROGRESS', startedAt: 2 });
    const cancelled: LedgerEntry = { ...running, status: 'CANCELLED', finishedAt: 3 };
    let resolve: (entry: LedgerEntry) => void = () => undefined;
    const promise = new Promise<LedgerEntry>((ended) => (resolve = ended));
    const sent: string[] = [];
    const base = answers(running, []);
    const { user, screen } = renderPage(inspectorOf(running), {
      ...base,
      jobs: {
        ...base.jobs,
        cancel() {
          resolve(cancelled);
          return cancelled;
        },
        submit({ entryId }) {
          sent.push(entryId);
          return entryOf({ entryId });
        },
        async *watch() {
          yield { type: 'snapshot', entry: running, chunks: [], output: null };
          yield { type: 'entry', entry: await promise, output: null };
        },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    const retry = await screen.findByRole('button', { name: 'Retry' });
    await user.click(retry);
    expect(sent).toEqual([]);
    await expect.poll(() => retry.getAttribute('aria-disabled')).toBeNull();
    await user.click(retry);
    await expect.poll(() => sent.length).toBe(1);
  });
});

it('a job without a record of its input says why it can be neither edited nor run again', async () => {
  const failed = entryOf({ status: 'COMPLETED', startedAt: 2, finishedAt: 3 });
  const base = answers(failed, []);
  const { screen } = renderPage(inspectorOf(failed), { ...base, jobs: { ...base.jobs, body: () => '' } });
  const edit = await screen.findByRole('button', { name: 'Edit and run…' });
  await expect.poll(() => edit.getAttribute('aria-description')).toBe('Its input was not recorded.');
  expect(screen.getByRole('button', { name: 'Retry' })).toHaveAccessibleDescription('Its input was not recorded.');
});

describe('a long output', () => {
  const done = entryOf({ status: 'COMPLETED', startedAt: 2, finishedAt: 3 });
  const text = JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id, name: `row ${id}` })));
  const leftOut = { bytes: 10_000_000, start: text.slice(0, 1000) };
  const base = answers(done, []);
  const withOutput = (output: () => AsyncGenerator<string, void, void>): Answers => ({
    ...base,
    jobs: {
      ...base.jobs,
      async *watch() {
        yield { type: 'snapshot', entry: done, chunks: [], output: null, leftOut };
      },
      output,
    },
  });

  it('shows its first rows before the first piece of it comes, and can be saved once it is here', async () => {
    let send: () => void = () => undefined;
    const pieces = new Promise<void>((resolve) => (send = resolve));
    const { screen } = renderPage(
      inspectorOf(done),
      withOutput(async function* () {
        await pieces;
        yield text.slice(0, 1000);
        yield text.slice(1000);
      }),
    );
    expect(await screen.findByText('row 5')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Output' })).toHaveAttribute('aria-busy', 'true');
    expect(screen.getByText(/^The first \d\d rows$/)).toBeVisible();
    expect(screen.getByText(/^Reading .* MB of output$/)).toBeVisible();
    for (const name of ['Save as CSV', 'Save output', 'Copy output']) {
      expect(screen.queryByRole('button', { name })).toBeNull();
    }
    send();
    expect(await screen.findByText('300 rows')).toBeVisible();
    expect(screen.queryByText(/^Reading/)).toBeNull();
    for (const name of ['Save as CSV', 'Save output', 'Copy output']) {
      expect(screen.getByRole('button', { name })).toBeVisible();
    }
  });

  it('that cannot be read says why, and is read again on a click', async () => {
    let tries = 0;
    const { user, screen } = renderPage(
      inspectorOf(done),
      withOutput(async function* () {
        tries += 1;
        yield text.slice(0, 1000);
        if (tries === 1) throw new ORPCError('UNAVAILABLE', { message: 'The disk of the jobs cannot be read.' });
        yield text.slice(1000);
      }),
    );
    expect(await screen.findByText('The disk of the jobs cannot be read.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('300 rows')).toBeVisible();
    expect(screen.queryByText('The disk of the jobs cannot be read.')).toBeNull();
  });
});

describe('a job of a cloud account', () => {
  const far = entryOf({ accountId: 'far', accountName: 'work', status: 'COMPLETED', startedAt: 2, finishedAt: 3 });
  const cloud: Account = { ...thisComputer, id: 'far', name: 'work', kind: 'cloud' };
  const show = () => {
    const base = answers(far, []);
    return renderPage(inspectorOf(far), {
      ...base,
      accounts: { list: () => [thisComputer, cloud] },
      billing: { read: () => [] },
      endpoints: {
        list: ({ accountId }: { accountId: string }) =>
          ['other', far.endpointName].map((name) => endpointSummary({ accountId, id: `${accountId}-${name}`, name })),
      },
    });
  };

  it('its input is opened on this computer, with the endpoint of the same name', async () => {
    const { user, screen } = show();
    targetAccount.set('far');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Edit and run…' })).toHaveAttribute('aria-haspopup'));
    await user.click(screen.getByRole('button', { name: 'Edit and run…' }));
    expect(await screen.findByRole('menuitem', { name: 'On work · costs money' })).toBeVisible();
    await user.click(screen.getByRole('menuitem', { name: 'On this computer' }));
    await expect.poll(() => location.hash).toBe(`#/run/this-machine-${far.endpointName}`);
    expect(targetAccount.get()).toBe('this-machine');
  });

  it('Retry says that it costs money, whatever the target is', async () => {
    const { screen } = show();
    await expect
      .poll(() => screen.queryByRole('button', { name: 'Retry' })?.getAttribute('aria-description'))
      .toBe('Runs the same input as a new job on work, which costs money');
  });
});

describe('a job of a computer that was removed', () => {
  const orphan = entryOf({ accountId: 'far', accountName: 'Workstation', status: 'FAILED', finishedAt: Date.now() });

  it('is not sent there again, and is run on this computer with the endpoint of the same name', async () => {
    const here = ['other', orphan.endpointName].map((name) => endpointSummary({ id: `id-${name}`, name }));
    const base = answers(orphan, []);
    const { user, screen } = renderPage(inspectorOf(orphan), { ...base, endpoints: { list: () => here } });
    const retry = await screen.findByRole('button', { name: 'Retry' });
    await expect.poll(() => retry.getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByText(/to Workstation \(removed\)/)).toBeVisible();
    await user.hover(retry);
    expect(await screen.findByText(/^This job ran on Workstation, which you removed\./)).toBeVisible();
    const draft = draftKey('this-machine', `id-${orphan.endpointName}`);
    setDraft(draft, '{"input": "typed"}');
    await user.click(screen.getByRole('button', { name: 'Edit and run here…' }));
    await expect.poll(() => location.hash).toBe(`#/run/id-${orphan.endpointName}`);
    expect(targetAccount.get()).toBe('this-machine');
    expect(await screen.findByText(`Replaced the input of ${orphan.endpointName} with that of the job`)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(draftText.get(draft)).toBe('{"input": "typed"}');
  });

  it('is named so in the list', async () => {
    const { screen } = renderPage(
      <WhatCell entry={orphan} now={0} hasAccounts={false} isRemoved />,
      answers(orphan, []),
    );
    expect(await screen.findByText('Workstation (removed)')).toBeVisible();
  });
});

describe('in a narrow window', () => {
  const { matchMedia } = window;
  beforeEach(() => {
    useJobsFilter.setState(noFilter, true);
    window.matchMedia = (media) => Object.assign(matchMedia(media), { matches: media.includes('max-width') });
  });
  afterEach(() => (window.matchMedia = matchMedia));

  it('the open job takes the place of the list', async () => {
    const { screen } = renderPage(<JobsPage entryId={ended.entryId} />, answers(ended, []));
    expect(await screen.findByRole('tab', { name: 'Webhooks' })).toBeVisible();
    expect(screen.queryByLabelText('List of jobs')).toBeNull();
    await expect.poll(() => answered).toContain('tags');
  });
});
