/** The state of an endpoint as shape, word and colour. */
import { CircleAlert, CircleCheck, CircleHelp, Pause, RefreshCwOff, type LucideIcon } from 'lucide-react';
import pieces from '../../ui/theme/pieces.module.css';
import type { EndpointState } from '../../ui/text/endpointState.ts';
import { t } from '../../language/text.ts';

interface Look {
  word: string;
  icon: LucideIcon;
  tone: 'wait' | 'ok' | 'bad' | 'off';
}

const looks: Record<EndpointState, Look> = {
  ready: { word: t`Ready`, icon: CircleCheck, tone: 'ok' },
  'cannot-run': { word: t`Cannot run`, icon: CircleAlert, tone: 'bad' },
  'crash-looping': { word: t`Crashing`, icon: RefreshCwOff, tone: 'bad' },
  'endpoint-paused': { word: t`Paused`, icon: Pause, tone: 'wait' },
  paused: { word: t`Paused`, icon: Pause, tone: 'wait' },
  pausing: { word: t`Pausing`, icon: Pause, tone: 'wait' },
  unknown: { word: t`Unknown`, icon: CircleHelp, tone: 'off' },
};

interface EndpointChipProps {
  state: EndpointState;
  why?: string | null;
  /** The state is the last known one. */
  stale?: boolean;
}

export function EndpointChip({ state, why, stale = false }: EndpointChipProps) {
  const { word, icon: Icon, tone } = looks[state];
  return (
    <span
      className={pieces.chip}
      data-tone={tone}
      data-endpoint-state={state}
      data-stale={stale || undefined}
      title={stale ? t`Last known: ${word}` : (why ?? undefined)}
    >
      <Icon size={12} strokeWidth={2.4} aria-hidden className={pieces.chipIcon} />
      {word}
    </span>
  );
}
