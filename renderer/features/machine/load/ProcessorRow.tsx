/** The processor and the memory in a row: their load now. Open, also their load over time. */
import { useMemo } from 'react';
import type { Machine } from '#contract/local/machine.ts';
import { processorChartsOf } from '../history/charts.ts';
import { DeviceHistory, type Pointing } from '../history/DeviceHistory.tsx';
import type { Histories } from '../history/useHistories.ts';
import { formatMemory, formatPercent } from '../../../ui/text/format.ts';
import { DeviceRow } from './DeviceRow.tsx';
import { Metric } from './Metric.tsx';
import { trackOf } from './series.ts';
import { counted, t } from '../../../language/text.ts';

interface ProcessorRowProps extends Pointing {
  machine: Pick<Machine, 'cpu' | 'memory'>;
  /** When the machine was measured, in milliseconds since the epoch. */
  at: number;
  histories: Histories;
  isOpen: boolean;
  onToggle: () => void;
}

export function ProcessorRow({ machine: { cpu, memory }, at, histories, ...rest }: ProcessorRowProps) {
  const { isOpen, onToggle, ...pointing } = rest;
  const { period, processor } = histories;
  const { totalBytes } = memory;
  const charts = useMemo(
    () => (processor.now ? processorChartsOf(processor.now, totalBytes) : []),
    [processor.now, totalBytes],
  );
  return (
    <DeviceRow
      name={t`CPU`}
      title={cpu.model || t`CPU`}
      facts={counted(cpu.cores, '{0} core', '{0} cores')}
      isOpen={isOpen}
      onToggle={onToggle}
      metrics={
        <>
          <Metric
            period={period}
            isOpen={isOpen}
            track={trackOf(processor.now, ({ loadPercent }) => loadPercent?.mean ?? null, {
              at,
              value: cpu.loadPercent,
            })}
            name={t`Load`}
            of={t`the CPU`}
            value={cpu.loadPercent}
            full={100}
            format={formatPercent}
          />
          <Metric
            period={period}
            isOpen={isOpen}
            track={trackOf(processor.now, ({ memoryBytes }) => memoryBytes?.mean ?? null, {
              at,
              value: memory.usedBytes,
            })}
            name={t`Memory`}
            of={t`this computer`}
            value={memory.usedBytes}
            full={totalBytes}
            format={formatMemory}
            rest={t`of ${formatMemory(totalBytes)}`}
          />
        </>
      }
    >
      <DeviceHistory
        // A running engine measures within a second.
        unmeasured={t`Measuring…`}
        {...pointing}
        name={t`the CPU`}
        period={period}
        view={processor}
        history={processor.now}
        charts={charts}
        expected={2}
      />
    </DeviceRow>
  );
}
