import { ORPCError } from '@orpc/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { PodMetrics, PodPoint } from '#contract/local/podMetrics.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import type { Answers } from '../../../../test/support/page/app.ts';
import { provideCanvas } from '../../../../test/support/page/browser/canvas.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { MetricsTab } from './MetricsTab.tsx';
import { chartsOf } from './podCharts.ts';

beforeAll(provideCanvas);

const GB = 2 ** 30;
const nothing: PodPoint = {
  at: '2026-11-21T12:00:00.000Z',
  cpuPercent: null,
  memoryBytes: null,
  gpuPercent: null,
  gpuMemoryBytes: null,
  ownGpuMemoryBytes: null,
};
const busy: PodPoint = {
  ...nothing,
  cpuPercent: { mean: 20, most: 60 },
  memoryBytes: { mean: 2 * GB, most: 3 * GB },
};
const onGpu: PodPoint = {
  ...busy,
  gpuPercent: { mean: 70, most: 70 },
  gpuMemoryBytes: { mean: 6 * GB, most: 6 * GB },
  ownGpuMemoryBytes: 4 * GB,
};
const metricsOf = (period: PodMetrics['period'], points: PodPoint[]): PodMetrics => ({
  podId: 'p',
  period,
  from: '2026-11-21T12:00:00.000Z',
  to: '2026-11-21T12:01:00.000Z',
  stepMs: 30_000,
  memoryLimitBytes: 8 * GB,
  gpuMemoryLimitBytes: 24 * GB,
  points,
});

type Metrics = NonNullable<NonNullable<Answers['pods']>['metrics']>;
const renderTab = (metrics: Metrics, pod: object = {}) =>
  renderPage(
    <MetricsTab
      accountId={thisComputer.id}
      row={{
        pod: lenientPodSchema.parse({ id: 'p', name: 'trainer', desiredStatus: 'RUNNING', ...pod }),
        facts: null,
      }}
    />,
    { accounts: { list: () => [thisComputer] }, pods: { metrics } },
  );

describe('the metrics of a Pod', () => {
  it('have an axis up to the limit of the memory, unless nearly none of it is in use', () => {
    const axisOf = (most: number) =>
      chartsOf(metricsOf('1h', [{ ...busy, memoryBytes: { mean: most, most } }])).find(({ id }) => id === 'memoryBytes')
        ?.full;
    expect([axisOf(3 * GB), axisOf(0.5 * GB)]).toEqual([8, null]);
  });

  it('are charts of what was measured, the memory with what it may use', async () => {
    const { screen } = renderTab(({ period }) => metricsOf(period, [busy, nothing]));
    expect(
      await screen.findByRole('img', {
        name: 'CPU of trainer in the last 15 minutes: 20 % on average, 60 % at most',
      }),
    ).toBeVisible();
    expect(screen.getByRole('img', { name: /^Memory of trainer .* at most, of 8.0 GB$/ })).toBeVisible();
    expect(screen.getAllByRole('img')).toHaveLength(2);
    expect(screen.getByText(/^It runs without a GPU/)).toBeVisible();
  });

  it('tell the memory of the Pod on its GPU apart from that of other programs', async () => {
    const charts = chartsOf(metricsOf('1h', [onGpu, nothing]));
    expect(charts.map(({ id }) => id)).toEqual(['cpuPercent', 'memoryBytes', 'gpuPercent', 'gpuMemoryBytes']);
    const memory = charts.at(-1);
    expect([memory?.full, memory?.words(0), memory?.words(1)]).toEqual([
      24,
      '6.0 GB, 4.0 GB by this Pod',
      'not measured',
    ]);
    expect(memory?.lines.map(({ name, values }) => [name, values])).toEqual([
      ['own', [4, null]],
      ['all', [6, null]],
    ]);
  });

  it('are those of the chosen period', async () => {
    const { screen, user } = renderTab(({ period }) => metricsOf(period, [busy]));
    await user.click(await screen.findByRole('radio', { name: '6 h' }));
    expect(await screen.findByRole('img', { name: /^CPU of trainer in the last 6 hours/ })).toBeVisible();
  });

  it('of a stopped Pod, which was not measured, say so instead of empty charts', async () => {
    const { screen } = renderTab(({ period }) => metricsOf(period, [nothing]), { desiredStatus: 'EXITED' });
    expect(await screen.findByText('Nothing was measured in the last 15 minutes')).toBeVisible();
    expect(screen.getByText(/^A Pod is measured while it runs/)).toBeVisible();
    expect(screen.queryByRole('img')).toBeNull();
  });

  it('of a Hangar that does not keep them are a sentence that says so', async () => {
    const { screen } = renderTab(() => {
      throw new ORPCError('UNSUPPORTED', { message: 'The Hangar of this account is too old.' });
    });
    expect(await screen.findByText('The Hangar of this account is too old.')).toBeVisible();
  });
});
