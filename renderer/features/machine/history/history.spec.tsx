import { within } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GpuHistory, GpuPeriod, GpuPoint } from '#contract/local/gpuHistory.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import type { Answers } from '../../../../test/support/page/app.ts';
import { provideCanvas } from '../../../../test/support/page/canvas.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { GpuHistoryCard } from './GpuHistoryCard.tsx';
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

const renderCard = (gpuHistory: NonNullable<NonNullable<Answers['machine']>['gpuHistory']>) =>
  renderPage(<GpuHistoryCard accountId={thisComputer.id} />, {
    accounts: { list: () => [thisComputer] },
    machine: { gpuHistory },
  });

describe('the history of the GPUs', () => {
  it('is a chart of each quantity that a GPU reports, with who used it, own use apart from other programs', async () => {
    const users = [
      { kind: 'endpoint' as const, id: 'e1', name: 'draw', memoryBytes: 4 * GB, ms: 45 * 60_000 },
      { kind: 'pod' as const, id: 'p1', name: 'trainer', memoryBytes: null, ms: 30_000 },
      { kind: 'program' as const, id: 'game', name: 'game', memoryBytes: 9 * GB, ms: 60_000 },
    ];
    const { screen } = renderCard(({ period }) => [
      history(0, period, [point(20), point(80)], users),
      history(1, period, [point(null), point(null)]),
    ]);
    const first = within(await screen.findByRole('region', { name: 'History of NVIDIA L4, GPU 0' }));
    expect(first.getByRole('img', { name: /^Load of NVIDIA L4, GPU 0 in the last hour: 50 %.* 80 %/ })).toBeVisible();
    expect(first.getAllByRole('img').map((chart) => chart.getAttribute('aria-label')?.split(' ')[0])).toEqual([
      'Load',
      'Memory',
      'Temperature',
    ]);
    const own = first.getByRole('link', { name: 'draw' }).closest('dd');
    expect(own).toHaveTextContent(/^draw \(45 min, up to 4\.0 GB\), Pod trainer \(30 s\)$/);
    const leadsTo = (name: string) => first.getByRole('link', { name }).getAttribute('href');
    expect([leadsTo('draw'), leadsTo('Pod trainer')]).toEqual(['#/endpoints/e1', '#/pods/p1/overview']);
    expect(first.getByText('game (1 min, up to 9.0 GB)')).toBeVisible();
    const second = within(screen.getByRole('region', { name: 'History of NVIDIA L4, GPU 1' }));
    expect(second.getByText('Nothing was measured in the last hour.')).toBeVisible();
  });

  it('is that of the chosen period, also when the page is opened again', async () => {
    const periods: string[] = [];
    const { screen, user } = renderCard(({ period }) => {
      periods.push(period);
      return [history(0, period, [point(5)])];
    });
    expect(await screen.findByRole('img', { name: /^Load .* in the last hour/ })).toBeVisible();
    await user.click(screen.getByRole('radio', { name: '24 h' }));
    expect(await screen.findByRole('img', { name: /^Load .* in the last 24 hours/ })).toBeVisible();
    expect(periods).toEqual(['1h', '24h']);
    expect(localStorage.getItem('hangar.gpuPeriod')).toBe('24h');
  });

  it('of a remote that does not keep it is a sentence that says so', async () => {
    const { screen } = renderCard(() => {
      throw new ORPCError('UNSUPPORTED', { message: 'The Hangar of this account is too old.' });
    });
    expect(await screen.findByText('The Hangar of this account is too old.')).toBeVisible();
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
