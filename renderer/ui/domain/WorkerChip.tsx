/** The state of a worker as shape, word and colour; the same chip everywhere. */
import { Circle, CircleDashed, Play, Square, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { WorkerRecord } from '#contract/local/engine.ts';
import styles from '../theme/pieces.module.css';
import { t } from '../../language/text.ts';

interface Look {
  word: string;
  icon: LucideIcon;
  tone: 'wait' | 'run' | 'ok' | 'bad' | 'off';
}

const looks: Record<WorkerRecord['state'], Look> = {
  initializing: { word: t`Starting`, icon: CircleDashed, tone: 'wait' },
  idle: { word: t`Idle`, icon: Circle, tone: 'ok' },
  running: { word: t`Running`, icon: Play, tone: 'run' },
  stopping: { word: t`Stopping`, icon: Square, tone: 'off' },
  unhealthy: { word: t`Failing`, icon: TriangleAlert, tone: 'bad' },
};

export function WorkerChip({ state }: { state: WorkerRecord['state'] }) {
  const { word, icon: Icon, tone } = looks[state];
  return (
    <span className={styles.chip} data-tone={tone} data-worker-state={state} title={state}>
      <Icon size={12} strokeWidth={2.4} aria-hidden className={styles.chipIcon} />
      {word}
    </span>
  );
}
