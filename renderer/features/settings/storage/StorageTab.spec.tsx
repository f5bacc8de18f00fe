import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { DataState, DataWork } from '#contract/bridge/data/index.ts';
import type { Place, Places } from '#contract/bridge/data/places.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { renderPage, runCommand } from '../../../../test/support/page/render.tsx';
import { queryClient } from '../../../client/transport/orpc.ts';
import { DataBlock } from './DataBlock.tsx';
import { PlacesBlock } from './PlacesBlock.tsx';

const place = (change: Partial<Place>): Place => ({
  kind: 'volumes',
  path: '/data/volumes',
  isPath: true,
  isInside: true,
  bytes: 2048,
  files: 2,
  size: 'counted',
  names: [],
  leaves: null,
  ...change,
});
const keychain = place({
  kind: 'keychain',
  path: 'keychain of the system',
  isPath: false,
  isInside: false,
  bytes: null,
  files: null,
  names: ['account/1@ab12'],
});
const report = (isDone: boolean, places: Place[]): Places => ({ dataDir: '/data', freeBytes: 5e9, isDone, places });

const idle: DataState = { work: null, last: null, unfinishedMove: null, moveProblem: null };
const work: DataWork = {
  kind: 'move',
  path: '/new',
  phase: 'copying',
  doneBytes: 512,
  totalBytes: 2048,
  doneFiles: 1,
  totalFiles: 4,
  startedAt: '2026-01-01T00:00:00Z',
};

