/** The GPUs of a computer over a period that the person chooses. */
import { Suspense } from 'react';
import { useQuery } from '@tanstack/react-query';
import { gpuPeriodSchema } from '#contract/local/gpuHistory.ts';
import { useLiveView, usePollMs } from '../../../client/transport/live.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { personalSetting } from '../../../state/personalSetting.ts';
import { ChartsSkeleton } from '../../../ui/chart/ChartsSkeleton.tsx';
import { refreshMs } from '../../../ui/chart/period.ts';
import { PeriodControl } from '../../../ui/chart/PeriodControl.tsx';
import { LoadError } from '../../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../../ui/domain/StaleNotice.tsx';
import { Card } from '../../../ui/primitives/Card.tsx';
import { ErrorBoundary } from '../../../ui/primitives/ErrorBoundary.tsx';
import { lazyPart } from '../../../ui/primitives/lazyPart.ts';
import page from '../machine.module.css';
import styles from './history.module.css';
import { t } from '../../../language/text.ts';

const GpuCharts = lazyPart(() => import('./GpuCharts.tsx'));

const chartNames = ['load', 'memory', 'power', 'temperature'];

const chosenPeriod = personalSetting('gpuPeriod', gpuPeriodSchema, '1h');

export function GpuHistoryCard({ accountId }: { accountId: string }) {
  const period = chosenPeriod.use();
  const refetchInterval = Math.max(usePollMs(), refreshMs(period));
  const { now, at, problem, retry } = useLiveView(
    useQuery(orpc.machine.gpuHistory.queryOptions({ input: { accountId, period }, refetchInterval, retry: false })),
  );
  return (
    <Card aria-label={t`History of the GPUs`}>
      <div className={`${page.cardHead} ${styles.head}`}>
        <h2>{t`History of the GPUs`}</h2>
        <PeriodControl period={period} onChange={chosenPeriod.set} />
      </div>
      {now && problem !== null && (
        <StaleNotice at={at} problem={problem} retry={retry}>{t`These are the last known numbers.`}</StaleNotice>
      )}
      {!now && problem === null && <ChartsSkeleton names={chartNames} />}
      {!now && problem !== null && (
        <LoadError title={t`The history of the GPUs could not be read`} problem={problem} retry={retry} />
      )}
      {now && (
        <ErrorBoundary what={t`The charts`} of={period}>
          <Suspense fallback={<ChartsSkeleton names={chartNames} />}>
            <GpuCharts accountId={accountId} histories={now} />
          </Suspense>
        </ErrorBoundary>
      )}
    </Card>
  );
}
