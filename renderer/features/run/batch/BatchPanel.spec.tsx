import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Batch, BatchRow, NewBatch } from '#contract/bridge/batch/batches.ts';
import type { Answers } from '../../../../test/support/page/app.ts';
import { commandsNow } from '../../../state/commands.ts';
import { noFilter, useJobsFilter } from '../../../state/jobsFilter.ts';
import { batchOf, rowOf } from '../../../../test/support/page/batches.ts';
import { endpointSummary } from '../../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import BatchPanel from './BatchPanel.tsx';

const endpoint = endpointSummary();

const show = (answers: Answers['batches'], spends = false, blocked: string | null = null) =>
  renderPage(<BatchPanel endpoint={endpoint} targetName="work" spends={spends} blocked={blocked} />, {
    batches: {
      list: () => [],
      rows: async (input, signal) => ({ batch: (await answers?.get?.(input, signal)) ?? batchOf(), rows: [] }),
      ...answers,
    },
  });

const labels = () => commandsNow().map(({ label }) => label);

const text = () => screen.findByRole('textbox', { name: 'Inputs, JSON Lines or CSV' });

describe('the list of a batch', () => {
  it('takes the focus when a person comes to it, also if it is loaded after the heading had it', async () => {
    renderPage(
      <>
        <h1 tabIndex={-1} ref={(heading) => heading?.focus()}>
          Batch
        </h1>
        <BatchPanel endpoint={endpoint} targetName="work" spends={false} blocked={null} />
      </>,
      { batches: { list: () => [] } },
    );
    expect(await text()).toHaveFocus();
  });

  it('is run as one body for each line, and the button says how many and that they cost money', async () => {
    const started: NewBatch[] = [];
    const start = (batch: NewBatch): Batch => {
      started.push(batch);
      return batchOf();
    };
    const list = () => (started.length > 0 ? [batchOf()] : []);
    const { user } = show({ start, list, get: () => batchOf() }, true);
    (await text()).focus();
    await user.paste('{"n": 1}\n{"input": {"n": 2}}\n');
    await user.click(await screen.findByRole('button', { name: 'Run 2 inputs on work · costs money' }));
    await waitFor(() => expect(started).toHaveLength(1));
    expect(started[0]).toMatchObject({
      endpointId: 'e',
      atOnce: 4,
      inputs: [
        { line: 1, body: '{"input": {"n": 1}}' },
        { line: 2, body: '{"input": {"n": 2}}' },
      ],
    });
    expect(await screen.findByRole('progressbar')).toBeVisible();
    expect(await text(), 'the list stays for the next batch').toHaveValue('{"n": 1}\n{"input": {"n": 2}}\n');
  });

  it.each([
    [1, 'The endpoint has at most one worker: the other jobs wait in its queue.'],
    [3, 'The endpoint has at most 3 workers, and starts more than one only while jobs wait.'],
  ])('says that the endpoint has at most %i workers', async (workersMax, words) => {
    renderPage(
      <BatchPanel
        endpoint={{ ...endpoint, imageName: 'image:1', workersMax }}
        targetName="work"
        spends={false}
        blocked={null}
      />,
      { batches: { list: () => [] } },
    );
    expect(await screen.findByText(words)).toBeVisible();
  });

  it('is run by Ctrl+Enter, also from its field, with what was typed last', async () => {
    const started: NewBatch[] = [];
    const start = (batch: NewBatch): Batch => {
      started.push(batch);
      return batchOf();
    };
    const { user } = show({ start, get: () => batchOf() }, true);
    (await text()).focus();
    await user.clear(await text());
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(started, 'an empty list').toEqual([]);
    await user.paste('{"n": 1}\n{"n": 2}\n');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(started).toHaveLength(1));
    expect(started[0]?.inputs).toHaveLength(2);
    await waitFor(() =>
      expect(commandsNow()).toContainEqual(
        expect.objectContaining({ label: 'Run 2 inputs on work', description: 'Costs money' }),
      ),
    );
  });

  it('of a chosen file shows its number of inputs, its first rows, and the field that each column becomes', async () => {
    const { user } = show({});
    await text();
    const field = document.querySelector('input[type=file]');
    if (!(field instanceof HTMLInputElement)) throw new Error('There is no field for files.');
    const rows = Array.from({ length: 7 }, (_, index) => `view ${index},${index},`);
    const csv = (lines: readonly string[]) => new File([['prompt,steps,seed', ...lines].join('\n')], 'views.csv');
    await user.upload(field, csv(rows));
    const region = await screen.findByRole('region', { name: 'First inputs of the list' });
    const cells = (row: HTMLElement) => [...row.children].map((cell) => cell.textContent);
    const table = within(region).getAllByRole('row').map(cells);
    expect(table).toEqual([
      ['No.', 'prompt', 'steps'],
      ...[0, 1, 2, 3, 4].map((index) => [String(index + 1), `"view ${index}"`, String(index)]),
    ]);
    expect(screen.getByText('The first 5 of 7 inputs, as they are sent.')).toBeVisible();

    await user.upload(field, csv([...rows, 'one,2,3,4']));
    expect(await screen.findByRole('alert')).toHaveTextContent(/Line 9 This line has 4 values/);
    expect(screen.getByText('The first 5 of 7 inputs that can be read.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Leave them out' }));
    expect(screen.getByRole('alert')).toHaveTextContent(/^Only the other lines are sent: one line cannot be read\./);
    expect(screen.getByRole('button', { name: /^Run 7 inputs on work/ })).toBeEnabled();
    // Its lines can be corrected. A file stays chosen, also for the next test.
    await user.click(screen.getByRole('button', { name: 'Edit as text' }));
    expect(await text()).toHaveValue(['prompt,steps,seed', ...rows, 'one,2,3,4'].join('\n'));
    await user.clear(await text());
  });

  it('with a bad line sends nothing, and names the line', async () => {
    const { user } = show({});
    const empty = await screen.findByRole('button', { name: 'Run the list on work' });
    expect(empty).toHaveAccessibleDescription('Enter or paste a list first.');
    expect(screen.queryByRole('alert')).toBeNull();
    (await text()).focus();
    await user.paste('{"n": 1}\n{"n": }\n');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(/one line cannot be read\..*Line 2 A value is missing before "}"\./);
    const button = screen.getByRole('button', { name: /^Run the list on work/ });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAccessibleDescription('Correct the lines that cannot be read first.');
    await user.click(button);
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(labels().filter((label) => label.startsWith('Run'))).toEqual([]);
  });

  it('may be a file', async () => {
    show({});
    await text();
    const input = document.querySelector('input[type=file]');
    if (!(input instanceof HTMLInputElement)) throw new Error('There is no field for files.');
    await userEvent.upload(input, new File(['prompt,steps\na,1\nb,2\n'], 'list.csv'));
    expect(await screen.findByText('list.csv')).toBeVisible();
    expect(await screen.findByText('CSV · 2 inputs')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Run 2 inputs on work' })).toBeVisible();
    cleanup();
    show({});
    expect(await screen.findByText('list.csv'), 'it stays chosen').toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(screen.queryByText('list.csv')).toBeNull();
  });
});

