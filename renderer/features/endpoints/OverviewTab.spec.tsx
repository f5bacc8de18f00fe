import { act, cleanup, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { EndpointTotal } from '#contract/local/metrics.ts';
import { engineStatusOf } from '../../../test/support/accounts/engineStatus.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { endpointDetail, endpointRow, pythonHandler, readinessOf } from '../../../test/support/page/endpoints.ts';
import { useEngine } from '../../client/engine.ts';
import { queryClient } from '../../client/transport/orpc.ts';
import { sumsOf } from '../../../test/support/page/metrics.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { draftKey, draftText } from '../../state/drafts.ts';
import { OverviewTab } from './OverviewTab.tsx';

interface Examples {
  /** Of its readme. */
  sampleInput?: string;
  /** Of `test_input.json`. */
  test?: string;
  /** Of the last job. */
  lastBody?: string;
  /** What happened in the last 24 hours; null where the account does not report it. */
  totals?: EndpointTotal[] | null;
  /** Null: it is the one of the engine, of which nothing was heard yet. */
  address?: string | null;
}

function renderOverview(
  row: ReturnType<typeof endpointRow>,
  { sampleInput, test, lastBody, totals = [], address = 'http://127.0.0.1:47800' }: Examples = {},
) {
  const detail = { ...endpointDetail(), sampleInput: sampleInput ?? null };
  const about = { row, detail, pause: null, address };
  return renderPage(<OverviewTab accountId={thisComputer.id} {...about} />, {
    accounts: { list: () => [thisComputer] },
    jobs: {
      list: () => ({ entries: lastBody === undefined ? [] : [entryOf()], matching: 1, complete: true, total: 1 }),
      body: () => lastBody ?? '',
    },
    endpoints: { totals: () => totals },
    folders: {
      declaredInput: () => ({
        schema: null,
        test: test === undefined ? null : { file: 'test_input.json', body: test },
        notices: [],
      }),
      environment: () => ({ state: 'none', step: null, lines: [], problem: null }),
      check: () => ({
        state: 'none',
        notices: [],
        tests: [{ name: 'one', state: 'waiting', jobId: null, message: null, executionMs: null }],
      }),
    },
  });
}

/** The numbers of jobs with their names. */
const numbers = (): string[] =>
  [...document.querySelectorAll('dl > div')]
    .slice(0, 4)
    .map((part) => `${part.querySelector('dt')?.firstChild?.textContent} ${part.querySelector('dd')?.textContent}`);

describe('the overview of an endpoint', () => {
  it('has the facts wait for the address above them while it is not known whether there is one', async () => {
    const row = endpointRow(readinessOf(pythonHandler));
    const { screen } = renderOverview(row, { address: null });
    const facts = screen.getByRole('region', { name: 'Facts' });
    expect(facts.previousElementSibling).toHaveAttribute('aria-busy', 'true');
    act(() => useEngine.setState({ status: engineStatusOf() }));
    expect(facts.previousElementSibling).toHaveAccessibleName('Call it from a program');
    act(() => useEngine.setState({ status: null }));
  });

  it('says how jobs are counted once a person asks', async () => {
    const { screen, user } = renderOverview(endpointRow(readinessOf(pythonHandler)));
    const button = screen.getByRole('button', { name: 'How Done and Failed are counted' });
    expect(button).toHaveAccessibleDescription(/^Jobs that ended in the last 24 hours/);
    expect(screen.queryByText(/^Jobs that ended in the last 24 hours/)).toBeNull();
    await user.click(button);
    expect(await screen.findByText(/^Jobs that ended in the last 24 hours/)).toBeVisible();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByText(/^Jobs that ended in the last 24 hours/)).toBeNull());
  });

  it('counts the jobs that ended in the last 24 hours, and says so; else what the account reports', async () => {
    const health = {
      jobs: { inQueue: 0, inProgress: 0, completed: 3, failed: 0, retried: 1 },
      workers: { idle: 0, running: 0, initializing: 0, ready: 0, throttled: 0, unhealthy: 0 },
    };
    const row = { ...endpointRow(readinessOf(pythonHandler)), health };
    const totals = [{ endpointId: row.id, total: sumsOf({ completed: 12, failed: 3, timedOut: 1 }) }];
    queryClient.clear();
    renderOverview(row, { totals });
    await waitFor(() => expect(numbers()).toEqual(['Queue 0', 'Running 0', 'Done, 24 h 12', 'Failed, 24 h 4']));
    cleanup();
    queryClient.clear();
    renderOverview(row, { totals: null });
    await waitFor(() => expect(numbers()).toContain('Done, as reported 3'));
  });

  it('tells the Python and the tests of a handler in a folder, and what a person should know of it', async () => {
    const notice = 'handler.py imports torch, which /usr/bin/python3 (this machine) does not have.';
    const readiness = { ...readinessOf(pythonHandler), notices: [notice] };
    const { screen } = renderOverview(endpointRow(readiness));
    expect(screen.getByRole('region', { name: 'Python' })).toHaveTextContent('3.11.7');
    expect(await screen.findByRole('region', { name: 'Check this worker' })).toHaveTextContent('1 test');
    expect(screen.getByText(notice)).toBeVisible();
    expect(screen.getByText('handler.py')).toBeVisible();
  });

  it('says how a handler is served, and not how one would be that is not there', async () => {
    const { screen, rerender } = renderOverview(endpointRow(readinessOf(pythonHandler)));
    expect(await screen.findByText("Hangar's Python worker")).toBeVisible();
    const gone = { ...readinessOf(null), runtime: 'node' as const, available: false, reason: 'The folder is gone.' };
    const about = { detail: endpointDetail(), pause: null, address: 'http://127.0.0.1:47800' };
    rerender(<OverviewTab accountId={thisComputer.id} row={endpointRow(gone)} {...about} />);
    expect(await screen.findByText('The folder is gone.')).toBeVisible();
    expect(screen.getByText('Facts')).toBeVisible();
    expect(screen.queryByText('Served by')).toBeNull();
  });

  it('has no field for a Python where the handler is none in Python', async () => {
    const { screen } = renderOverview(
      endpointRow(readinessOf({ ...pythonHandler, file: 'handler.mjs', python: null })),
    );
    expect(await screen.findByRole('region', { name: 'Check this worker' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Python' })).toBeNull();
  });

  it('has neither where the account does not tell of handlers', () => {
    const { screen } = renderOverview(endpointRow(null));
    expect(screen.queryByRole('region', { name: 'Python' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Check this worker' })).toBeNull();
    expect(screen.getByRole('region', { name: 'Facts' })).toHaveTextContent('file:///handlers/greeter');
  });

  it.each([
    ['the sample of its readme', { sampleInput: '{"input": {"of": "it\'s readme"}}', test: '{"input": 2}' }],
    ['the test input of its folder', { test: '{"input": {"of": "a folder"}}', lastBody: '{"input": 3}' }],
    ['the input of its last job', { lastBody: '{"input": {"of": "a job"}}' }],
    ['an empty input', { test: '{"no": "input"}' }],
  ])('has a command that sends %s', async (_, examples) => {
    const { screen } = renderOverview(endpointRow(null), examples);
    const [body = '{"input": {}}'] = Object.values(examples).filter((text) => text.includes('"of"'));
    const shown = body.replaceAll("'", "'\\''");
    await expect.poll(() => screen.getByRole('region', { name: 'curl' }).textContent).toContain(`-d '${shown}'`);
  });

  it('has a command that sends what the person wrote in Run', async () => {
    draftText.set(draftKey(thisComputer.id, 'e'), '{"input": {"of": "mine"}}');
    const { screen } = renderOverview(endpointRow(null), { sampleInput: '{"input": 1}' });
    expect(await screen.findByRole('region', { name: 'curl' })).toHaveTextContent('-d \'{"input": {"of": "mine"}}\'');
  });
});
