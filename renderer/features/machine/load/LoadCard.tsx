/** The load of processor and GPUs; without a GPU, an explanation. */
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { Machine } from '#contract/local/machine.ts';
import { Card } from '../../../ui/primitives/Card.tsx';
import { formatMemory, formatPercent } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { GpuRow } from './GpuRow.tsx';
import page from '../machine.module.css';
import styles from './load.module.css';
import { gpuTrack, minutesOf, useTrack, type Track } from './series.ts';
import { Metric } from './Metric.tsx';
import { counted, t } from '../../../language/text.ts';

interface LoadCardProps {
  accountId: string;
  machine: Machine;
  workers: readonly WorkerRecord[];
  endpointNames: ReadonlyMap<string, string>;
}

const periodWords = (track: Track): string => counted(minutesOf(track), 'last minute', 'last {0} minutes');

export function LoadCard({ accountId, machine, workers, endpointNames }: LoadCardProps) {
  const { cpu, memory, gpus, gpuProblem } = machine;
  const ofGpu = useTrack(accountId, gpuTrack(gpus[0]?.uuid ?? '', 'load'));
  const ofCpu = useTrack(accountId, 'cpu');
  const periodOfCpu = t`${periodWords(ofCpu)}, while this page was open`;
  return (
    <Card aria-label={t`CPU and GPUs`}>
      <div className={page.cardHead}>
        <h2>{gpus.length === 0 ? t`CPU` : counted(gpus.length, 'GPU', '{0} GPUs')}</h2>
        <span className={page.quiet}>{gpus.length === 0 ? periodOfCpu : periodWords(ofGpu)}</span>
      </div>
      {gpus.length === 0 && (
        <Notice tone="off" title={t`No GPU.`}>
          {gpuProblem ?? t`Everything runs on the CPU.`}
        </Notice>
      )}
      {gpus.length > 0 && gpuProblem !== null && (
        <Notice tone="wait" title={t`Some GPUs cannot be used or measured.`}>
          {gpuProblem}
        </Notice>
      )}
      {gpus.map((gpu) => (
        <GpuRow key={gpu.uuid} accountId={accountId} gpu={gpu} workers={workers} endpointNames={endpointNames} />
      ))}
      <div className={styles.device}>
        <div className={styles.deviceHead}>
          <h3>{cpu.model || t`CPU`}</h3>
          <span className={page.quiet}>{counted(cpu.cores, '{0} core', '{0} cores')}</span>
          {gpus.length > 0 && <span className={`${page.quiet} ${styles.period}`}>{periodOfCpu}</span>}
        </div>
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
            full={memory.totalBytes}
            format={formatMemory}
            rest={t`of ${formatMemory(memory.totalBytes)}`}
          />
        </div>
      </div>
    </Card>
  );
}
