/** Says that the machine is paused, by whom or by which rule, since when and until when. */
import type { PauseState } from '#contract/machine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { isRule, pauseTiming } from '../../ui/pauseWords.ts';
import { useNow } from '../../ui/useNow.ts';
import styles from './machine.module.css';

const TICK_MS = 10_000;

export function PauseBanner({ state }: { state: PauseState }) {
  const now = useNow(state.state === 'running' ? null : TICK_MS);
  if (state.state === 'running') return null;
  const timing = pauseTiming(state, now);
  const title =
    state.state === 'finishing'
      ? 'Pausing after the running jobs.'
      : isRule(state.source)
        ? 'Paused by a rule.'
        : 'Paused.';
  // What the engine says may be the title itself.
  const message = state.message === title ? '' : (state.message ?? '');
  return (
    <div className={styles.banner} data-testid="pause-banner">
      <Notice tone="wait" title={title}>
        {message} {timing !== '' && <span className={styles.timing}>{timing}</span>}
      </Notice>
    </div>
  );
}
