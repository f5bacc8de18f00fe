/** The processor, the memory and the GPUs of a Pod over a period that the person chooses. */
import { useQuery } from '@tanstack/react-query';
import { gpuPeriodSchema } from '#contract/local/gpuHistory.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import type { PodMetrics } from '#contract/local/podMetrics.ts';
import { useLiveView, usePollMs } from '../../../client/transport/live.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { personalSetting } from '../../../state/personalSetting.ts';
import { ChartsSkeleton } from '../../../ui/chart/ChartsSkeleton.tsx';
import { periodNames, refreshMs } from '../../../ui/chart/period.ts';
import { PeriodControl } from '../../../ui/chart/PeriodControl.tsx';
import { LoadError } from '../../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../../ui/domain/StaleNotice.tsx';
import { ErrorBoundary } from '../../../ui/primitives/ErrorBoundary.tsx';
import { lazyPart } from '../../../ui/primitives/lazyPart.ts';
import { Empty } from '../../../ui/primitives/Notice.tsx';
import panel from '../../../ui/theme/panel.module.css';
import { isMeasured } from './podCharts.ts';
import styles from './metrics.module.css';
import { t } from '../../../language/text.ts';

const chosenPeriod = personalSetting('podPeriod', gpuPeriodSchema, '15m');
const cpuCharts = ['processor', 'memory'];
const gpuCharts = [...cpuCharts, 'gpu', 'gpu-memory'];

const hasGpuCharts = ({ points }: PodMetrics): boolean =>
  points.some(({ gpuPercent, gpuMemoryBytes }) => (gpuPercent ?? gpuMemoryBytes) !== null);

const PodCharts = lazyPart(
  () => import('./PodCharts.tsx'),
  ({ metrics }) => <ChartsSkeleton names={hasGpuCharts(metrics) ? gpuCharts : cpuCharts} />,
);

export function MetricsTab({ accountId, row: { pod } }: { accountId: string; row: PodRow }) {
  const period = chosenPeriod.use();
  const input = { accountId, podId: pod.id, period };
  const refetchInterval = Math.max(usePollMs(), refreshMs(period));
  const { now, at, problem, retry } = useLiveView(
    useQuery(orpc.pods.metrics.queryOptions({ input, refetchInterval, retry: false })),
  );
  const skeleton = <ChartsSkeleton names={pod.gpuCount > 0 ? gpuCharts : cpuCharts} />;
  const runs = pod.desiredStatus === 'RUNNING';
  return (
    <div className={panel.panel} tabIndex={0} role="region" aria-label={t`Metrics of ${pod.name}`}>
      <div className={styles.head}>
        <PeriodControl period={period} onChange={chosenPeriod.set} />
      </div>
      {now && problem !== null && (
        <StaleNotice at={at} problem={problem} retry={retry}>{t`These are the last known numbers.`}</StaleNotice>
      )}
      <div className={styles.body}>
        {!now && problem === null && skeleton}
        {!now && problem !== null && (
          <LoadError title={t`The metrics could not be read`} problem={problem} retry={retry} />
        )}
        {now && !isMeasured(now) && (
          <Empty title={t`Nothing was measured in ${periodNames[period]}`}>
            {runs
              ? t`The first values come about 20 seconds after its container started.`
              : t`A Pod is measured while it runs. Start it to see its CPU, memory and GPU.`}
          </Empty>
        )}
        {now && isMeasured(now) && (
          <>
            <ErrorBoundary what={t`The charts`} of={period}>
              <PodCharts name={pod.name} metrics={now} />
            </ErrorBoundary>
            <p className={panel.hint}>
              {pod.gpuCount === 0
                ? t`It runs without a GPU. 100 % means all the CPU cores it may use.`
                : hasGpuCharts(now)
                  ? t`The load of a GPU includes other programs on it. 100 % means all the CPU cores it may use.`
                  : t`The driver of its GPU reports no load. 100 % means all the CPU cores it may use.`}
            </p>
          </>
        )}
      </div>
    </div>
  );
}
