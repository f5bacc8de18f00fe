import { describe, expect, it } from 'vitest';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { endpointDetail, endpointRow, pythonHandler, readinessOf } from '../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { OverviewTab } from './OverviewTab.tsx';

function renderOverview(row: ReturnType<typeof endpointRow>) {
  const about = { row, detail: endpointDetail(), pause: null, address: 'http://127.0.0.1:47800' };
  return renderPage(<OverviewTab accountId={thisComputer.id} {...about} />, {
    accounts: { list: () => [thisComputer] },
    folders: {
      environment: () => ({ state: 'none', step: null, lines: [], problem: null }),
      check: () => ({
        state: 'none',
        notices: [],
        tests: [{ name: 'one', state: 'waiting', jobId: null, message: null, executionMs: null }],
      }),
    },
  });
}

describe('the overview of an endpoint', () => {
  it('tells the Python and the tests of a handler in a folder, and what a person should know of it', async () => {
    const notice = 'handler.py imports torch, which /usr/bin/python3 (this machine) does not have.';
    const readiness = { ...readinessOf(pythonHandler), notices: [notice] };
    const { screen } = renderOverview(endpointRow(readiness));
    expect(screen.getByRole('region', { name: 'Python' })).toHaveTextContent('3.11.7');
    expect(await screen.findByRole('region', { name: 'Check this worker' })).toHaveTextContent('1 test');
    expect(screen.getByText(notice)).toBeVisible();
    expect(screen.getByText('handler.py')).toBeVisible();
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
});
