/** The state of a Pod as shape, word and colour. */
import {
  CircleAlert,
  CircleHelp,
  Download,
  Eraser,
  Play,
  RefreshCw,
  RotateCw,
  Square,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
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
  restarting: { word: t`Restarting…`, icon: RotateCw, tone: 'wait' },
  looping: { word: t`Crash loop`, icon: RefreshCw, tone: 'bad' },
  failing: { word: t`Not running`, icon: CircleAlert, tone: 'bad' },
  unreported: { word: t`Starting`, icon: CircleHelp, tone: 'wait' },
  stopping: { word: t`Stopping…`, icon: Square, tone: 'wait' },
  resetting: { word: t`Resetting…`, icon: Eraser, tone: 'wait' },
  deleting: { word: t`Deleting…`, icon: Trash2, tone: 'wait' },
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