/** Ends when the page no longer listens. */
const forever = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('the places', () => {
  it('are listed while their sizes are counted, which are "at least" until then', async () => {
    queryClient.clear();
    let endCount = (): void => undefined;
    const counted = new Promise<void>((resolve) => (endCount = resolve));
    const { screen } = renderPage(<PlacesBlock />, {
      accounts: { list: () => [thisComputer] },
      data: {
        async *places() {
          yield report(false, [place({ size: 'counting', bytes: 1024 }), keychain]);
          await counted;
          yield report(true, [place({}), keychain]);
        },
      },
    });
    const table = await screen.findByRole('table');
    const row = await screen.findByRole('row', { name: /^Network volumes/ });
    expect(row).toHaveTextContent('at least 1.0 KB');
    expect(screen.getByText(/still counting/)).toBeVisible();
    expect(table).toHaveTextContent('account/1@ab12');
    endCount();
    await waitFor(() => expect(row).toHaveTextContent('2.0 KB'));
    expect(screen.queryByText(/at least/)).toBeNull();
    expect(screen.queryByText(/still counting/)).toBeNull();
  });

  it('keep their order while they are counted, and are the largest first once they are counted again', async () => {
    queryClient.clear();
    const logs = place({ kind: 'logs', path: '/data/logs', bytes: 9e6 });
    const small = place({ bytes: 1024 });
    let endCount = (): void => undefined;
    const counted = new Promise<void>((resolve) => (endCount = resolve));
    const { screen, user } = renderPage(<PlacesBlock />, {
      accounts: { list: () => [thisComputer] },
      data: {
        async *places() {
          yield report(false, [small, { ...logs, size: 'counting', bytes: 0 }]);
          await counted;
          yield report(true, [small, logs]);
        },
      },
    });
    const rows = () => screen.getAllByRole('row').slice(1);
    await screen.findByText(/still counting/);
    endCount();
    await waitFor(() => expect(screen.queryByText(/still counting/)).toBeNull());
    expect(rows()[0]).toHaveTextContent(/^Network volumes/);
    await user.click(screen.getByRole('button', { name: 'Count again' }));
    await waitFor(() => expect(rows()[0]).toHaveTextContent(/^Logs/));
  });

  it('that cannot be read say why, and are counted again', async () => {
    queryClient.clear();
    let tries = 0;
    const { screen, user } = renderPage(<PlacesBlock />, {
      accounts: { list: () => [thisComputer] },
      data: {
        async *places() {
          await Promise.resolve();
          tries += 1;
          if (tries === 1) throw new Error('The disk is away.');
          yield report(true, [place({})]);
        },
      },
    });
    expect(await screen.findByText('The data folder could not be read')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('row', { name: /^Network volumes/ })).toBeVisible();
  });

  it('are shown in the file manager of the desktop, but for those without a path', async () => {
    queryClient.clear();
    const opened: string[] = [];
    const { screen, user } = renderPage(<PlacesBlock />, {
      accounts: { list: () => [thisComputer] },
      data: {
        async *places() {
          await Promise.resolve();
          yield report(true, [place({}), keychain]);
        },
        open: ({ path }) => {
          opened.push(path);
          return {};
        },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Show Network volumes' }));
    await waitFor(() => expect(opened).toEqual(['/data/volumes']));
    expect(screen.queryByRole('button', { name: 'Show Keychain' })).toBeNull();
  });
});

describe('work on all data', () => {
  /** The block with a first state; `push` sends another one. */
  function renderBlock(first: DataState, calls: Parameters<typeof renderPage>[1] = {}) {
    queryClient.clear();
    const states = [first];
    let wake = (): void => undefined;
    const push = (state: DataState): void => {
      states.push(state);
      wake();
    };
    const page = renderPage(<DataBlock />, {
      ...calls,
      data: {
        async *watch(_input, signal) {
          for (;;) {
            for (let state = states.shift(); state; state = states.shift()) yield state;
            await Promise.race([forever(signal), new Promise<void>((resolve) => (wake = resolve))]);
            if (signal.aborted) return;
          }
        },
        async *places() {
          await Promise.resolve();
          yield report(true, [place({}), keychain]);
        },
        openWork: () => [],
        ...calls.data,
      },
    });
    return { ...page, push };
  }

  it('a move shows its progress, can be stopped, and says how it ended', async () => {
    const moves: string[] = [];
    const stopped: DataState = {
      ...idle,
      unfinishedMove: '/new',
      last: { kind: 'move', path: '/new', outcome: 'stopped', message: 'Everything is still in the old folder.' },
    };
    const { screen, user, push } = renderBlock(idle, {
      data: {
        move: ({ to }) => {
          moves.push(to);
          return { ...idle, work: { ...work, phase: 'counting', doneBytes: 0 } };
        },
        stop: () => stopped,
      },
    });
    await user.type(await screen.findByLabelText('Move the data folder to'), '/new');
    await user.click(screen.getByRole('button', { name: 'Move' }));
    expect(await screen.findByText('Counting the files…')).toBeVisible();
    expect(moves).toEqual(['/new']);
    push({ ...idle, work });
    expect(await screen.findByText(/512 B of 2.0 KB · 1 of 4 files/)).toBeVisible();
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25');
    expect(screen.queryByLabelText('Export to')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(await screen.findByText('The move was stopped.')).toBeVisible();
    // It goes on, or is given up.
    expect(screen.getByText('A move was interrupted.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Continue' })).toBeEnabled();
    push({ ...idle, work: { ...work, phase: 'finishing' } });
    expect(await screen.findByText(/This page reconnects automatically/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  });

  it('a refusal and a failure say why', async () => {
    const { screen, user } = renderBlock(
      { ...idle, last: { kind: 'export', path: '/x', outcome: 'failed', message: 'The disk of /x is full.' } },
      {
        data: {
          move: () => {
            throw new Error('/full is not empty.');
          },
        },
      },
    );
    expect(await screen.findByText('The disk of /x is full.')).toBeVisible();
    expect(screen.getByText('The export failed.')).toBeVisible();
    await user.type(screen.getByLabelText('Move the data folder to'), '/full');
    await user.click(screen.getByRole('button', { name: 'Move' }));
    expect(await screen.findByText('Not done.')).toBeVisible();
  });

  it('a host with a named folder says how its data is moved', async () => {
    const { screen } = renderBlock({ ...idle, moveProblem: 'Stop Hangar, run "hangar data move".' });
    expect(await screen.findByText('Stop Hangar, run "hangar data move".')).toBeVisible();
    expect(screen.queryByLabelText('Move the data folder to')).toBeNull();
    expect(screen.getByLabelText('Export to')).toBeVisible();
    runCommand('Export all data…');
    expect(screen.getByLabelText('Export to')).toHaveFocus();
  });

  it('an import is asked about before it replaces data', async () => {
    const files: string[] = [];
    const { screen, user } = renderBlock(idle, {
      data: {
        import: ({ file }) => {
          files.push(file);
          return { ...idle, work: { ...work, kind: 'import', path: file } };
        },
      },
    });
    await user.type(await screen.findByLabelText('Import from'), '/all.tar.gz');
    await user.click(screen.getByRole('button', { name: 'Import…' }));
    expect(await screen.findByText(/Exports do not contain account keys/)).toBeVisible();
    expect(files).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Import' }));
    await waitFor(() => expect(files).toEqual(['/all.tar.gz']));
  });

  it('everything is removed only after the word, with running jobs only if that is checked', async () => {
    const removals: unknown[] = [];
    const { screen, user } = renderBlock(idle, {
      data: {
        openWork: () => ['2 jobs'],
        remove: (input) => {
          removals.push(input);
          return {};
        },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Remove everything…' }));
    const remove = await screen.findByRole('button', { name: 'Remove everything' });
    expect(await screen.findByText(/account\/1@ab12/)).toBeVisible();
    expect(remove).toHaveAccessibleDescription('Type remove first.');
    await user.type(screen.getByRole('textbox', { name: /to confirm/ }), 'remove');
    await user.click(await screen.findByRole('checkbox', { name: 'Also end 2 jobs' }));
    await user.click(remove);
    expect(await screen.findByText(/Everything is being removed/)).toBeVisible();
    expect(removals).toEqual([{ word: 'remove', force: true }]);
  });
});
