/** The times of a log, and the file that a person saves of it. */
import { cleanup } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { WholeLogEvent } from '#contract/app/endpointReadModels.ts';
import type { LogLine } from '#contract/local/log.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { useLogFeed } from '../../client/logFeed.ts';
import type { LogMark } from './logLines.ts';
import { LogView } from './LogView.tsx';

const lineOf = (n: number): LogLine => ({
  n,
  at: `2026-11-01T10:00:0${n}.250Z`,
  endpointId: '',
  workerId: 'container',
  jobId: null,
  stream: 'stdout',
  level: n === 2 ? 'error' : null,
  text: `\u001b[32mline ${n}\u001b[0m`,
});

const markOf = (n: number): LogMark => ({
  ...lineOf(Math.floor(n)),
  n,
  at: `2026-11-01T10:00:0${Math.floor(n)}.500Z`,
  workerId: '',
  stream: 'engine',
  text: `Started again, run ${n}, 10:00`,
  fileText: `Started again, run ${n}`,
});

function WorkerLog() {
  const feed = useLogFeed('a', { endpointId: 'e' });
  return <LogView feed={feed} label="Log of demo" emptyText="" />;
}

function PodLog({ marks = [] }: { marks?: number[] }) {
  const feed = useLogFeed('a', { podId: 'p' });
  return <LogView feed={feed} label="Log of demo" writer="source" emptyText="" marks={marks.map(markOf)} />;
}

function show(whole: (signal: AbortSignal | undefined) => AsyncGenerator<WholeLogEvent>, marks?: number[]) {
  const filters: unknown[] = [];
  const page = renderPage(<PodLog {...(marks && { marks })} />, {
    accounts: { list: () => [] },
    logs: {
      page: () => ({ lines: [lineOf(3)], more: true, next: 3 }),
      async *follow() {
        await new Promise(() => undefined);
        yield { lines: [] };
      },
      whole({ filter }: { filter: unknown }) {
        filters.push(filter);
        return whole(undefined);
      },
    },
  });
  return { filters, ...page };
}

const files: { blob: Blob; name: string }[] = [];
beforeEach(() => {
  // jsdom lays nothing out: without a height, a list of only the visible rows has none.
  Object.defineProperties(HTMLElement.prototype, {
    offsetHeight: { configurable: true, value: 600 },
    offsetWidth: { configurable: true, value: 900 },
  });
  files.length = 0;
  const blobs = new Map<string, Blob>();
  URL.createObjectURL = (blob: Blob) => {
    blobs.set(`blob:${blobs.size}`, blob);
    return `blob:${blobs.size - 1}`;
  };
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    files.push({ blob: blobs.get(this.href)!, name: this.download });
  });
});

describe('the times of a log', () => {
  it('have the date and the zone on hover, and stay hidden in the next log once they are switched off', async () => {
    const { screen, user } = show(async function* () {});
    const time = (await screen.findByText('line 3')).closest('[data-index]')!.querySelector('time')!;
    expect(time.title).toMatch(/2026.*(GMT|UTC|[A-Z]{3,4})/);
    await user.click(screen.getByRole('button', { name: 'Timestamps', pressed: true }));
    expect(screen.getByText('line 3').closest('[data-index]')!.querySelector('time')).toBeNull();
    cleanup();
    const next = show(async function* () {});
    expect((await next.screen.findByText('line 3')).closest('[data-index]')!.querySelector('time')).toBeNull();
  });
});

it('A mark of a run is shown between the lines, has no time of its own, and is no line of the count', async () => {
  const feed = { lines: [lineOf(2), lineOf(3)], problem: null, more: false, loadOlder: vi.fn(), readAll: null };
  const { screen } = renderPage(<LogView feed={feed} label="Log of demo" emptyText="" marks={[markOf(2.5)]} />, {
    accounts: { list: () => [] },
  });
  const row = (await screen.findByText('Started again, run 2.5, 10:00')).closest('[data-index]')!;
  expect(row).toHaveAttribute('data-index', '1');
  expect(row.querySelector('time')).toBeNull();
  expect(screen.getByText('2 lines')).toBeVisible();
});

describe('the filters of a log', () => {
  const lines = [lineOf(1), lineOf(2), lineOf(3)];
  const feed = { lines, problem: null, more: false, loadOlder: vi.fn(), readAll: null };
  const showFeed = () =>
    renderPage(<LogView feed={feed} label="Log of demo" emptyText="" />, { accounts: { list: () => [] } });
  const shownLines = () =>
    [...document.querySelectorAll('[data-index]')].map((row) => /line \d/.exec(row.textContent ?? '')?.[0]);

  it('leave the lines with a text, in any case, and mark it', async () => {
    const { screen, user } = showFeed();
    await user.type(await screen.findByRole('textbox', { name: 'Find in the log' }), 'LINE 2');
    expect(shownLines()).toEqual(['line 2']);
    expect(document.querySelector('mark')).toHaveTextContent('line 2');
    expect(screen.getByText('1 of 3 lines')).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: 'Find in the log' }), '7');
    expect(screen.getByText('No lines match these filters')).toBeVisible();
  });

  it('leave the lines of a level', async () => {
    const { screen, user } = showFeed();
    await user.click(await screen.findByRole('combobox', { name: 'Level' }));
    await user.click(await screen.findByRole('option', { name: 'Errors' }));
    expect(shownLines()).toEqual(['line 2']);
    await user.click(screen.getByRole('combobox', { name: 'Level' }));
    await user.click(await screen.findByRole('option', { name: 'Any level' }));
    expect(shownLines()).toEqual(['line 1', 'line 2', 'line 3']);
  });
});

