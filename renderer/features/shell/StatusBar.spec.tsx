import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { JobChanges } from '#contract/app/ledger.ts';
import { engineStatusOf } from '../../../test/support/accounts/engineStatus.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { endpointRow } from '../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { createSampler } from '../../../test/support/page/sampler.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { useEngine } from '../../client/engine.ts';
import { useJobChangesFeed } from '../../client/jobs/jobChanges.ts';
import { targetAccount } from '../../state/selection.ts';
import { StatusBar } from './StatusBar.tsx';

const ready = engineStatusOf();

const rowWith = (id: string, inQueue: number, running: number) => ({
  ...endpointRow(null),
  id,
  health: {
    jobs: { inQueue, inProgress: running, completed: 0, failed: 0, retried: 0 },
    workers: { idle: 1, running, initializing: 0, ready: 1 + running, throttled: 0, unhealthy: 0 },
  },
});

it('The status bar has the workers and the queue of all endpoints, dimmed while they may be old', async () => {
  useEngine.setState({ status: ready });
  const { screen } = renderPage(<StatusBar />, {
    accounts: { list: () => [thisComputer] },
    machine: {
      pauseState: () => ({ state: 'running', source: null, message: null, since: null, until: null, overruled: [] }),
    },
    endpoints: { now: () => ({ rows: [rowWith('a', 2, 0), rowWith('b', 3, 1)], pause: null }) },
  });
  const totals = (await screen.findByText('2 workers idle, 1 running')).parentElement;
  expect(totals).toHaveTextContent('queue 5');
  expect(totals).not.toHaveAttribute('data-stale');
  expect(totals).not.toHaveTextContent('Last known');
  act(() => useEngine.setState({ status: { ...ready, silentSince: Date.UTC(2026, 0, 15, 12) } }));
  expect(totals).toHaveAttribute('data-stale');
  expect(totals).toHaveTextContent(/^Last known:/);
  expect(screen.getByTestId('engine-status')).toHaveTextContent('does not answer');
});

it('The status bar names another target, whose workers it counts beside the engine of this computer', async () => {
  useEngine.setState({ status: ready });
  targetAccount.set('far');
  const { screen } = renderPage(<StatusBar />, {
    accounts: { list: () => [thisComputer, { ...thisComputer, id: 'far', name: 'gpu-box', kind: 'engine' }] },
    machine: {
      pauseState: () => ({ state: 'running', source: null, message: null, since: null, until: null, overruled: [] }),
    },
    endpoints: { now: () => ({ rows: [rowWith('a', 2, 0)], pause: null }) },
  });
  const totals = (await screen.findByText('1 worker idle')).parentElement;
  await waitFor(() => expect(totals).toHaveTextContent('gpu-box'));
  await act(() => targetAccount.set(THIS_MACHINE));
  await waitFor(() => expect(screen.getByText('1 worker idle').parentElement).not.toHaveTextContent('gpu-box'));
});

it('The status bar counts a job that runs, also where its last answer knows no worker yet', async () => {
  useEngine.setState({ status: ready });
  const changes = createSampler<JobChanges>();
  const Bar = () => {
    useJobChangesFeed();
    return <StatusBar />;
  };
  const none = { idle: 0, running: 0, initializing: 0, ready: 0, throttled: 0, unhealthy: 0 };
  const row = rowWith('a', 0, 0);
  const { screen } = renderPage(<Bar />, {
    accounts: { list: () => [thisComputer] },
    machine: {
      pauseState: () => ({ state: 'running', source: null, message: null, since: null, until: null, overruled: [] }),
    },
    endpoints: { now: () => ({ rows: [{ ...row, health: { ...row.health, workers: none } }], pause: null }) },
    jobs: {
      changes: (_, signal) => changes.open({ everyMs: 0 }, signal),
    },
  });
  expect(await screen.findByText('no worker')).toBeVisible();
  await changes.say({ entries: [entryOf({ accountId: 'far', status: 'IN_PROGRESS' })], others: 0 });
  await changes.say({ entries: [entryOf({ entryId: 'mine', status: 'IN_PROGRESS' })], others: 0 });
  expect(await screen.findByText('1 job running')).toBeVisible();
  await changes.say({ entries: [entryOf({ entryId: 'mine', status: 'COMPLETED' })], others: 0 });
  expect(await screen.findByText('no worker')).toBeVisible();
});
