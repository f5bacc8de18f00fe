import { act, cleanup, waitFor, within } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PriceAlert, PriceHistory } from '#contract/app/price.ts';
import { defaultMachineSettings, machineGpuSchema } from '#contract/local/machine.ts';
import { queryClient } from '../../client/transport/orpc.ts';
import { rereadSettings } from '../../state/personalSetting.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { machineOf } from '../../../test/support/page/machine.ts';
import { provideCanvas } from '../../../test/support/page/browser/canvas.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import GpusPage from './GpusPage.tsx';
import { gpuTypesKey } from './useGpuTypes.ts';
import { commandsNow } from '../../state/commands.ts';

const price = (perHour: number) => ({
  uninterruptablePrice: perHour,
  stockStatus: 'High',
  availableGpuCounts: [1],
  totalCount: 1,
  rentedCount: 0,
});
const together = { ...price(0.69), availableGpuCounts: [1, 2, 4], totalCount: 8, rentedCount: 3 };
const types = [
  { id: 'L4', displayName: 'L4', memoryInGb: 24, maxGpuCount: 8, lowestPrice: price(0.43) },
  { id: 'RTX', displayName: 'RTX 4090', memoryInGb: 24, maxGpuCount: 8, lowestPrice: together },
  { id: 'CPU', displayName: 'CPU', memoryInGb: 0, maxGpuCount: 0, lowestPrice: price(0.02) },
];

/** As its driver reports it. */
const l4 = machineGpuSchema.parse({
  uuid: 'GPU-0',
  index: 0,
  typeId: 'L4',
  vendor: 'nvidia',
  memoryBytes: 23034 * 1024 ** 2,
  driverVersion: null,
  enabled: true,
  shared: false,
  heldBy: [],
  load: null,
});

const from = 1_800_000_000_000;
const noHistory = { since: null, from, stepMs: 7_200_000, types: [] };
const seen = (onDemand: number | null) => ({ onDemand, spot: null, stock: 'High' as const });

const met: PriceAlert = {
  alertId: 'a1',
  accountId: thisComputer.id,
  gpuTypeId: 'L4',
  gpuName: 'L4',
  below: 0.5,
  createdAt: from,
  metAt: from,
  price: 0.43,
  checkedAt: from,
};
/** What was sent to make, change or remove alerts. */
let saved: unknown[] = [];

const none = { ...price(2), stockStatus: 'None', availableGpuCounts: [], totalCount: 8, rentedCount: 8 };
/** More types than fit into a comparison, and a processor; none of them is free. */
const taken = [
  ...['A', 'B', 'C', 'D', 'E', 'F'].map((id) => ({
    id,
    displayName: `GPU ${id}`,
    memoryInGb: 24,
    maxGpuCount: 8,
    lowestPrice: none,
  })),
  { id: 'CPU', displayName: 'CPU', memoryInGb: 0, maxGpuCount: 0, lowestPrice: none },
];

/** The page; `ask` answers from the second time on. */
function renderGpus(
  ask: () => typeof types = () => types,
  history: PriceHistory = noHistory,
  alerts: PriceAlert[] = [],
) {
  let calls = 0;
  return renderPage(<GpusPage />, {
    accounts: { list: () => [thisComputer] },
    graphql: { ask: () => ({ data: { gpuTypes: calls++ === 0 ? types : ask() }, errors: [] }) },
    prices: {
      async *alerts() {
        yield alerts;
      },
      addAlert: (alert) => {
        saved.push(alert);
        return { ...met, ...alert };
      },
      changeAlert: (change) => {
        saved.push(change);
        return met;
      },
      removeAlert: (alert) => void saved.push(alert),
      history: ({ gpuTypeId }) => ({
        ...history,
        types: history.types.filter((type) => gpuTypeId === undefined || type.gpuTypeId === gpuTypeId),
      }),
    },
    machine: {
      get: () => machineOf({ gpus: [l4] }),
      settings: () => defaultMachineSettings,
      changeSettings: () => {
        throw new ORPCError('INVALID', { message: 'A price is at most 1000000.' });
      },
    },
  });
}

