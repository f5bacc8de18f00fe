import { cleanup, within } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GpuHistory, GpuPeriod, GpuPoint } from '#contract/local/gpuHistory.ts';
import { defaultMachineSettings, type MachineGpu, type ProcessorHistory } from '#contract/local/machine.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import type { Answers } from '../../../../test/support/page/app.ts';
import { provideCanvas } from '../../../../test/support/page/browser/canvas.ts';
import { machineOf } from '../../../../test/support/page/machine.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { LoadCard } from '../load/LoadCard.tsx';
import { chartsOf } from './charts.ts';

beforeAll(provideCanvas);

const GB = 2 ** 30;
const point = (utilPercent: number | null, over: Partial<GpuPoint> = {}): GpuPoint => ({
  at: '2026-11-21T12:00:00.000Z',
  utilPercent: utilPercent === null ? null : { mean: utilPercent, most: utilPercent },
  memoryBytes: utilPercent === null ? null : { mean: 6 * GB, most: 8 * GB },
  powerW: null,
  temperatureC: utilPercent === null ? null : { mean: 60, most: 61 },
  ownMemoryBytes: utilPercent === null ? null : 4 * GB,
  users: [],
  ...over,
});
const history = (
  index: number,
  period: GpuPeriod,
  points: GpuPoint[],
  users: GpuHistory['users'] = [],
): GpuHistory => ({
  uuid: `GPU-${index}`,
  index,
  typeId: 'NVIDIA L4',
  memoryBytes: 24 * GB,
  period,
  from: '2026-11-21T12:00:00.000Z',
  to: '2026-11-21T12:01:00.000Z',
  stepMs: 30_000,
  points,
  users,
});

const gpuOf = (index: number) => ({
  uuid: `GPU-${index}`,
  index,
  vendor: 'nvidia' as const,
  typeId: 'NVIDIA L4',
  memoryBytes: 24 * GB,
  driverVersion: null,
  enabled: true,
  shared: false,
  heldBy: [],
  load: null,
});

const idleLoad = { utilPercent: 5, memoryUsedBytes: GB, temperatureC: 40, powerW: 20, processes: [] };

const processor = (period: GpuPeriod): ProcessorHistory => ({
  period,
  from: '2026-11-21T12:00:00.000Z',
  to: '2026-11-21T12:01:00.000Z',
  stepMs: 30_000,
  points: [20, 40].map((load) => ({
    at: '2026-11-21T12:00:00.000Z',
    loadPercent: { mean: load, most: 2 * load },
    memoryBytes: { mean: 6 * GB, most: 8 * GB },
  })),
});

const renderCard = (answers: NonNullable<Answers['machine']>, gpus: MachineGpu[] = [gpuOf(0)]) =>
  renderPage(
    <LoadCard
      accountId={thisComputer.id}
      machine={machineOf({ gpus })}
      at={0}
      workers={[]}
      endpointNames={new Map()}
    />,
    {
      accounts: { list: () => [thisComputer] },
      machine: {
        gpuHistory: ({ period }) => [history(0, period, [point(5)])],
        processorHistory: ({ period }) => processor(period),
        settings: () => defaultMachineSettings,
        ...answers,
      },
    },
  );

