/** The head of one job: its state, how long, where, its timeline, and why it waits or failed. */
import type { ReactNode } from 'react';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { formatDuration } from '../text/format.ts';
import { Id } from '../primitives/Id.tsx';
import { StateChip } from '../domain/StateChip.tsx';
import { useNow } from '../primitives/useNow.ts';
import styles from './job.module.css';
import { JobError } from './JobError.tsx';
import { isOver, phasesOf } from './timeline.ts';
import { Timeline } from './Timeline.tsx';

const TICK_MS = 100;

interface JobSummaryProps {
  entry: LedgerEntry;
  /** Buttons at the right end. */
  actions?: ReactNode;
}

export function JobSummary({ entry, actions }: JobSummaryProps) {
  const over = isOver(entry);
  const now = useNow(over ? null : TICK_MS);
  const total = phasesOf(entry, now).reduce((sum, phase) => sum + phase.ms, 0);
  return (
    <div className={styles.summary}>
      <div className={styles.summaryHead}>
        <StateChip status={entry.status} />
        <strong className={styles.elapsed}>{formatDuration(total)}</strong>
        {entry.workerId !== null && (
          <span className={styles.worker}>
            worker <Id text={entry.workerId} what="worker id" />
          </span>
        )}
        <span className={styles.actions}>{actions}</span>
      </div>
      <Timeline entry={entry} now={now} />
      {entry.retries > 0 && (
        <p className={styles.waiting}>
          {entry.retries === 1
            ? 'Its worker was lost, and it was queued again.'
            : `Its worker was lost ${entry.retries} times, and it was queued again.`}
        </p>
      )}
      {entry.waiting !== null && !over && (
        <p className={styles.waiting}>
          <strong>Waiting:</strong> {entry.waiting}
        </p>
      )}
      {entry.chunkGap !== null && (
        <p className={styles.waiting}>
          {entry.chunkGap === 'possible'
            ? 'An answer was lost on its way, and a service tells each chunk once: some chunks may be missing.'
            : 'Chunks that were lost on their way were taken from the output.'}
        </p>
      )}
      {entry.error !== null && <JobError entry={entry} error={entry.error} />}
    </div>
  );
}
