/** The Endpoints page, before and beside its list. */
import { act, fireEvent, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { endpointDetail, endpointRow, readinessOf } from '../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { orpc, queryClient } from '../../client/transport/orpc.ts';
import { commandsNow } from '../../state/commands.ts';
import { closeNewEndpoint } from '../../state/overlays.ts';
import { targetAccount } from '../../state/selection.ts';
import EndpointsPage from './EndpointsPage.tsx';

afterEach(() => act(closeNewEndpoint));

const scale = { gpuCount: 1, workersMin: 1, workersMax: 4, idleTimeout: 5, scalerValue: 4, executionTimeoutMs: 5000 };

it('a new endpoint begins as a handler of its own, which needs no folder yet', async () => {
  const { screen } = renderPage(<EndpointsPage endpointId={null} tab="overview" />, {
    accounts: { list: () => [thisComputer] },
    host: { listFolder: ({ path }) => ({ path, rest: '', parent: '/', home: '/home/me', entries: [], isCut: false }) },
    endpoints: {
      now: () => ({ rows: [], pause: null }),
      choices: () => ({
        volumes: [],
        registryAuths: [],
        gpuTypes: null,
        folders: true,
        imageProblem: null,
        samples: [],
        names: [],
      }),
    },
  });
  await screen.findByText(/^No endpoints on/);
  act(() =>
    commandsNow()
      .find(({ keys }) => keys === 'N')
      ?.run(),
  );
  expect(await screen.findByRole('radio', { name: 'New handler' })).toBeChecked();
});

it('while the target is away, its endpoints are shown as last known, and none can be made there', async () => {
  queryClient.clear();
  const row = {
    ...endpointRow(readinessOf(null)),
    health: {
      jobs: { inQueue: 0, inProgress: 0, completed: 0, failed: 0, retried: 0 },
      workers: { idle: 1, running: 0, initializing: 0, ready: 1, throttled: 0, unhealthy: 0 },
    },
  };
  const far = { ...thisComputer, id: 'far', name: 'gpu-box' };
  targetAccount.set('far');
  const { screen } = renderPage(<EndpointsPage endpointId={null} tab="overview" />, {
    accounts: { list: () => [thisComputer, far] },
    endpoints: { now: () => ({ rows: [row], pause: null }), totals: () => [] },
  });
  const chip = await screen.findByText('Ready');
  const create = screen.getByRole('button', { name: /^New endpoint on/ });
  expect(chip).not.toHaveAttribute('data-stale');
  expect(create).not.toHaveAttribute('aria-disabled');
  const away = { ...far, state: 'offline' as const, reason: 'Cannot reach gpu-box (ECONNREFUSED).' };
  act(() => void queryClient.setQueryData(orpc.accounts.list.queryKey(), [thisComputer, away]));
  await waitFor(() => expect(chip).toHaveAttribute('data-stale'));
  expect(chip).toHaveAttribute('title', 'Last known: Ready');
  expect(create).toHaveAttribute('aria-disabled', 'true');
  expect(create).toHaveAccessibleDescription('Not available while gpu-box is offline.');
  expect(commandsNow().some(({ keys }) => keys === 'N')).toBe(false);
  act(() => void targetAccount.set(THIS_MACHINE));
});

it('each row has a menu, by the pointer and by the menu key, with what its details offer', async () => {
  queryClient.clear();
  const row = { ...endpointRow(readinessOf(null)), id: 'prime', name: 'primes' };
  const balanced = { ...row, id: 'site', name: 'site', type: 'LB' as const };
  const account = { ...thisComputer, address: 'http://127.0.0.1:47800' };
  const { screen, user } = renderPage(<EndpointsPage endpointId={null} tab="overview" />, {
    accounts: { list: () => [account] },
    endpoints: {
      now: () => ({ rows: [row, balanced], pause: null }),
      totals: () => [],
      get: () => new Promise(() => undefined),
    },
  });
  const grid = await screen.findByRole('grid', { name: 'Endpoints' });
  const itemsOf = async (name: string) => {
    const menu = await screen.findByRole('menu', { name: `Actions for ${name}` });
    return within(menu).getAllByRole('menuitem');
  };
  fireEvent.contextMenu(within(grid).getByRole('row', { name: /^primes/ }), { clientX: 40, clientY: 60 });
  const items = await itemsOf('primes');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Run',
    'Open',
    'Logs',
    'Copy address',
    'Copy endpoint id',
    'Duplicate…',
    'Pause',
    'Purge the queue…',
    'Delete the endpoint…',
  ]);
  await user.click(items[3]!);
  expect(await navigator.clipboard.readText()).toBe('http://127.0.0.1:47800/v2/prime');
  // The keys are at the row whose menu was opened.
  fireEvent.contextMenu(grid);
  await user.click((await itemsOf('primes'))[2]!);
  expect(location.hash).toBe('#/endpoints/prime/logs');
  fireEvent.contextMenu(within(grid).getByRole('row', { name: /^site/ }));
  const others = await itemsOf('site');
  expect(others.map(({ textContent }) => textContent)).not.toContain('Run');
  await user.click(others.at(-1)!);
  expect(await screen.findByRole('dialog', { name: 'Delete the endpoint site?' })).toBeVisible();
});

