/** The timeline of one job: a bar of its phases with direct labels. */
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { formatDuration } from '../text/format.ts';
import styles from './job.module.css';
import { barLength, isOver, phasesOf } from './timeline.ts';
import { t } from '../../language/text.ts';

export function Timeline({ entry, now }: { entry: LedgerEntry; now: number }) {
  const phases = phasesOf(entry, now);
  const length = barLength(phases, isOver(entry));
  const words = phases.map((phase) => `${phase.name} ${formatDuration(phase.ms)}`);
  return (
    <div className={styles.timeline}>
      <div className={styles.bar} role="img" aria-label={t`Timeline: ${words.join(', ')}`}>
        {phases.map((phase) => (
          <i key={phase.name} data-phase={phase.name} style={{ width: `${(100 * phase.ms) / length}%` }} />
        ))}
      </div>
      <div className={styles.labels} aria-hidden>
        {phases.map((phase, index) => (
          <span key={phase.name}>
            <i data-phase={phase.name} />
            {words[index]}
          </span>
        ))}
      </div>
    </div>
  );
}
