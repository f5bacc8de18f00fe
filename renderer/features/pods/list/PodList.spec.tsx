import { fireEvent, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { PodFacts } from '#contract/api/pod.ts';
import type { PodAction } from '#contract/bridge/pod.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { podFactsOf } from '../../../../test/support/pods/podFacts.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { commandsNow } from '../../../state/commands.ts';
import PodsPage from '../PodsPage.tsx';
import { PodList } from './PodList.tsx';

beforeEach(() => localStorage.clear());

const podOf = (name: string, change: object = {}) =>
  lenientPodSchema.parse({ id: `id-${name}`, name, desiredStatus: 'RUNNING', costPerHr: 0.5, ...change });

/**
 * The page with three Pods: two run, of which one is locked, and one is stopped. The app refuses changes of `refused`.
 */
async function showPods(refused = '') {
  let pods = [
    podOf('trainer-10', { createdAt: '2026-01-03T00:00:00.000Z' }),
    podOf('api', { createdAt: '2026-01-02T00:00:00.000Z', locked: true, costPerHr: 2 }),
    podOf('trainer-2', { createdAt: '2026-01-01T00:00:00.000Z', desiredStatus: 'EXITED' }),
  ];
  const changes: string[] = [];
  const change = (podId: string, work: PodAction | 'remove') => {
    changes.push(`${work} ${podId}`);
    if (podId === refused) throw new Error('out of reach');
  };
  const page = renderPage(<PodsPage podId={null} tab="logs" />, {
    accounts: { list: () => [thisComputer] },
    ssh: {
      server: ({ podId }) => ({
        host: '127.0.0.1',
        port: 47_822,
        username: podId,
        hostKey: null,
        keys: [],
        problem: podId === 'id-api' ? 'No key may sign in yet.' : null,
      }),
    },
    pods: {
      now: () => ({
        rows: pods.map((pod) => ({ pod, facts: null })),
        factsProblem: null,
        lacks: [],
        containerProblem: null,
      }),
      act({ podId, action }) {
        change(podId, action);
        const desiredStatus = action === 'stop' ? ('EXITED' as const) : ('RUNNING' as const);
        pods = pods.map((pod) => (pod.id === podId ? { ...pod, desiredStatus } : pod));
        return pods.find(({ id }) => id === podId) ?? podOf('gone');
      },
      remove({ podId }) {
        change(podId, 'remove');
        pods = pods.filter(({ id }) => id !== podId);
      },
    },
  });
  const grid = await page.screen.findByRole('grid', { name: 'Pods' });
  const names = () =>
    within(grid)
      .getAllByRole('row')
      .flatMap((row) => row.querySelector('b')?.textContent ?? []);
  const choose = async (...wanted: string[]) => {
    for (const name of wanted) await page.user.click(within(grid).getByRole('checkbox', { name: `Select ${name}` }));
  };
  const rowOf = (name: string) => within(grid).getByRole('row', { name: new RegExp(`Select ${name}`) });
  return { ...page, grid, names, choose, rowOf, changes };
}

describe('the list of Pods', () => {
  it('is sorted by the head of a column, up, down and not at all, and stays so', async () => {
    const { user, grid, names } = await showPods();
    expect(names()).toEqual(['trainer-10', 'api', 'trainer-2']);
    const head = within(grid).getByRole('columnheader', { name: 'Name' });
    await user.click(within(head).getByRole('button'));
    expect(names()).toEqual(['api', 'trainer-2', 'trainer-10']);
    expect(head).toHaveAttribute('aria-sort', 'ascending');
    expect(JSON.parse(localStorage.getItem('hangar.pods.sort') ?? '')).toEqual({ id: 'name', isUp: true });
    await user.keyboard('{Enter}');
    expect(names()).toEqual(['trainer-10', 'trainer-2', 'api']);
    await user.click(within(head).getByRole('button'));
    expect(names()).toEqual(['trainer-10', 'api', 'trainer-2']);
    await user.click(within(within(grid).getByRole('columnheader', { name: '$/h' })).getByRole('button'));
    // A stopped Pod has no price, and stands last.
    expect(names()).toEqual(['trainer-10', 'api', 'trainer-2']);
  });

  it('copies the SSH command of a Pod of this computer, or says why there is none', async () => {
    const { screen, user, rowOf } = await showPods();
    const copyOf = async (name: string) => {
      fireEvent.contextMenu(rowOf(name), { clientX: 40, clientY: 60 });
      const menu = await screen.findByRole('menu', { name: `Actions for ${name}` });
      await user.click(within(menu).getByRole('menuitem', { name: 'Copy SSH command' }));
    };
    await copyOf('trainer-10');
    await expect.poll(() => navigator.clipboard.readText()).toBe('ssh -p 47822 id-trainer-10@127.0.0.1');
    await copyOf('api');
    expect(await screen.findByText('No key may sign in yet.')).toBeVisible();
  });

  it('has a menu at each row, by the pointer and by the menu key, with what the Pod allows', async () => {
    const { screen, user, grid, rowOf, changes } = await showPods();
    fireEvent.contextMenu(rowOf('trainer-10'), { clientX: 40, clientY: 60 });
    const menu = await screen.findByRole('menu', { name: 'Actions for trainer-10' });
    expect(
      within(menu)
        .getAllByRole('menuitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Open',
      'Copy id',
      'Copy SSH command',
      'Stop…',
      'Restart…',
      'Duplicate…',
      'Rename…',
      'Reset…',
      'Delete…',
    ]);
    await user.click(within(menu).getByRole('menuitem', { name: 'Stop…' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stop the Pod' }));
    await waitFor(() => expect(changes).toEqual(['stop id-trainer-10']));
    // The keys are at the row whose menu was opened.
    fireEvent.contextMenu(grid);
    const again = await screen.findByRole('menu', { name: 'Actions for trainer-10' });
    await user.click(within(again).getByRole('menuitem', { name: 'Copy id' }));
    expect(await navigator.clipboard.readText()).toBe('id-trainer-10');
    fireEvent.contextMenu(rowOf('api'));
    const locked = await screen.findByRole('menu', { name: 'Actions for api' });
    for (const name of ['Reset…', 'Delete…']) {
      const item = within(locked).getByRole('menuitem', { name });
      expect(item).toHaveAccessibleDescription('It is locked. Unlock it in its settings first.');
      await user.click(item);
    }
    expect(within(locked).getByText('It is locked. Unlock it in its settings first.')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.click(within(locked).getByRole('menuitem', { name: 'Rename…' }));
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('api');
  });

  it('stops those that are chosen and allow it, after naming them, with a result for each', async () => {
    const { screen, user, choose, changes } = await showPods();
    await choose('trainer-10', 'api', 'trainer-2');
    const bar = within(screen.getByRole('toolbar', { name: 'Selected Pods' }));
    expect(bar.getByRole('button', { name: 'Start 1 · $0.50/h' })).not.toHaveAttribute('aria-disabled');
    await user.click(bar.getByRole('button', { name: 'Stop 1…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Stop 1 Pod?' }));
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['trainer-10']);
    await user.click(dialog.getByRole('button', { name: 'Stop 1 Pod' }));
    expect(await screen.findByRole('list', { name: 'Result' })).toHaveTextContent('Stopped trainer-10');
    expect(changes).toEqual(['stop id-trainer-10']);
  });

  it('counts on a button only what its action is for', async () => {
    const { screen, choose } = await showPods();
    await choose('trainer-10');
    const bar = within(screen.getByRole('toolbar', { name: 'Selected Pods' }));
    expect(bar.getByRole('button', { name: 'Start' })).toHaveAttribute('aria-disabled', 'true');
    expect(bar.getByRole('button', { name: 'Stop 1…' })).not.toHaveAttribute('aria-disabled');
  });

  it('chooses all by the checkbox above them, with a command, and none', async () => {
    const { screen, user, grid } = await showPods();
    const labels = () => commandsNow().map(({ label }) => label);
    await user.click(within(grid).getByRole('checkbox', { name: 'Select all Pods' }));
    expect(screen.getByRole('toolbar', { name: 'Selected Pods' })).toHaveTextContent('3 selected');
    expect(labels()).toContain('Clear the selection of Pods');
    expect(labels()).not.toContain('Select all Pods');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('toolbar', { name: 'Selected Pods' })).toBeNull();
    expect(labels()).toContain('Select all Pods');
  });

  it('restarts those that run, locked or not, after naming them, with a result for each', async () => {
    const { screen, user, choose, changes } = await showPods('id-api');
    await choose('trainer-10', 'api', 'trainer-2');
    expect(commandsNow().map(({ label }) => label)).toContain('Restart the selected Pods…');
    await user.click(screen.getByRole('button', { name: 'Restart 2…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Restart 2 Pods?' }));
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['trainer-10', 'api']);
    await user.click(dialog.getByRole('button', { name: 'Restart 2 Pods' }));
    const result = within(await screen.findByRole('list', { name: 'Result' }));
    expect(await result.findByText('Restarted trainer-10')).toBeVisible();
    expect(await result.findByText('api was not restarted')).toBeVisible();
    expect(changes.toSorted()).toEqual(['restart id-api', 'restart id-trainer-10']);
  });

  it('deletes several only after a word is typed, and says of each whether it is gone', async () => {
    const { screen, user, choose, changes } = await showPods('id-trainer-2');
    await choose('trainer-10', 'trainer-2');
    await user.click(screen.getByRole('button', { name: 'Delete 2…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete 2 Pods?' }));
    expect(dialog.getByRole('button', { name: 'Delete 2 Pods' })).toHaveAccessibleDescription('Type delete first.');
    await user.type(dialog.getByRole('textbox'), 'delete');
    await user.click(dialog.getByRole('button', { name: 'Delete 2 Pods' }));
    const result = within(await screen.findByRole('list', { name: 'Result' }));
    expect(await result.findByText('Deleted trainer-10')).toBeVisible();
    expect(await result.findByText('trainer-2 was not deleted')).toBeVisible();
    expect(changes.toSorted()).toEqual(['remove id-trainer-10', 'remove id-trainer-2']);
  });

  it('says in the menu and for several that a start costs money, also where no price is known', async () => {
    const stopped = (name: string, costPerHr: number) => podOf(name, { desiredStatus: 'EXITED', costPerHr });
    const { screen } = renderPage(
      <PodList
        accountId="work"
        overSsh
        spends
        lacks={[]}
        rows={[stopped('priced', 0.5), stopped('unpriced', 0)].map((pod) => ({ pod, facts: null }))}
        stale={false}
        chosen={new Set(['id-unpriced'])}
        onChosen={() => undefined}
        openId={null}
        onOpen={() => undefined}
        onClose={() => undefined}
      />,
    );
    const toolbar = within(screen.getByRole('toolbar', { name: 'Selected Pods' }));
    expect(toolbar.getByRole('button', { name: 'Start 1 · costs money' })).toBeEnabled();
    const startOf = async (name: string) => {
      fireEvent.contextMenu(screen.getByRole('row', { name: new RegExp(`Select ${name}`) }));
      const menu = await screen.findByRole('menu', { name: `Actions for ${name}` });
      return within(menu).getByRole('menuitem', { name: /^Start/ }).textContent;
    };
    expect(await startOf('unpriced')).toBe('Start · costs money');
    expect(await startOf('priced')).toBe('Start · $0.50/h');
  });
});

it('a Pod whose container does not run has no price, and one that runs is opened at its first http port', async () => {
  const limits = { vcpuCount: 1, memoryInGb: null };
  const factsOf = (id: string, change: Partial<PodFacts>) => podFactsOf({ id, limits, ...change });
  const ports = ['8888/http', '22/tcp'];
  const runtime = { uptimeInSeconds: 5, ports: [], gpus: [], container: null };
  const httpAddresses = { 8888: 'http://p-8888.localhost/' };
  const { screen } = renderPage(<PodsPage podId={null} tab="logs" />, {
    accounts: { list: () => [thisComputer] },
    pods: {
      checkPort: () => ({ ready: true, status: 200, problem: null }),
      now: () => ({
        rows: [
          { pod: podOf('runs', { ports }), facts: factsOf('id-runs', { runtime, httpAddresses }) },
          { pod: podOf('failing', { ports }), facts: factsOf('id-failing', { problem: 'No such image.' }) },
        ],
        factsProblem: null,
        lacks: [],
        containerProblem: null,
      }),
    },
  });
  const rowOf = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }));
  const runs = await rowOf('runs');
  expect(runs.getByText('$0.50')).toBeVisible();
  expect(await runs.findByRole('link', { name: 'Open port 8888' })).toHaveAttribute('href', httpAddresses[8888]);
  const failing = await rowOf('failing');
  expect(failing.queryByText('$0.50')).toBeNull();
  expect(failing.getByText('8888/http 22/tcp')).toBeVisible();
  expect(screen.getByText('1 running, 1 not running · $0.50/h')).toBeVisible();
});
