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
import { podStateWords, type PodState, type StateOfPod } from '../../ui/text/podWords.ts';

interface Look {
  icon: LucideIcon;
  tone: 'wait' | 'run' | 'bad' | 'off';
}

const looks: Record<PodState, Look> = {
  running: { icon: Play, tone: 'run' },
  preparing: { icon: Download, tone: 'wait' },
  restarting: { icon: RotateCw, tone: 'wait' },
  looping: { icon: RefreshCw, tone: 'bad' },
  failing: { icon: CircleAlert, tone: 'bad' },
  unreported: { icon: CircleHelp, tone: 'wait' },
  stopping: { icon: Square, tone: 'wait' },
  resetting: { icon: Eraser, tone: 'wait' },
  deleting: { icon: Trash2, tone: 'wait' },
  stopped: { icon: Square, tone: 'off' },
};

export function PodChip({ state, why }: StateOfPod) {
  const { icon: Icon, tone } = looks[state];
  return (
    <span className={pieces.chip} data-tone={tone} data-pod-state={state} title={why ?? undefined}>
      <Icon size={12} strokeWidth={2.4} aria-hidden className={pieces.chipIcon} />
      {podStateWords[state].alone}
    </span>
  );
}