describe('the history of GPUs and processor', () => {
  it('is a chart of each quantity that a GPU reports, with who used it, own use apart from other programs', async () => {
    const users = [
      { kind: 'endpoint' as const, id: 'e1', name: 'draw', memoryBytes: 4 * GB, ms: 45 * 60_000 },
      { kind: 'pod' as const, id: 'p1', name: 'trainer', memoryBytes: null, ms: 30_000 },
      { kind: 'pod' as const, id: 'p2', name: 'paused', memoryBytes: null, isKept: true, ms: 120_000 },
      { kind: 'program' as const, id: 'game', name: 'game', memoryBytes: 9 * GB, ms: 60_000 },
    ];
    const { screen, user } = renderCard(
      {
        gpuHistory: ({ period }) => [
          history(0, period, [point(20), point(80)], users),
          history(1, period, [point(null), point(null)]),
        ],
      },
      [gpuOf(0), gpuOf(1), gpuOf(2)],
    );
    const first = within(await screen.findByRole('region', { name: 'NVIDIA L4, GPU 0' }));
    for (const row of screen.getAllByRole('button', { expanded: false, name: /^NVIDIA L4/ })) await user.click(row);
    expect(
      await first.findByRole('img', { name: /^Load of NVIDIA L4, GPU 0 in the last hour: 50 %.* 80 %/ }),
    ).toBeVisible();
    const charts = within(first.getByRole('region', { name: 'History of NVIDIA L4, GPU 0' }));
    expect(charts.getAllByRole('img').map((chart) => chart.getAttribute('aria-label')?.split(' ')[0])).toEqual([
      'Load',
      'Memory',
      'Temperature',
    ]);
    expect(first.getByText('Used in the last hour')).toBeVisible();
    const own = first.getByRole('link', { name: 'draw' }).closest('dd');
    expect(own).toHaveTextContent(/^draw \(45 min, up to 4\.0 GB\), Pod trainer \(30 s\)$/);
    expect(first.getByText('kept, not used, by').nextSibling).toHaveTextContent(/^Pod paused \(2 min\)$/);
    const leadsTo = (name: string) => first.getByRole('link', { name }).getAttribute('href');
    expect([leadsTo('draw'), leadsTo('Pod trainer')]).toEqual(['#/endpoints/e1', '#/pods/p1/overview']);
    expect(first.getByText('game (1 min, up to 9.0 GB)')).toBeVisible();
    // One that was not measured, and one that is new.
    for (const name of ['History of NVIDIA L4, GPU 1', 'History of NVIDIA L4, GPU 2']) {
      expect(screen.getByRole('region', { name })).toHaveTextContent('Nothing was measured in the last hour.');
    }
  });

  it('has the load of the processor and the memory, also without a GPU', async () => {
    const periods: string[] = [];
    const { screen } = renderCard({ gpuHistory: ({ period }) => (periods.push(period), []) }, []);
    const charts = within(await screen.findByRole('region', { name: 'History of the CPU' }));
    expect(
      await charts.findByRole('img', { name: 'Load of the CPU in the last hour: 30 % on average, 80 % at most' }),
    ).toBeVisible();
    expect(charts.getByRole('img', { name: /^Memory .*: 6\.0 GB on average, 8\.0 GB at most$/ })).toBeVisible();
    expect(periods).toEqual([]);
  });

  it('is that of the chosen period, also when the page is opened again', async () => {
    const periods: string[] = [];
    const { screen, user } = renderCard({
      gpuHistory({ period }) {
        periods.push(period);
        return [history(0, period, [point(5)])];
      },
    });
    expect(await screen.findByRole('img', { name: /^Load of NVIDIA .* in the last hour/ })).toBeVisible();
    await user.click(screen.getByRole('button', { expanded: false, name: /^CPU/ }));
    await user.click(screen.getByRole('radio', { name: '24 h' }));
    expect(await screen.findByRole('img', { name: /^Load of NVIDIA .* in the last 24 hours/ })).toBeVisible();
    expect(await screen.findByRole('img', { name: /^Load of the CPU in the last 24 hours/ })).toBeVisible();
    expect(periods).toEqual(['1h', '24h']);
    expect(localStorage.getItem('hangar.gpuPeriod')).toBe('24h');
  });

  it('has one period, that of the charts of open rows and of the small charts of closed ones', async () => {
    const loaded = { ...gpuOf(1), load: { ...idleLoad, at: '2026-11-21T12:01:00.000Z' } };
    const { screen, user } = renderCard({ gpuHistory: ({ period }) => [history(1, period, [point(20), point(80)])] }, [
      gpuOf(0),
      loaded,
    ]);
    const small = (period: string) =>
      screen.findByRole('img', { name: new RegExp(`^Load of NVIDIA L4, GPU 1 in ${period}: from 5 % to 80 %$`) });
    expect(await small('the last hour')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: '6 h' }));
    expect(await small('the last 6 hours')).toBeVisible();
    expect(
      await screen.findByRole('img', { name: /^Memory of this computer in the last 6 hours: from/ }),
    ).toBeVisible();
  });

  it('is closed where a computer has several GPUs, until a row is opened; it stays open then', async () => {
    const answers = { gpuHistory: () => [] };
    const { screen, user } = renderCard(answers, [gpuOf(0), gpuOf(1)]);
    const rows = await screen.findAllByRole('button', { expanded: false });
    expect(rows.map((row) => row.textContent)).toEqual(['NVIDIA L4 GPU 0', 'NVIDIA L4 GPU 1', 'CPU 8 cores']);
    expect(screen.queryByRole('switch', { name: /^Available to workers/ })).toBeNull();
    await user.click(rows[1]!);
    const second = within(screen.getByRole('region', { name: 'NVIDIA L4, GPU 1' }));
    expect(await second.findByText('Nothing was measured in the last hour.')).toBeVisible();
    expect(second.getByRole('switch', { name: /^Available to workers/ })).toBeChecked();
    cleanup();
    const again = renderCard(answers, [gpuOf(0), gpuOf(1)]).screen;
    expect((await again.findByRole('button', { expanded: true })).textContent).toBe('NVIDIA L4 GPU 1');
  });

  it('of a remote that does not keep it is one sentence that says so', async () => {
    const refuse = (): never => {
      throw new ORPCError('UNSUPPORTED', { message: 'The Hangar of this account is too old.' });
    };
    const { screen, user } = renderCard({ gpuHistory: refuse, processorHistory: refuse }, [gpuOf(0), gpuOf(1)]);
    for (const row of await screen.findAllByRole('button', { expanded: false })) await user.click(row);
    expect(await screen.findByText('The Hangar of this account is too old.')).toBeVisible();
    expect(screen.getByText('The history could not be read.')).toBeVisible();
    expect(screen.queryByRole('region', { name: /^History of/ })).toBeNull();
    expect(screen.getByRole('region', { name: 'NVIDIA L4, GPU 1' })).toBeVisible();
  });

  it('tells the memory of Hangar apart at a point', () => {
    const memory = chartsOf(history(0, '1h', [point(5), point(null)])).find(({ id }) => id === 'memoryBytes');
    expect(memory?.words(0)).toBe('6.0 GB on average, 8.0 GB at most, 4.0 GB of Hangar');
    expect(memory?.words(1)).toBe('not measured');
    expect([memory?.full, memory?.lines.map(({ name, values }) => [name, values])]).toEqual([
      24,
      [
        ['own', [4, null]],
        ['all', [6, null]],
      ],
    ]);
  });
});