describe('a batch', () => {
  it('is listed with its inputs and failures, and its tag leads to its jobs', async () => {
    const failing = batchOf({ completed: 2, failed: 1 });
    const { user } = show({ list: () => [failing], get: () => failing });
    expect(await screen.findByDisplayValue(/ · 3 inputs · 1 failed$/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'batch 00000000' }));
    expect(useJobsFilter.getState()).toEqual({ ...noFilter, tag: 'batch 00000000' });
    expect(location.hash).toBe('#/jobs');
  });

  it('says how far it is, and can be stopped', async () => {
    let isStopped = false;
    const now = (): Batch =>
      batchOf({
        completed: 1,
        running: isStopped ? 0 : 1,
        unsent: 1,
        ...(isStopped && { stoppedBy: 'person', total: 2 }),
      });
    const stop = (): Batch => {
      isStopped = true;
      return now();
    };
    const { user } = show({ list: () => [now()], get: now, stop });
    expect(await screen.findByRole('progressbar')).toHaveAttribute('aria-valuenow', '1');
    const summary = within(screen.getByRole('region', { name: 'Batch' }));
    expect(summary.getByText('1 running')).toBeVisible();
    await user.click(summary.getByRole('button', { name: 'Stop' }));
    expect(await summary.findByText('Stopped. 1 input is not sent.')).toBeVisible();
    const send = summary.getByRole('button', { name: 'Send 1 input to work' });
    expect(within(send).getByTitle('work'), 'a long name is cut').toBeVisible();
  });

  it('says why none of its buttons can be used now', async () => {
    const unsent = batchOf({ completed: 0, failed: 0, total: 2, unsent: 2, stoppedBy: 'person' });
    const { user } = show({ list: () => [unsent], get: () => unsent }, false, 'Not connected to Hangar.');
    const send = await screen.findByRole('button', { name: 'Send 2 inputs to work' });
    expect(send).toHaveAccessibleDescription('Not connected to Hangar.');
    await user.click(send);
    const save = screen.getByRole('button', { name: 'Save all' });
    expect(save).toHaveAccessibleDescription('No input was sent yet.');
    await user.click(save);
    expect(save).toHaveAttribute('aria-expanded', 'false');
  });

  it('of which rows failed says why they cannot run again now', async () => {
    const over = batchOf({ completed: 1, failed: 2, repeatable: 2 });
    show({ list: () => [over], get: () => over }, false, 'Not connected to Hangar.');
    const again = await screen.findByRole('button', { name: 'Run the 2 failed rows again on work' });
    expect(again).toHaveAccessibleDescription('Not connected to Hangar.');
    expect(within(again).getByTitle('work')).toBeVisible();
  });

  it('has its actions in the palette while they are possible, and Ctrl+. stops it', async () => {
    let isStopped = false;
    const now = (): Batch =>
      isStopped
        ? batchOf({ completed: 1, failed: 1, repeatable: 1, unsent: 1, stoppedBy: 'person' })
        : batchOf({ completed: 1, failed: 1, repeatable: 1, running: 1 });
    const done: string[] = [];
    const stop = (): Batch => {
      isStopped = true;
      return now();
    };
    const runAgain = (): Batch => {
      done.push('again');
      return now();
    };
    const resume = (): Batch => {
      done.push('resume');
      return now();
    };
    const { user } = show({ list: () => [now()], get: now, stop, runAgain, resume });
    await waitFor(() => expect(labels()).toContain('Stop the batch'));
    expect(labels()).toEqual(
      expect.arrayContaining(['Save all: JSON Lines, with everything', 'Save all: CSV, for a table']),
    );
    expect(labels()).not.toContain('Run the failed row again on work');
    await user.keyboard('{Control>}.{/Control}');
    await waitFor(() => expect(labels()).toContain('Run the failed row again on work'));
    expect(labels()).not.toContain('Stop the batch');
    for (const label of ['Run the failed row again on work', 'Send 1 input to work'])
      commandsNow()
        .find((command) => command.label === label)
        ?.run();
    await waitFor(() => expect(done.toSorted()).toEqual(['again', 'resume']));
  });

  describe('of which a job runs', () => {
    // The time of day stands still, however long the page takes. Timers run.
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
    afterEach(() => void vi.useRealTimers());

    it('counts how long it has run, each second, and leaves a job that has not begun without a time', async () => {
      const batch = batchOf({ completed: 1, running: 2, queued: 1 });
      const now = Date.now();
      const rows: BatchRow[] = [
        rowOf(1, { status: 'COMPLETED', startedAt: now - 9000, finishedAt: now - 4000, executionTime: 5000 }),
        rowOf(2, { status: 'IN_PROGRESS', sentAt: now - 66_000, startedAt: now - 65_000 }),
        rowOf(3, { status: 'IN_QUEUE', sentAt: now - 66_000 }),
      ];
      show({ list: () => [batch], get: () => batch, rows: () => ({ batch, rows }) });
      const ran = async () => {
        const cells = (await screen.findAllByRole('row')).slice(1).map((row) => within(row).getAllByRole('gridcell'));
        return cells.map((row) => row.at(-1)?.textContent);
      };
      await waitFor(async () => expect(await ran()).toEqual(['5.0 s', '1 min 5 s', '–']));
      vi.setSystemTime(now + 10_000);
      await waitFor(async () => expect(await ran()).toEqual(['5.0 s', '1 min 15 s', '–']));
    });
  });

  it('of which only some jobs run says how many wait, and why', async () => {
    const waiting =
      'The only worker is busy; another one starts when a job has waited 4 s. At least 12 jobs go before it.';
    const batch = batchOf({ total: 9, completed: 0, running: 4, queued: 3, unsent: 5, waiting });
    show({ list: () => [batch], get: () => batch });
    expect(await screen.findByText('3 queued')).toBeVisible();
    expect(screen.getByText('1 running')).toBeVisible();
    expect(screen.getByText(/^Waiting: The only worker is busy; .* has waited 4 s\.$/)).toBeVisible();
  });

  it('that was stopped by refusals says the last answer, and sends the rest only on a click', async () => {
    const refused = batchOf({
      completed: 0,
      failed: 2,
      unsent: 1,
      stoppedBy: 'refused',
      problem: 'The key was refused.',
    });
    let resumed = 0;
    const resume = (): Batch => {
      resumed += 1;
      return batchOf();
    };
    const { user } = show({ list: () => [refused], get: () => (resumed > 0 ? batchOf() : refused), resume }, true);
    expect(await screen.findByText('The key was refused.')).toBeVisible();
    expect(resumed).toBe(0);
    await user.click(screen.getByRole('button', { name: 'Send 1 input to work · costs money' }));
    await waitFor(() => expect(screen.queryByText('The key was refused.')).toBeNull());
    expect(resumed).toBe(1);
  });

  it('that is over runs its failed rows again on a click, which says how many, where, and that they cost money', async () => {
    const over = batchOf({ completed: 1, failed: 2, repeatable: 2 });
    let isAgain = false;
    const runAgain = (): Batch => {
      isAgain = true;
      return batchOf({ completed: 1, running: 2 });
    };
    const answers = {
      list: () => [over],
      get: () => (isAgain ? batchOf({ completed: 1, running: 2 }) : over),
      runAgain,
    };
    const { user } = show(answers, true);
    await user.click(await screen.findByRole('button', { name: 'Run the 2 failed rows again on work · costs money' }));
    expect(await screen.findByText('2 running')).toBeVisible();
    expect(screen.queryByRole('button', { name: /failed row/ })).toBeNull();
  });

  it('that still runs, or whose rows nobody may send twice, offers no row again', async () => {
    show({
      list: () => [batchOf({ completed: 0, running: 1, failed: 2, repeatable: 2 })],
      get: () => batchOf({ completed: 0, running: 1, failed: 2, repeatable: 2 }),
    });
    expect(await screen.findByText('2 failed')).toBeVisible();
    expect(screen.queryByRole('button', { name: /failed row/ })).toBeNull();
  });
});
