/** Says that the machine is paused, by whom or by which rule, since when and until when. */
import type { PauseState } from '#contract/local/machine.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { pauseTiming } from '../../../ui/text/pauseLabels.ts';
import { useNow } from '../../../ui/primitives/useNow.ts';
import styles from '../machine.module.css';

const TICK_MS = 10_000;

export function PauseBanner({ state }: { state: PauseState }) {
  const now = useNow(state.state === 'running' ? null : TICK_MS);
  if (state.state === 'running') return null;
  return (
    <div className={styles.banner} data-testid="pause-banner">
      <Notice tone="wait" title={state.message ?? 'Paused.'}>
        {pauseTiming(state, now)}
      </Notice>
    </div>
  );
}
