/** The processor and the memory in a row: their load now. Open, also their load over time. */
import { useMemo } from 'react';
import type { Machine } from '#contract/local/machine.ts';
import { processorChartsOf } from '../history/charts.ts';
import { DeviceHistory, type Pointing } from '../history/DeviceHistory.tsx';
import type { Histories } from '../history/useHistories.ts';
import { formatMemory, formatPercent } from '../../../ui/text/format.ts';
import { DeviceRow } from './DeviceRow.tsx';
import { Metric } from './Metric.tsx';
import { counted, t } from '../../../language/text.ts';

interface ProcessorRowProps extends Pointing {
  accountId: string;
  machine: Pick<Machine, 'cpu' | 'memory'>;
  histories: Histories;
  isOpen: boolean;
  onToggle: () => void;
}

export function ProcessorRow({ accountId, machine: { cpu, memory }, histories, ...rest }: ProcessorRowProps) {
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
            accountId={accountId}
            track="cpu"
            name={t`Load`}
            of={t`the CPU`}
            value={cpu.loadPercent}
            full={100}
            format={formatPercent}
          />
          <Metric
            accountId={accountId}
            track="memory"
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
