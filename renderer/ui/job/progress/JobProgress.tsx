/** What the handler of a running job reports about its work: a bar where it tells how much is done, and its words. */
import { Progress } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { t } from '../../../language/text.ts';
import { formatBytes, formatPercent } from '../../text/format.ts';
import styles from '../job.module.css';
import { readProgressReport } from './progressReport.ts';

/** How often the account is asked, in milliseconds; another machine counts each request against a rate. */
const POLL_MS = { here: 1000, elsewhere: 3000 };
/** Jobs that are shorter are over before a report of them could be read. */
const FIRST_AFTER_MS = 1000;

interface JobProgressProps {
  /** A job that runs. */
  entry: LedgerEntry;
  /** The time now, in milliseconds since the epoch. */
  now: number;
}

export function JobProgress({ entry: { entryId, accountId, startedAt, sentAt }, now }: JobProgressProps) {
  const { data } = useQuery(
    orpc.jobs.progress.queryOptions({
      input: { entryId },
      enabled: now - (startedAt ?? sentAt) >= FIRST_AFTER_MS,
      refetchInterval: accountId === THIS_MACHINE ? POLL_MS.here : POLL_MS.elsewhere,
      retry: false,
      placeholderData: keepPreviousData,
    }),
  );
  if (data === undefined) return null;
  if (data.leftOutBytes !== null) {
    const words = t`The handler reports ${formatBytes(data.leftOutBytes)} of progress, too much to show while the job runs.`;
    return (
      <p className={styles.progress}>
        <span title={words}>{words}</span>
      </p>
    );
  }
  const report = data.text === null ? null : readProgressReport(data.text);
  if (report === null) return null;
  const { share, text } = report;
  const percent = share === null ? null : formatPercent(share * 100);
  const words = [percent, text === percent ? '' : text].filter(Boolean).join(' · ');
  // A screen reader reads the value of the bar when the person wants it; each change would interrupt it.
  return (
    <div className={styles.progress} role="group" aria-label={t`Progress`}>
      {share !== null && <Progress value={share * 100} size="sm" aria-label={t`Progress reported by the handler`} />}
      <span title={words}>{words}</span>
    </div>
  );
}
