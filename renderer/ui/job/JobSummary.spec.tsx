import { act, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { PauseState } from '#contract/local/machine.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { loseApp } from '../../../test/support/page/app.ts';
import { endpointRow, readinessOf } from '../../../test/support/page/endpoints.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { orpc, queryClient } from '../../client/transport/orpc.ts';
import { formatMoment } from '../text/format.ts';
import { JobSummary } from './JobSummary.tsx';

const waiting = "The handler fails on start: No module named 'torch' (handler.py:2). Its workersMax is 1.";
const shown = /No module named 'torch' \(handler\.py:2\)\. Its "Maximum workers" is 1\.$/;

describe('the reason why a job waited', () => {
  it.each([
    ['while it waits', entryOf({ waiting }), 'Waiting:'],
    [
      'after it was cancelled, without its place in the queue',
      entryOf({ waiting: `${waiting} 11 jobs go before it.`, status: 'CANCELLED', finishedAt: 2, workerId: '' }),
      'Why it waited last:',
    ],
  ])('is shown %s, with the labels of the window', (_when, entry, title) => {
    const { screen } = renderPage(<JobSummary entry={entry} />, {
      endpoints: { now: () => ({ rows: [], pause: null }) },
    });
    expect(screen.getByText(title)).toBeVisible();
    expect(screen.getByText(shown)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Copy worker id' })).toBeNull();
  });

  it('begins with its place in the queue, and leads to the setting that allows no more workers', async () => {
    const full = 'The only worker is busy, and the endpoint may have no more: its workersMax is 1.';
    const entry = entryOf({ waiting: `${full} 11 jobs go before it.` });
    const { user, screen } = renderPage(<JobSummary entry={entry} />, {
      endpoints: { now: () => ({ rows: [], pause: null }) },
    });
    const link = screen.getByRole('link', { name: 'Change it' });
    expect(link.parentElement).toHaveTextContent(
      /^Waiting: 12th in the queue · The only worker is busy, .* "Maximum workers" is 1\. Change it$/,
    );
    await user.click(link);
    expect(location.hash).toContain(`/endpoints/${entry.endpointId}/settings`);
  });

  it('is what the page of the endpoint says where its workers crash, and leads there', async () => {
    const entry = entryOf({ waiting });
    const trouble = {
      deaths: 7,
      reason: 'No module named torch (handler.py:2, exit code 1)',
      onStart: true,
      lastLines: ['Traceback', "ModuleNotFoundError: No module named 'torch'"],
      nextTryAt: new Date(Date.now() + 60_000).toISOString(),
    };
    const row = { ...endpointRow({ ...readinessOf(null), runtime: 'python', trouble }), id: entry.endpointId };
    const { user, screen } = renderPage(<JobSummary entry={entry} />, {
      endpoints: { now: () => ({ rows: [row], pause: null }) },
    });
    const notice = await screen.findByRole('alert');
    expect(notice).toHaveTextContent(
      /The handler fails on start\.No module .* exit code 1\)\. 7 workers failed in a row\. The next worker starts in \d+ s\./,
    );
    expect(screen.getByRole('region', { name: 'Last output before the crash' })).toHaveTextContent(
      'ModuleNotFoundError',
    );
    expect(screen.queryByText('Waiting:')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show the endpoint' }));
    expect(location.hash).toContain(`/endpoints/${entry.endpointId}`);
  });

  it('is a paused machine with the button that resumes it', async () => {
    const paused: PauseState = {
      state: 'paused',
      source: 'person',
      message: 'Paused by you.',
      since: null,
      until: null,
      overruled: [],
    };
    const resumed: string[] = [];
    const { user, screen } = renderPage(<JobSummary entry={entryOf({ waiting: 'Paused by you.' })} />, {
      endpoints: { now: () => ({ rows: [], pause: paused }) },
      machine: {
        resume: ({ accountId }) => {
          resumed.push(accountId);
          return { ...paused, state: 'running', source: null, message: '' };
        },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Resume' }));
    await waitFor(() => expect(resumed).toEqual([entryOf().accountId]));
  });

  it('is not shown for a job that a worker had', () => {
    const { screen } = renderPage(
      <JobSummary entry={entryOf({ waiting, status: 'COMPLETED', startedAt: 2, finishedAt: 3 })} />,
    );
    expect(screen.queryByText(shown)).toBeNull();
  });
});

describe('a job that was not queued', () => {
  const at = Date.UTC(2026, 1, 3, 12, 4, 5);
  it.each([
    ['refused', 'REFUSED', `Refused at ${formatMoment(at)}. It was never queued.`],
    ['sent without an answer', 'UNANSWERED', `No answer had arrived at ${formatMoment(at)}.`],
  ] as const)('says when it was %s, and no time in a queue', (_how, status, words) => {
    const entry = entryOf({ status, jobId: null, sentAt: at - 21, finishedAt: at });
    const { screen } = renderPage(<JobSummary entry={entry} />);
    expect(screen.getByText(words)).toBeVisible();
    expect(screen.queryByText(/queued 21|21 ms/)).toBeNull();
    expect(screen.queryByRole('img')).toBeNull();
  });
});

describe('the bar of a job', () => {
  it.each([
    ['one that waits', entryOf({ sentAt: Date.now() - 7000 }), ['100%']],
    ['one that runs', entryOf({ status: 'IN_PROGRESS', sentAt: Date.now() - 7000, startedAt: Date.now() - 10 }), null],
  ])('is whole for %s: how much is left is not known', (_what, entry, widths) => {
    const { screen } = renderPage(<JobSummary entry={entry} />);
    const phases = [...screen.getByRole('img', { name: /^Timeline:/ }).querySelectorAll('i')];
    const shares = phases.map(({ style }) => Number.parseFloat(style.width));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100);
    if (widths) expect(phases.map(({ style }) => style.width)).toEqual(widths);
    expect(phases.map(({ dataset }) => dataset['live'])).toEqual([...phases.slice(1).map(() => undefined), 'true']);
  });
});

describe('a job whose account cannot be asked now', () => {
  const far = { ...thisComputer, id: 'far', name: 'gpu-box', state: 'offline' } as const;
  const known = entryOf({ accountId: 'far', waiting, sentAt: Date.now() - 60_000 });

  it('is shown as last known and as sent, not as waiting, and its time does not count on', () => {
    act(() => void queryClient.setQueryData(orpc.accounts.list.queryKey(), [thisComputer, far]));
    const { screen } = renderPage(<JobSummary entry={known} />);
    expect(screen.getByTitle('Last known: Queued')).toBeVisible();
    expect(screen.getByText(/The job was sent\. .* appears when gpu-box answers again\.$/)).toBeVisible();
    expect(screen.queryByText('Waiting:')).toBeNull();
    // Nobody has followed it since this page was loaded.
    expect(screen.queryByRole('img', { name: /^Timeline:/ })).toBeNull();
    act(() => queryClient.removeQueries({ queryKey: orpc.accounts.list.key() }));
  });

  it('says why, where only its endpoint does not answer', () => {
    const { screen } = renderPage(<JobSummary entry={{ ...known, trouble: 'gpu-box answered 502.' }} />);
    expect(screen.getByText(/gpu-box answered 502\. Hangar tries again automatically\.$/)).toBeVisible();
  });

  it('keeps the time at which Hangar ended, and goes on when it is back', async () => {
    const { screen } = renderPage(<JobSummary entry={entryOf({ sentAt: Date.now() - 60_000 })} />);
    expect(screen.queryByText('Last known state.')).toBeNull();
    const back = await act(loseApp);
    expect(screen.getByText(/appears when Hangar answers again\.$/)).toBeVisible();
    expect(screen.getByRole('img', { name: /^Timeline: queued 1 min/ })).toBeVisible();
    await act(back);
    expect(screen.queryByText('Last known state.')).toBeNull();
  });
});

describe('what the handler of a running job reports', () => {
  const running = () => entryOf({ status: 'IN_PROGRESS', sentAt: Date.now() - 7000, startedAt: Date.now() - 5000 });

  it('is shown while its account answers it, and a long report by its size', async () => {
    let report = { text: '{"percent":40,"stage":"denoise"}' as string | null, leftOutBytes: null as number | null };
    const { screen } = renderPage(<JobSummary entry={running()} />, { jobs: { progress: () => report } });
    const group = await screen.findByRole('group', { name: 'Progress' });
    expect(group).toHaveTextContent('40 % · denoise · percent: 40');
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40');
    report = { text: null, leftOutBytes: 2_000_000 };
    expect(await screen.findByText(/^The handler reports 1\.9 MB of progress, too much to show/)).toBeVisible();
    expect(screen.queryByRole('group', { name: 'Progress' })).toBeNull();
  });

  it('is not asked for in the first second, nor of a job that does not run', async () => {
    const jobs: string[] = [];
    const progress = ({ entryId }: { entryId: string }) => {
      jobs.push(entryId);
      return { text: null, leftOutBytes: null };
    };
    const begun = entryOf({ status: 'IN_PROGRESS', sentAt: Date.now(), startedAt: Date.now() + 60_000 });
    const { rerender } = renderPage(<JobSummary entry={begun} />, { jobs: { progress } });
    rerender(<JobSummary entry={entryOf({ entryId: 'ended', status: 'COMPLETED', startedAt: 1, finishedAt: 2 })} />);
    rerender(<JobSummary entry={{ ...running(), entryId: 'runs' }} />);
    // Calls are served in order, so one for the jobs before would stand first.
    await waitFor(() => expect(jobs[0]).toBe('runs'));
  });
});
