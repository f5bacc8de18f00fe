/** The processor and the memory: their load now and over time. */
import { useMemo } from 'react';
import type { Machine } from '#contract/local/machine.ts';
import { processorChartsOf } from '../history/charts.ts';
import { DeviceHistory, type Pointing } from '../history/DeviceHistory.tsx';
import type { Histories } from '../history/useHistories.ts';
import { formatMemory, formatPercent } from '../../../ui/text/format.ts';
import page from '../machine.module.css';
import styles from './load.module.css';
import { Metric } from './Metric.tsx';
import { counted, t } from '../../../language/text.ts';

interface ProcessorRowProps extends Pointing {
  accountId: string;
  machine: Pick<Machine, 'cpu' | 'memory'>;
  histories: Histories;
}

export function ProcessorRow({ accountId, machine: { cpu, memory }, histories, ...pointing }: ProcessorRowProps) {
  const { period, processor } = histories;
  const { totalBytes } = memory;
  const charts = useMemo(
    () => (processor.now ? processorChartsOf(processor.now, totalBytes) : []),
    [processor.now, totalBytes],
  );
  return (
    <section className={styles.device} aria-label={t`CPU`}>
      <div className={styles.deviceHead}>
        <h3>{cpu.model || t`CPU`}</h3>
        <span className={page.quiet}>{counted(cpu.cores, '{0} core', '{0} cores')}</span>
      </div>
      <div className={styles.parts}>
        <div className={styles.now}>
          <div className={styles.metrics} data-few>
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
          </div>
        </div>
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
      </div>
    </section>
  );
}
