/** The GPUs and the processor, each in a row with its load; without a GPU, an explanation. */
import { useState } from 'react';
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { Machine } from '#contract/local/machine.ts';
import { Card, CardHead } from '../../../ui/primitives/Card.tsx';
import { PeriodControl } from '../../../ui/chart/PeriodControl.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { HistoryNotice } from '../history/HistoryNotice.tsx';
import { useHistories } from '../history/useHistories.ts';
import { GpuRow } from './GpuRow.tsx';
import styles from './load.module.css';
import { CPU, useOpenDevices } from './openDevices.ts';
import { ProcessorRow } from './ProcessorRow.tsx';
import { counted, t } from '../../../language/text.ts';

interface LoadCardProps {
  accountId: string;
  machine: Machine;
  /** When it was measured, in milliseconds since the epoch. */
  at: number;
  workers: readonly WorkerRecord[];
  endpointNames: ReadonlyMap<string, string>;
}

export function LoadCard({ accountId, machine, at, workers, endpointNames }: LoadCardProps) {
  const { gpus, gpuProblem } = machine;
  const [pointed, setPointed] = useState<number | null>(null);
  const { isOpen, toggle } = useOpenDevices(
    accountId,
    gpus.map(({ uuid }) => uuid),
  );
  const histories = useHistories(accountId, gpus.length > 0);
  const both = { histories, pointed, onPoint: setPointed };
  return (
    <Card aria-label={t`CPU and GPUs`}>
      <CardHead title={gpus.length === 0 ? t`CPU` : counted(gpus.length, 'GPU', '{0} GPUs')} className={styles.head}>
        <PeriodControl period={histories.period} onChange={histories.choosePeriod} />
      </CardHead>
      <HistoryNotice {...histories} />
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
        <GpuRow
          key={gpu.uuid}
          {...both}
          accountId={accountId}
          gpu={gpu}
          workers={workers}
          endpointNames={endpointNames}
          isOpen={isOpen(gpu.uuid)}
          onToggle={() => toggle(gpu.uuid)}
        />
      ))}
      <ProcessorRow {...both} machine={machine} at={at} isOpen={isOpen(CPU)} onToggle={() => toggle(CPU)} />
    </Card>
  );
}
