/** The state of a job as shape, word and colour; the same chip everywhere. */
import {
  Ban,
  Check,
  CircleHelp,
  CircleOff,
  Clock,
  CloudOff,
  Hourglass,
  Play,
  Send,
  X,
  type LucideIcon,
} from 'lucide-react';
import type { LedgerStatus } from '#contract/app/ledger.ts';
import styles from '../theme/pieces.module.css';
import { t } from '../../language/text.ts';

interface Look {
  word: string;
  icon: LucideIcon;
  tone: 'wait' | 'run' | 'ok' | 'bad' | 'off';
}

export const stateStyles: Record<LedgerStatus, Look> = {
  SENDING: { word: t`Sending`, icon: Send, tone: 'wait' },
  IN_QUEUE: { word: t`Queued`, icon: Clock, tone: 'wait' },
  IN_PROGRESS: { word: t`Running`, icon: Play, tone: 'run' },
  COMPLETED: { word: t`Done`, icon: Check, tone: 'ok' },
  FAILED: { word: t`Failed`, icon: X, tone: 'bad' },
  CANCELLED: { word: t`Cancelled`, icon: Ban, tone: 'off' },
  TIMED_OUT: { word: t`Timed out`, icon: Hourglass, tone: 'bad' },
  REFUSED: { word: t`Refused`, icon: CircleOff, tone: 'bad' },
  UNANSWERED: { word: t`No answer`, icon: CircleHelp, tone: 'wait' },
  GONE: { word: t`Gone`, icon: CloudOff, tone: 'off' },
};

interface StateChipProps {
  status: LedgerStatus;
  /** The state is the last known one: grey, and without movement. */
  isLastKnown?: boolean;
}

export function StateChip({ status, isLastKnown = false }: StateChipProps) {
  const { word, icon: Icon, tone } = stateStyles[status];
  return (
    <span
      className={styles.chip}
      data-tone={tone}
      data-status={status}
      data-stale={isLastKnown || undefined}
      title={isLastKnown ? t`Last known: ${word}` : status}
    >
      <Icon size={12} strokeWidth={2.4} aria-hidden className={styles.chipIcon} />
      {word}
    </span>
  );
}
