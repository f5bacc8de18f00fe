/** The Endpoints page, before and beside its list. */
import { act, fireEvent, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { endpointRow, readinessOf } from '../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { orpc, queryClient } from '../../client/transport/orpc.ts';
import { commandsNow } from '../../state/commands.ts';
import { closeNewEndpoint } from '../../state/overlays.ts';
import { targetAccount } from '../../state/selection.ts';
import EndpointsPage from './EndpointsPage.tsx';

afterEach(() => act(closeNewEndpoint));

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