describe('the page of GPU prices', () => {
  beforeEach(() => {
    saved = [];
  });

  it('keeps the last prices when no newer ones come, and calls them old', async () => {
    const { screen } = renderGpus(() => {
      throw new ORPCError('SERVICE_UNAVAILABLE', { message: 'The engine cannot be reached.' });
    });
    await screen.findByRole('rowheader', { name: /RTX 4090/ });
    await act(() => queryClient.refetchQueries({ queryKey: gpuTypesKey }));
    expect(await screen.findByRole('status')).toHaveTextContent(/^As of .*These are the last known prices/);
    expect(screen.getByRole('rowheader', { name: /RTX 4090/ })).toBeVisible();
  });

  it('lists a processor apart from the GPUs, by the core and without memory', async () => {
    const { screen } = renderGpus();
    const processors = within(await screen.findByRole('table', { name: 'CPUs' }));
    expect(processors.getByRole('row', { name: /^CPU.*\$0\.02/ })).toBeVisible();
    expect(within(screen.getByRole('table', { name: 'GPU types' })).queryByText('CPU')).toBeNull();
  });

  it('has the memory of GPUs of the computer as their driver reports it, and otherwise that of the type', async () => {
    const { screen } = renderGpus();
    const table = within(await screen.findByRole('table', { name: 'GPU types' }));
    const memory = (name: RegExp) => table.getByRole('row', { name });
    expect(memory(/^.*L4/)).toHaveTextContent('22.5 GB');
    expect(memory(/RTX 4090/)).toHaveTextContent('24 GB');
  });

  it('says how many GPUs are free, and how many of them one Pod can have', async () => {
    const { screen } = renderGpus();
    const table = within(await screen.findByRole('table', { name: 'GPU types' }));
    expect(table.getByRole('row', { name: /RTX 4090/ })).toHaveTextContent('5 of 8 · 1, 2 or 4 per Pod');
    expect(commandsNow().map(({ label }) => label)).toContain('Show only types in stock');
  });

  it('sorts by a column, and compares chosen types', async () => {
    const { screen, user } = renderGpus();
    const table = within(await screen.findByRole('table', { name: 'GPU types' }));
    const names = () => table.getAllByRole('rowheader').map(({ firstChild }) => firstChild?.textContent);
    expect(names()).toEqual(['L4', 'RTX 4090']);
    await user.click(table.getByRole('button', { name: '$/GPU-h' }));
    expect(names()).toEqual(['RTX 4090', 'L4']);
    for (const box of table.getAllByRole('checkbox')) await user.click(box);
    const comparison = within(screen.getByRole('region', { name: 'Comparison' }));
    expect(comparison.getByRole('row', { name: /^Per GPU and hour/ })).toHaveTextContent('(best) $0.43');
    expect(comparison.getByRole('row', { name: /^TFLOPS, FP16 tensor/ })).toHaveTextContent('(best) 165121');
    expect(comparison.getByRole('row', { name: 'GPUs per Pod 1, 2 or 4 1' })).toBeVisible();
    await user.click(comparison.getByRole('button', { name: 'Close the comparison' }));
    expect(screen.queryByRole('region', { name: 'Comparison' })).toBeNull();
  });

  it('says of each button that cannot be used why, also to the keyboard', async () => {
    queryClient.clear();
    const { screen, user } = renderPage(<GpusPage />, {
      accounts: { list: () => [thisComputer] },
      graphql: { ask: () => ({ data: { gpuTypes: taken }, errors: [] }) },
      prices: {
        async *alerts() {
          yield [];
        },
        history: () => noHistory,
      },
      machine: { get: () => machineOf(), settings: () => defaultMachineSettings },
    });
    const table = within(await screen.findByRole('table', { name: 'GPU types' }));
    const boxes = table.getAllByRole('checkbox');
    for (const box of boxes.slice(0, 5)) await user.click(box);
    const last = table.getByRole('checkbox', { name: 'Compare GPU F' });
    expect(last).toHaveAccessibleDescription('At most 5 types can be compared.');
    last.focus();
    expect(last).toHaveFocus();
    await user.click(last);
    expect(last).not.toBeChecked();
    await user.click(table.getByRole('button', { name: 'GPU A' }));
    const buttons = [
      await screen.findByRole('button', { name: 'Deploy…' }),
      screen.getByRole('button', { name: 'Deploy on GPU A, compared', hidden: true }),
      screen.getByRole('button', { name: 'Deploy on CPU', hidden: true }),
    ];
    for (const button of buttons) {
      expect(button).toHaveAccessibleDescription('None is free now');
      expect(button).not.toHaveAttribute('disabled');
    }
  });

  it('deploys nothing without a container engine, and says so', async () => {
    queryClient.clear();
    const machine = machineOf();
    const containers = { ...machine.containers, available: false, problem: 'No container engine answers.' };
    const { screen } = renderPage(<GpusPage />, {
      accounts: { list: () => [thisComputer] },
      graphql: {
        ask: () => ({ data: { gpuTypes: taken.map((type) => ({ ...type, lowestPrice: price(2) })) }, errors: [] }),
      },
      prices: {
        async *alerts() {
          yield [];
        },
        history: () => noHistory,
      },
      machine: { get: () => ({ ...machine, containers }), settings: () => defaultMachineSettings },
    });
    for (const name of ['Deploy on GPU A', 'Deploy on CPU']) {
      const deploy = await screen.findByRole('button', { name });
      await waitFor(() => expect(deploy).toHaveAccessibleDescription(/^Pods need a container engine\./));
    }
  });

  it('keeps filters and order over a reload', async () => {
    const { screen, user } = renderGpus();
    await screen.findByRole('rowheader', { name: /RTX 4090/ });
    await user.type(screen.getByLabelText('Find a GPU'), 'L4');
    await user.click(screen.getByRole('button', { name: 'Memory' }));
    cleanup();
    rereadSettings();
    const again = renderGpus().screen;
    expect(await again.findByRole('rowheader', { name: /L4/ })).toBeVisible();
    expect(again.queryByRole('rowheader', { name: /RTX 4090/ })).toBeNull();
    expect(again.getByRole('columnheader', { name: 'Memory' })).toHaveAttribute('aria-sort', 'ascending');
  });

  it('keeps the price that a GPU had when it was pinned, and says how it changed', async () => {
    const cheaper = { ...types[0]!, lowestPrice: price(0.23) };
    const { screen, user } = renderGpus(() => [cheaper]);
    await user.click(await screen.findByRole('button', { name: 'Pin L4' }));
    expect(screen.getByRole('rowheader', { name: /L4/ })).toHaveTextContent('$0.43 as when pinned');
    await act(() => queryClient.refetchQueries({ queryKey: gpuTypesKey }));
    expect(await screen.findByText('$0.43 when pinned, −$0.20 (47 %)')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Pin L4' }));
    expect(screen.queryByText(/when pinned/)).toBeNull();
  });

  it('shows what its vendor publishes of a GPU with the source, and why a number is missing', async () => {
    const { screen } = renderGpus();
    const table = within(await screen.findByRole('table', { name: 'GPU types' }));
    const l4 = within(table.getByRole('row', { name: /^(?!.*4090).*L4/ }));
    expect(l4.getAllByTitle('NVIDIA L4 datasheet').map(({ textContent }) => textContent)).toEqual([
      '121',
      '300',
      '72 W',
    ]);
    cleanup();
    const unknown = { ...types[0]!, id: 'Z1', displayName: 'Z1', memoryInGb: 0 };
    const other = renderPage(<GpusPage />, {
      accounts: { list: () => [thisComputer] },
      graphql: { ask: () => ({ data: { gpuTypes: [unknown] }, errors: [] }) },
      prices: {
        history: () => noHistory,
        async *alerts() {
          yield [];
        },
      },
      machine: { get: () => machineOf(), settings: () => defaultMachineSettings },
    }).screen;
    await act(() => queryClient.refetchQueries({ queryKey: gpuTypesKey }));
    expect(await other.findByRole('row', { name: /Z1.*No published specifications for this GPU/ })).toBeVisible();
    expect(other.getAllByTitle('The account does not report its memory')[0]).toBeVisible();
  });

  it('shows the prices that were seen in a line, and in the details since when they are collected', async () => {
    provideCanvas();
    const l4 = { gpuTypeId: 'L4', points: [null, seen(0.4), seen(0.45), seen(0.43)] };
    const { screen, user } = renderGpus(undefined, { ...noHistory, since: from, types: [l4] });
    const table = within(await screen.findByRole('table', { name: 'GPU types' }));
    expect(await table.findByRole('img', { name: '$0.40 to $0.45 in the last 7 days' })).toBeVisible();
    expect(table.getByTitle('No price was seen in the last 7 days')).toBeVisible();
    await user.click(table.getByRole('button', { name: 'L4' }));
    const details = within(await screen.findByRole('dialog', { name: 'L4' }));
    expect(details.getByText('NVIDIA L4 datasheet')).toBeVisible();
    expect(await details.findByRole('img', { name: 'Price per GPU and hour of L4: $0.40 to $0.45' })).toBeVisible();
    expect(details.getByText(/^Hangar has collected the prices of this computer since/)).toBeVisible();
  });

  it('shows no chart of a GPU of which no price was seen', async () => {
    const { screen, user } = renderGpus();
    await user.click(await screen.findByRole('button', { name: 'L4' }));
    const details = within(await screen.findByRole('dialog', { name: 'L4' }));
    expect(await details.findByText(/^Hangar has no prices of this computer yet/)).toBeVisible();
    expect(details.queryByRole('img')).toBeNull();
  });

  it('counts the free GPUs of one machine instead of a word for its stock; its processor is shared', async () => {
    const { screen, user } = renderGpus();
    const processors = within(await screen.findByRole('table', { name: 'CPUs' }));
    expect(processors.getAllByTitle('All workers and Pods share it')[0]).toHaveTextContent('always there');
    expect(processors.queryByText('High')).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'RTX 4090' }));
    const stock = within(await screen.findByRole('dialog', { name: 'RTX 4090' })).getByText('Stock').nextSibling;
    expect(stock).toHaveTextContent('5 of 8 free 1, 2 or 4 per Pod');
  });

  it('makes an alert about the price of a GPU, or about its stock where none is free', async () => {
    const out = { ...types[0]!, id: 'A40', displayName: 'A40', lowestPrice: { ...price(1), stockStatus: 'None' } };
    const { screen, user } = renderGpus(() => [...types, out]);
    await screen.findByRole('rowheader', { name: /L4/ });
    await act(() => queryClient.refetchQueries({ queryKey: gpuTypesKey }));
    await user.click(await screen.findByRole('button', { name: 'Alert me about A40' }));
    const form = within(await screen.findByRole('dialog', { name: 'Alert for A40 on this computer' }));
    expect(form.getByRole('radio', { name: 'some are in stock' })).toBeChecked();
    await user.click(form.getByRole('radio', { name: 'one GPU costs at most' }));
    expect(form.getByRole('button', { name: 'Save the alert' })).toHaveAccessibleDescription('Enter a price first.');
    await user.type(form.getByLabelText('US dollars per hour for one GPU'), '0.35');
    await user.click(form.getByRole('button', { name: 'Save the alert' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const alert = { accountId: thisComputer.id, gpuTypeId: 'A40', gpuName: 'A40', below: 0.35 };
    expect(saved).toEqual([alert]);
  });

  it('lists the alerts with what holds now; they are changed and removed, which can be undone', async () => {
    const { screen, user } = renderGpus(undefined, undefined, [met]);
    const list = within(await screen.findByRole('region', { name: 'Alerts' }));
    expect(list.getByRole('listitem')).toHaveTextContent(/met.*at most \$0\.50\/h.*Costs \$0\.43, met since/);
    await user.click(list.getByRole('button', { name: /^Change the alert/ }));
    const form = within(await screen.findByRole('dialog'));
    expect(form.getByRole('textbox')).toHaveAccessibleDescription('It costs $0.43 now');
    await user.click(form.getByRole('radio', { name: 'some are in stock' }));
    await user.click(form.getByRole('button', { name: 'Save the alert' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(list.getByRole('button', { name: /^Remove the alert/ }));
    await waitFor(() => expect(saved).toEqual([{ alertId: 'a1', below: null }, { alertId: 'a1' }]));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    const { accountId, gpuTypeId, gpuName, below } = met;
    await waitFor(() => expect(saved.at(-1)).toEqual({ accountId, gpuTypeId, gpuName, below }));
  });

  it('says that no type fits the filters, and shows all again when asked', async () => {
    const { screen, user } = renderGpus();
    await screen.findByRole('rowheader', { name: /RTX 4090/ });
    await user.type(screen.getByLabelText('Maximum US dollars per hour'), '0.5');
    expect(screen.queryByRole('rowheader', { name: /RTX 4090/ })).toBeNull();
    expect(screen.getByRole('rowheader', { name: /L4/ })).toBeVisible();
    await user.type(screen.getByLabelText('Find a GPU'), '4090');
    expect(screen.getByText('No GPU types match these filters')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show all 2' }));
    expect(screen.getByRole('rowheader', { name: /RTX 4090/ })).toBeVisible();
  });

  it('shows at its field why a price was refused, and keeps what was typed', async () => {
    const { screen, user } = renderGpus();
    const prices = within(await screen.findByRole('region', { name: 'Prices of this computer' }));
    const volume = prices.getByLabelText('GB of volume, per month');
    await user.clear(volume);
    await user.type(volume, '2000000{Enter}');
    expect(await prices.findByText('A price is at most 1000000.')).toBeVisible();
    expect(volume).toHaveValue('$2000000');
  });
});
