import { act, waitFor, within } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { WorkerCheck } from '#contract/local/folder.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import type { Answers } from '../../../../test/support/page/app.ts';
import { endpointRow, pythonHandler, readinessOf } from '../../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { ChangeFeeds } from '../../../client/changes/ChangeFeeds.tsx';
import { orpc, queryClient } from '../../../client/transport/orpc.ts';
import { CheckBlock } from './CheckBlock.tsx';

type WorkerTest = WorkerCheck['tests'][number];
const test = (name: string, state: WorkerTest['state'], more: Partial<WorkerTest> = {}): WorkerTest => ({
  name,
  state,
  jobId: null,
  message: null,
  executionMs: null,
  ...more,
});
const untested: WorkerCheck = { state: 'none', tests: [test('one', 'waiting'), test('two', 'waiting')], notices: [] };

const renderBlock = (folders: Answers['folders'], row = endpointRow(readinessOf(pythonHandler))) =>
  renderPage(<CheckBlock accountId={thisComputer.id} row={row} />, {
    accounts: { list: () => [thisComputer] },
    ...(folders && { folders }),
  });

afterEach(() => {
  vi.useRealTimers();
});

describe('the check of a worker', () => {
  it('is read again when its engine reports the folder as changed, and never while nothing changes', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let reads = 0;
    let now = untested;
    let reportFolder = (): void => undefined;
    const changed = new Promise<void>((resolve) => (reportFolder = resolve));
    const { screen } = renderPage(
      <>
        <ChangeFeeds />
        <CheckBlock accountId={thisComputer.id} row={endpointRow(readinessOf(pythonHandler))} />
      </>,
      {
        accounts: { list: () => [thisComputer] },
        machine: {
          async *changes() {
            yield { changes: [{ about: 'all' as const, id: null }] };
            await changed;
            yield { changes: [{ about: 'folder' as const, id: 'e1' }] };
            await new Promise(() => undefined);
          },
        },
        folders: {
          check() {
            reads++;
            return now;
          },
        },
      },
    );
    expect(await screen.findByText(/^2 tests, run as jobs/)).toBeVisible();
    await waitFor(() => expect(reads).toBe(2));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(reads).toBe(2);
    now = { ...untested, tests: [test('three', 'waiting')] };
    reportFolder();
    expect(await screen.findByText('three')).toBeVisible();
    expect(reads).toBe(3);
  });

  it('names its tests before it runs, tells how far it is, and can be stopped', async () => {
    let now = untested;
    const { screen, user } = renderBlock({
      check: () => now,
      startCheck: () => (now = { ...now, state: 'running', tests: [test('one', 'running'), test('two', 'waiting')] }),
      stopCheck: () => (now = { ...now, state: 'stopped', tests: [test('one', 'stopped'), test('two', 'stopped')] }),
    });
    expect(await screen.findByText(/^2 tests, run as jobs/)).toBeVisible();
    expect(screen.getAllByText('Not run')).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Check this worker' }));
    expect(await screen.findByText('It runs: 0 of 2 tests passed.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(await screen.findByText('Stopped: 0 of 2 tests passed.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Check again' })).toBeEnabled();
  });

  it('has the result of each test: its name, whether it passed, its time and its error', async () => {
    const message = JSON.stringify({ error_type: 'ValueError', error_message: 'bad input', error_traceback: 'at x' });
    const { screen } = renderBlock({
      check: () => ({
        state: 'failed',
        notices: ['The hub sets other values of MODE.'],
        tests: [test('one', 'passed', { executionMs: 1234 }), test('two', 'failed', { message, executionMs: 50 })],
      }),
    });
    expect(await screen.findByText('1 of 2 tests passed, 1 failed.')).toBeVisible();
    const [one, two] = within(screen.getByRole('list', { name: 'Tests' })).getAllByRole('listitem');
    expect(one).toHaveTextContent('Passedone1.2 s');
    expect(two).toHaveTextContent('Failedtwo50 msValueError: bad inputDetailsat x');
    expect(screen.getByRole('status')).toHaveTextContent('The hub sets other values of MODE.');
  });

  it('that is refused says why', async () => {
    const { screen, user } = renderBlock({
      check: () => untested,
      startCheck() {
        throw new ORPCError('CONFLICT', { message: 'A check of this endpoint runs already.' });
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Check this worker' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('runs already');
  });

  it('says what is wrong with tests that cannot be read', async () => {
    const { screen } = renderBlock({ check: () => ({ ...untested, tests: [], notices: ['tests.json is no JSON.'] }) });
    expect(await screen.findByRole('status')).toHaveTextContent('tests.json is no JSON.');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('is not there for a folder without tests', async () => {
    let isAsked = false;
    const { screen } = renderBlock({
      check() {
        isAsked = true;
        return { ...untested, tests: [] };
      },
    });
    await waitFor(() => expect(isAsked).toBe(true));
    expect(screen.queryByRole('region', { name: 'Check this worker' })).toBeNull();
  });

  it.each([
    ['an account that does not tell of handlers', endpointRow(null)],
    ['an image', endpointRow(readinessOf(null))],
    ['an endpoint without jobs', { ...endpointRow(readinessOf(pythonHandler)), type: 'LB' as const }],
  ])('is neither asked for nor there for %s', (_, row) => {
    const { screen } = renderBlock({ check: () => untested }, row);
    expect(queryClient.getQueryCache().findAll({ queryKey: orpc.folders.check.key() })).toEqual([]);
    expect(screen.queryByRole('region', { name: 'Check this worker' })).toBeNull();
  });
});