describe('a saved log', () => {
  it('has the lines that are not loaded, with their times, and says its size and what is missing', async () => {
    const { screen, user, filters } = show(async function* () {
      yield { lines: [lineOf(1), lineOf(2)] };
      yield { lines: [lineOf(3)] };
      yield { gap: 'pod' };
    });
    await user.click(await screen.findByRole('button', { name: 'Save the whole log…' }));
    expect(await screen.findByText(/3 lines, \d+ B\. Older lines may be missing: Docker keeps the newest 20 to 30 MB/));
    expect(filters).toEqual([{ podId: 'p' }]);
    const [file] = files;
    expect(file!.name).toMatch(/^Log of demo \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.txt$/);
    expect(await file!.blob.text()).toBe(
      [
        '# Older lines may be missing: Docker keeps the newest 20 to 30 MB of what a Pod writes.',
        '2026-11-01T10:00:01.250Z container line 1',
        '2026-11-01T10:00:02.250Z container ERROR line 2',
        '2026-11-01T10:00:03.250Z container line 3',
        '',
      ].join('\n'),
    );
  });

  it('says where each run begins, also between its pieces and before the first line of a run without output', async () => {
    const { screen, user } = show(
      async function* () {
        yield { lines: [lineOf(2)] };
        yield { lines: [lineOf(3), lineOf(4)] };
        yield { gap: null };
      },
      [0.5, 1.5, 2.5, 3.5, 4.5],
    );
    await user.click(await screen.findByRole('button', { name: 'Save the whole log…' }));
    expect(await screen.findByText(/3 lines, \d+ B\./)).toBeVisible();
    expect(await files[0]!.blob.text()).toBe(
      [
        // The run before the first line began in what is gone.
        '# 2026-11-01T10:00:01.500Z Started again, run 1.5',
        '2026-11-01T10:00:02.250Z container ERROR line 2',
        '# 2026-11-01T10:00:02.500Z Started again, run 2.5',
        '2026-11-01T10:00:03.250Z container line 3',
        '# 2026-11-01T10:00:03.500Z Started again, run 3.5',
        '2026-11-01T10:00:04.250Z container line 4',
        '# 2026-11-01T10:00:04.500Z Started again, run 4.5',
        '',
      ].join('\n'),
    );
  });

  it('is not saved where the log ends early, and the page says so', async () => {
    const { screen, user } = show(async function* () {
      yield { lines: [lineOf(1)] };
    });
    await user.click(await screen.findByRole('button', { name: 'Save the whole log…' }));
    expect(await screen.findByText(/The log was not read to its end/)).toBeInTheDocument();
    expect(files).toEqual([]);
  });

  it('can be cancelled while it is read', async () => {
    const { screen, user } = show(async function* () {
      yield { lines: [lineOf(1)] };
      await new Promise(() => undefined);
    });
    await user.click(await screen.findByRole('button', { name: 'Save the whole log…' }));
    expect(await screen.findByText('Saving 1 line')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Cancel saving the log' }));
    expect(await screen.findByRole('button', { name: 'Save the whole log…' })).toBeInTheDocument();
    expect(files).toEqual([]);
  });
});

describe('the sources of a log', () => {
  const showLines = (lines: LogLine[], log = <PodLog />) =>
    renderPage(log, {
      accounts: { list: () => [] },
      logs: {
        page: () => ({ lines, more: false, next: 9 }),
        async *follow() {
          await new Promise(() => undefined);
          yield { lines: [] };
        },
      },
    }).screen;

  it('are not shown while there is one', async () => {
    const screen = showLines([lineOf(1), lineOf(2)]);
    expect(await screen.findByText('line 2')).toBeVisible();
    expect(screen.queryByRole('combobox', { name: 'Source' })).toBeNull();
    expect(screen.queryByTitle('container')).toBeNull();
  });

  it('are not shown while there is one worker, and long lines are wrapped until a person decides otherwise', async () => {
    const screen = showLines([lineOf(1), lineOf(2)], <WorkerLog />);
    expect(await screen.findByText('line 2')).toBeVisible();
    expect(screen.queryByRole('combobox', { name: 'Worker' })).toBeNull();
    expect(screen.queryByTitle('container')).toBeNull();
    expect(screen.getByRole('button', { name: 'Wrap long lines' })).toHaveAttribute('aria-pressed', 'true');
  });

  it('are at each line, and can be chosen, where there are several', async () => {
    const screen = showLines([lineOf(1), { ...lineOf(2), workerId: 'system' }]);
    expect(await screen.findByText('line 2')).toBeVisible();
    expect(screen.getByRole('combobox', { name: 'Source' })).toBeVisible();
    expect(screen.getByTitle('container')).toBeVisible();
    expect(screen.getByTitle('system')).toBeVisible();
  });
});
