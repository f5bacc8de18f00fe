/** Shows that the machine is paused, with the cause, the start and the end. */
import type { PauseState } from '#contract/local/machine.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { pauseTiming } from '../../../ui/text/pauseLabels.ts';
import { useNow } from '../../../ui/primitives/useNow.ts';
import styles from '../machine.module.css';
import { t } from '../../../language/text.ts';

const TICK_MS = 10_000;

export function PauseBanner({ state }: { state: PauseState }) {
  const now = useNow(state.state === 'running' ? null : TICK_MS);
  if (state.state === 'running') return null;
  return (
    <div className={styles.pauseBanner} data-testid="pause-banner">
      <Notice tone="wait" title={state.message ?? t`Paused.`}>
        {pauseTiming(state, now)}
      </Notice>
    </div>
  );
}
