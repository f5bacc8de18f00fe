/** The head of one job: its state, how long, where, its timeline, and why it waits or failed. */
import { useState, type ReactNode } from 'react';
import { isOver, phasesOf } from '#contract/app/jobs/times.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useAwayOf } from '../../client/away.ts';
import { useIsLastKnown } from '../../client/jobs/lastKnown.ts';
import { formatDuration } from '../text/format.ts';
import { Id } from '../primitives/Id.tsx';
import { StateChip } from '../domain/StateChip.tsx';
import { useNow } from '../primitives/useNow.ts';
import styles from './job.module.css';
import { AttemptNote } from './attempts/AttemptNote.tsx';
import { JobCost } from './cost/JobCost.tsx';
import { JobError } from './JobError.tsx';
import { JobProgress } from './progress/JobProgress.tsx';
import { hadNoWorker, notQueuedWords } from './timeline.ts';
import { Timeline } from './Timeline.tsx';
import { WaitReason } from './WaitReason.tsx';
import { joinSentences } from '../../language/sentences.ts';
import { rich, t } from '../../language/text.ts';

const TICK_MS = 100;

interface JobSummaryProps {
  entry: LedgerEntry;
  /** Buttons at the right end. */
  actions?: ReactNode;
  /**
   * Whether the job alone is shown: the worker and the cost stand below, among its facts, and its traceback is unfolded.
   */
  hasFactsBelow?: boolean;
}

const chunkGapWords: Record<NonNullable<LedgerEntry['chunkGap']>, string> = {
  possible: t`An answer may have been lost, and the service sends each chunk only once. Some chunks may be missing.`,
  filled: t`Chunks were lost on their way, and are restored. Nothing is missing.`,
  cut: t`Only the first 1 MB of chunks was kept because the job was not open in Hangar while it ran.`,
  unread: t`The job was deleted on its account before Hangar read its output.`,
};

export function JobSummary({ entry, actions, hasFactsBelow = false }: JobSummaryProps) {
  const over = isOver(entry);
  const isLastKnown = useIsLastKnown()(entry);
  /** False for a job of which this page knew nothing newer from the start: then nobody knows how long it has waited. */
  const [hasFollowed, setFollowed] = useState(!isLastKnown);
  if (!isLastKnown && !hasFollowed) setFollowed(true);
  // A clock that stops keeps the time at which news of the job ended.
  const now = useNow(over || isLastKnown ? null : TICK_MS);
  const notQueued = notQueuedWords(entry);
  const hasTimes = hasFollowed && notQueued === null;
  const waitReason = !isLastKnown && (!over || hadNoWorker(entry)) && <WaitReason entry={entry} />;
  const total = phasesOf(entry, now).reduce((sum, phase) => sum + phase.ms, 0);
  return (
    <div className={styles.summary}>
      <div className={styles.summaryHead}>
        <StateChip status={entry.status} isLastKnown={isLastKnown} />
        {hasTimes && <strong className={styles.elapsed}>{formatDuration(total)}</strong>}
        {!hasFactsBelow && entry.workerId !== null && entry.workerId !== '' && (
          <span
            className={styles.worker}
          >{rich`worker ${<Id text={entry.workerId} copyLabel={t`Copy worker id`} />}`}</span>
        )}
        {!hasFactsBelow && over && entry.executionTime !== null && !hadNoWorker(entry) && <JobCost entry={entry} />}
        <span className={styles.actions}>{actions}</span>
      </div>
      {/* Why a job waits, and what its handler reports, take no line of their own: what is below would move twice. */}
      {hasTimes && (
        <Timeline entry={entry} now={now} isLive={!over && !isLastKnown}>
          {waitReason}
          {entry.status === 'IN_PROGRESS' && !isLastKnown && <JobProgress entry={entry} now={now} />}
        </Timeline>
      )}
      {notQueued !== null && <p className={styles.waiting}>{notQueued}</p>}
      {entry.retries > 0 && <AttemptNote entry={entry} />}
      {isLastKnown && <LastKnown entry={entry} />}
      {!hasTimes && waitReason}
      {entry.chunkGap !== null && <p className={styles.waiting}>{chunkGapWords[entry.chunkGap]}</p>}
      {entry.error !== null && <JobError entry={entry} error={entry.error} isUnfolded={hasFactsBelow} />}
    </div>
  );
}

/** Why nothing newer is known of a job. It was sent before, and nobody here knows what has become of it. */
function LastKnown({ entry: { accountId, jobId, trouble } }: { entry: LedgerEntry }) {
  const away = useAwayOf()(accountId);
  return (
    <p className={styles.waiting}>
      <strong>{t`Last known state.`}</strong>{' '}
      {away === null
        ? t`${trouble ?? ''} Hangar tries again automatically.`
        : joinSentences(
            jobId !== null && t`The job was sent.`,
            t`What has happened since then appears when ${away} answers again.`,
          )}
    </p>
  );
}
