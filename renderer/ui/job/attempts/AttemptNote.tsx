/** Which attempt of a job is shown, and why there was another one before. */
import { useQuery } from '@tanstack/react-query';
import type { AttemptEnd, LedgerEntry } from '#contract/app/ledger.ts';
import { attemptsOf } from '../../../client/jobs/attempts.ts';
import styles from '../job.module.css';
import { t } from '../../../language/text.ts';

const reasons: Record<AttemptEnd, (attempt: number) => string> = {
  lost: (attempt) => t`Attempt ${attempt}: started again, because its worker was lost.`,
  stopped: (attempt) => t`Attempt ${attempt}: started again, because Hangar was stopped.`,
  killed: (attempt) => t`Attempt ${attempt}: started again, because Hangar was killed or crashed.`,
  retried: (attempt) => t`Attempt ${attempt}: a program retried the job.`,
  'retried-here': (attempt) => t`Attempt ${attempt}: you retried the job.`,
};

/** For a job that was queued again at least once. */
export function AttemptNote({ entry }: { entry: LedgerEntry }) {
  const { data = [] } = useQuery({ ...attemptsOf(entry), retry: false });
  const before = data.at(-1);
  const attempt = entry.retries + 1;
  return (
    <p className={styles.waiting}>
      {before === undefined ? t`This is attempt ${attempt}.` : reasons[before.endedBy](attempt)}
    </p>
  );
}
