/** The GPUs of a computer over a period that the person chooses. */
import { Suspense } from 'react';
import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { gpuPeriods, gpuPeriodSchema, type GpuPeriod } from '#contract/local/gpuHistory.ts';
import { useLiveView, usePollMs } from '../../../client/transport/live.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { personalSetting } from '../../../state/personalSetting.ts';
import { LoadError } from '../../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../../ui/domain/StaleNotice.tsx';
import { Card } from '../../../ui/primitives/Card.tsx';
import { ErrorBoundary } from '../../../ui/primitives/ErrorBoundary.tsx';
import { lazyPart } from '../../../ui/primitives/lazyPart.ts';
import page from '../machine.module.css';
import styles from './history.module.css';
import { t } from '../../../language/text.ts';

const GpuCharts = lazyPart(() => import('./GpuCharts.tsx'));

const labels: Readonly<Record<GpuPeriod, string>> = { '15m': '15 min', '1h': '1 h', '6h': '6 h', '24h': '24 h' };
/** Points of the longer periods change slowly. */
const SHORT_MS = 5000;
const LONG_MS = 30_000;

const chosenPeriod = personalSetting('gpuPeriod', gpuPeriodSchema, '1h');

export function GpuHistoryCard({ accountId }: { accountId: string }) {
  const period = chosenPeriod.use();
  const isShort = period === '15m' || period === '1h';
  const refetchInterval = Math.max(usePollMs(), isShort ? SHORT_MS : LONG_MS);
  const { now, at, problem, retry } = useLiveView(
    useQuery(orpc.machine.gpuHistory.queryOptions({ input: { accountId, period }, refetchInterval, retry: false })),
  );
  return (
    <Card aria-label={t`History of the GPUs`}>
      <div className={`${page.cardHead} ${styles.head}`}>
        <h2>{t`History of the GPUs`}</h2>
        <SegmentedControl
          size="xs"
          aria-label={t`Period`}
          data={gpuPeriods.map((value) => ({ value, label: labels[value] }))}
          value={period}
          onChange={(value) => chosenPeriod.set(gpuPeriodSchema.parse(value))}
        />
      </div>
      {now && problem !== null && (
        <StaleNotice at={at} problem={problem} retry={retry}>{t`These are the last numbers.`}</StaleNotice>
      )}
      {!now && problem === null && <ChartsSkeleton />}
      {!now && problem !== null && (
        <LoadError title={t`The history of the GPUs could not be read`} problem={problem} retry={retry} />
      )}
      {now && (
        <ErrorBoundary what={t`The charts`} of={period}>
          <Suspense fallback={<ChartsSkeleton />}>
            <GpuCharts histories={now} />
          </Suspense>
        </ErrorBoundary>
      )}
    </Card>
  );
}

/** Has the size of the charts that come. */
const ChartsSkeleton = () => (
  <div className={styles.charts} role="group" aria-label={t`Loading`} aria-busy="true">
    {['load', 'memory', 'power', 'temperature'].map((name) => (
      <div key={name} className={styles.skeleton} />
    ))}
  </div>
);
