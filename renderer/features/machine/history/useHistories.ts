/** The GPUs and the processor of a computer over a period that the person chooses. */
import { useQuery } from '@tanstack/react-query';
import { gpuPeriodSchema, type GpuHistory, type GpuPeriod } from '#contract/local/gpuHistory.ts';
import type { ProcessorHistory } from '#contract/local/machine.ts';
import { useLiveView, usePollMs, type LiveView } from '../../../client/transport/live.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { personalSetting } from '../../../state/personalSetting.ts';
import { refreshMs } from '../../../ui/chart/period.ts';

const chosenPeriod = personalSetting('gpuPeriod', gpuPeriodSchema, '1h');

export interface Histories {
  period: GpuPeriod;
  choosePeriod: (period: GpuPeriod) => void;
  gpus: LiveView<GpuHistory[]>;
  processor: LiveView<ProcessorHistory>;
}

/** Interval of the reads until the engine, which has just started, has its first measurement, in milliseconds. */
const FIRST_MS = 1000;

const isMeasured = (history: ProcessorHistory | undefined): boolean =>
  history === undefined || history.points.some(({ memoryBytes }) => memoryBytes !== null);

/** Reads them again and again while the page is open. */
export function useHistories(accountId: string, hasGpus: boolean): Histories {
  const period = chosenPeriod.use();
  const refetchInterval = Math.max(usePollMs(), refreshMs(period));
  const asking = { input: { accountId, period }, refetchInterval, retry: false };
  return {
    period,
    choosePeriod: chosenPeriod.set,
    gpus: useLiveView(useQuery(orpc.machine.gpuHistory.queryOptions({ ...asking, enabled: hasGpus }))),
    processor: useLiveView(
      useQuery(
        orpc.machine.processorHistory.queryOptions({
          ...asking,
          refetchInterval: ({ state }) => (isMeasured(state.data) ? refetchInterval : FIRST_MS),
        }),
      ),
    ),
  };
}
