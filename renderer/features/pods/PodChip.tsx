/** The state of a Pod as shape, word and colour. */
import { CircleAlert, CircleHelp, Download, Play, Square, type LucideIcon } from 'lucide-react';
import pieces from '../../ui/theme/pieces.module.css';
import type { PodState, StateOfPod } from './podState.ts';
import { t } from '../../language/text.ts';

interface Look {
  word: string;
  icon: LucideIcon;
  tone: 'wait' | 'run' | 'bad' | 'off';
}

const looks: Record<PodState, Look> = {
  running: { word: t`Running`, icon: Play, tone: 'run' },
  preparing: { word: t`Preparing`, icon: Download, tone: 'wait' },
  failing: { word: t`Not running`, icon: CircleAlert, tone: 'bad' },
  unreported: { word: t`Starting`, icon: CircleHelp, tone: 'wait' },
  stopped: { word: t`Stopped`, icon: Square, tone: 'off' },
};

export function PodChip({ state, why }: StateOfPod) {
  const { word, icon: Icon, tone } = looks[state];
  return (
    <span className={pieces.chip} data-tone={tone} data-pod-state={state} title={why ?? undefined}>
      <Icon size={12} strokeWidth={2.4} aria-hidden className={pieces.chipIcon} />
      {word}
    </span>
  );
}