it('an endpoint is paused and resumed from its menu; a cloud that may stop running jobs asks first', async () => {
  queryClient.clear();
  const health = {
    jobs: { inQueue: 2, inProgress: 1, completed: 0, failed: 0, retried: 0 },
    workers: { idle: 0, running: 1, initializing: 0, ready: 1, throttled: 0, unhealthy: 0 },
  };
  const row = { ...endpointRow(readinessOf(null)), id: 'prime', name: 'primes', health };
  const cloud = { ...thisComputer, id: 'work', name: 'work', kind: 'cloud' as const };
  const requests: string[] = [];
  const { screen, user } = renderPage(<EndpointsPage endpointId={null} tab="overview" />, {
    accounts: { list: () => [thisComputer, cloud] },
    endpoints: {
      now: () => ({ rows: [row], pause: null }),
      totals: () => [],
      pause: ({ accountId }) => {
        requests.push(`pause on ${accountId}`);
        row.workersMax = 0;
      },
      resume: ({ accountId }) => {
        requests.push(`resume on ${accountId}`);
        row.workersMax = 3;
        return { workersMax: 3, isRestored: true };
      },
    },
  });
  const choose = async (item: string) => {
    const grid = await screen.findByRole('grid', { name: 'Endpoints' });
    fireEvent.contextMenu(within(grid).getByRole('row', { name: /^primes/ }), { clientX: 40, clientY: 60 });
    await user.click(await screen.findByRole('menuitem', { name: item }));
  };
  await choose('Pause');
  expect(await screen.findByText('Paused primes. 1 job still runs. 2 jobs wait in the queue.')).toBeVisible();
  expect(await screen.findByText('Paused')).toBeVisible();
  await choose('Resume');
  await waitFor(() => expect(screen.queryByText('Paused')).toBeNull());
  act(() => void targetAccount.set('work'));
  await choose('Pause…');
  const dialog = await screen.findByRole('dialog', { name: 'Pause primes?' });
  expect(dialog).toHaveTextContent(
    '1 job runs now. Running jobs may be stopped before they end. That depends on work.',
  );
  expect(requests).toEqual(['pause on this-machine', 'resume on this-machine']);
  await user.click(within(dialog).getByRole('button', { name: 'Pause' }));
  await waitFor(() => expect(requests.at(-1)).toBe('pause on work'));
  act(() => void targetAccount.set(THIS_MACHINE));
});

it('a copy of an endpoint begins with its settings, under a name that neither endpoint nor template has', async () => {
  queryClient.clear();
  const made: unknown[] = [];
  const { screen, user } = renderPage(<EndpointsPage endpointId={null} tab="overview" />, {
    accounts: { list: () => [thisComputer] },
    endpoints: {
      now: () => ({ rows: [endpointRow(readinessOf(null))], pause: null }),
      totals: () => [],
      get: () => {
        const detail = endpointDetail({ MODE: 'fast' });
        return { ...detail, endpoint: { ...detail.endpoint, ...scale } };
      },
      choices: () => ({
        volumes: [],
        registryAuths: [],
        gpuTypes: null,
        folders: true,
        imageProblem: null,
        samples: [],
        names: ['greeter', 'greeter-2'],
      }),
      create: (input) => {
        made.push(input);
        return { endpointId: 'copy' };
      },
    },
    machine: { images: () => [] },
  });
  const grid = await screen.findByRole('grid', { name: 'Endpoints' });
  fireEvent.contextMenu(within(grid).getByRole('row', { name: /^greeter/ }), { clientX: 40, clientY: 60 });
  await user.click(await screen.findByRole('menuitem', { name: 'Duplicate…' }));
  expect(await screen.findByRole('textbox', { name: /^Name$/ })).toHaveValue('greeter-3');
  expect(screen.getByText(/the same folder.* Jobs, metrics and saved inputs are not copied/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: /^Create on/ }));
  await waitFor(() => expect(made).toHaveLength(1));
  expect(made[0]).toMatchObject({
    endpoint: { name: 'greeter-3', workersMax: 4 },
    template: { name: 'greeter-3', imageName: 'file:///handlers/greeter', env: { MODE: 'fast' } },
  });
});

it('a long list has a field that finds endpoints by name, id and source, and Escape clears it', async () => {
  queryClient.clear();
  const rows = Array.from({ length: 10 }, (_, index) => ({
    ...endpointRow(readinessOf(null)),
    id: `id-${index}`,
    name: `painter-${index}`,
    imageName: index === 7 ? 'file:///srv/code/rare' : 'file:///srv/code/usual',
  }));
  const { screen, user } = renderPage(<EndpointsPage endpointId={null} tab="overview" />, {
    accounts: { list: () => [thisComputer] },
    endpoints: { now: () => ({ rows, pause: null }), totals: () => [] },
  });
  const field = await screen.findByRole('searchbox', { name: 'Find an endpoint' });
  await user.type(field, 'rare painter');
  expect(screen.getByText('1 of 10')).toBeInTheDocument();
  await user.type(field, ' nothing');
  expect(screen.getByText('No endpoint fits this search')).toBeInTheDocument();
  await user.keyboard('{Escape}');
  expect(field).toHaveValue('');
  expect(screen.getByText('10')).toBeInTheDocument();
});

it('a short list has no field for a search', async () => {
  queryClient.clear();
  const { screen } = renderPage(<EndpointsPage endpointId={null} tab="overview" />, {
    accounts: { list: () => [thisComputer] },
    endpoints: { now: () => ({ rows: [endpointRow(readinessOf(null))], pause: null }), totals: () => [] },
  });
  await screen.findByRole('button', { name: /^New endpoint on/ });
  expect(screen.queryByRole('searchbox')).toBeNull();
});
