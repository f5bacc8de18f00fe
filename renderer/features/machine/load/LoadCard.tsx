/** Processor and GPUs with their load; on a machine without a GPU, what that means. */
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { Machine } from '#contract/local/machine.ts';
import { Card } from '../../../ui/primitives/Card.tsx';
import { formatMemory, formatPercent } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { GpuRow } from './GpuRow.tsx';
import page from '../machine.module.css';
import styles from './load.module.css';
import { Metric } from './Metric.tsx';

interface LoadCardProps {
  accountId: string;
  machine: Machine;
  workers: readonly WorkerRecord[];
  endpointNames: ReadonlyMap<string, string>;
}

export function LoadCard({ accountId, machine, workers, endpointNames }: LoadCardProps) {
  const { cpu, memory, gpus, gpuProblem } = machine;
  return (
    <Card aria-label="Processor and GPUs">
      <div className={page.cardHead}>
        <h2>{gpus.length === 0 ? 'Processor' : gpus.length === 1 ? 'GPU' : `${gpus.length} GPUs`}</h2>
        <span className={page.quiet}>last 5 minutes</span>
      </div>
      {gpus.length === 0 && (
        <Notice tone="off" title="Works without a GPU.">
          {gpuProblem ?? 'This computer has no GPU that workers could use. Everything runs on the CPU.'}
        </Notice>
      )}
      {gpus.length > 0 && gpuProblem !== null && (
        <Notice tone="wait" title="Not every GPU can be used or measured.">
          {gpuProblem}
        </Notice>
      )}
      {gpus.map((gpu) => (
        <GpuRow key={gpu.uuid} accountId={accountId} gpu={gpu} workers={workers} endpointNames={endpointNames} />
      ))}
      <div className={styles.device}>
        <div className={styles.deviceHead}>
          <h3>{cpu.model || 'CPU'}</h3>
          <span className={page.quiet}>
            {cpu.cores} {cpu.cores === 1 ? 'core' : 'cores'}
          </span>
        </div>
        <div className={styles.metrics} data-few>
          <Metric
            {...{ accountId, track: 'cpu', name: 'Load', of: 'the processor' }}
            value={cpu.loadPercent}
            full={100}
            format={formatPercent}
          />
          <Metric
            {...{ accountId, track: 'memory', name: 'Memory', of: 'this computer' }}
            value={memory.usedBytes}
            full={memory.totalBytes}
            format={formatMemory}
            rest={`of ${formatMemory(memory.totalBytes)}`}
          />
        </div>
      </div>
    </Card>
  );
}
