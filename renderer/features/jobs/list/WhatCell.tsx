/**
 * What a job is, in two lines: its text; below it endpoint, account, attempts and tags. Its source and its time stand
 * there, too, where the list has no columns for them.
 */
import { Copy } from 'lucide-react';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useJobsFilter } from '../../../state/jobsFilter.ts';
import { copyText } from '../../../ui/clipboard/copyText.ts';
import { accountTitle } from '../../../ui/text/accountName.ts';
import { formatAgo, formatMoment } from '../../../ui/text/format.ts';
import { shortId, sourceOf, sourceWords } from '../../../ui/domain/jobText.ts';
import { MiddleCut } from '../../../ui/files/MiddleCut.tsx';
import { WhatLine } from '../../../ui/job/list/WhatLine.tsx';
import styles from './whatCell.module.css';
import { counted, t } from '../../../language/text.ts';

const copy = (jobId: string): void => void copyText(jobId, t`Copied job id`);

interface WhatCellProps {
  entry: LedgerEntry;
  now: number;
  /** Whether the account of each job is named. */
  hasAccounts: boolean;
  /** Whether the account of the job was removed. */
  isRemoved: boolean;
  /** Whether nobody can be asked about the job now. */
  isLastKnown?: boolean;
}

export function WhatCell({ entry, now, hasAccounts, isRemoved, isLastKnown = false }: WhatCellProps) {
  const { accountId, accountName, endpointName, jobId, retries, sentAt, tags } = entry;
  return (
    <span className={styles.what}>
      <WhatLine entry={entry} isLastKnown={isLastKnown} />
      <span className={styles.below}>
        <span className={styles.facts}>
          <span className={styles.when} title={formatMoment(sentAt)}>
            {formatAgo(sentAt, now)}
          </span>
          <span className={styles.name}>
            <MiddleCut text={endpointName} />
          </span>
          <span className={styles.rest}>
            {retries > 0 && (
              <span
                title={counted(retries, 'Queued again once', 'Queued again {0} times')}
              >{t`attempt ${retries + 1}`}</span>
            )}
            {isRemoved ? (
              <span title={t`You removed ${accountName}.`}>{t`${accountName} (removed)`}</span>
            ) : (
              hasAccounts && <span title={accountName}>{accountTitle(accountId, accountName)}</span>
            )}
            <span className={styles.source} title={sourceWords(entry)}>
              {sourceOf(entry)}
            </span>
            {tags.map((tag) => (
              <span key={tag} className={styles.tag}>
                <button
                  type="button"
                  title={t`Show the jobs with this tag`}
                  onClick={(event) => {
                    event.stopPropagation();
                    useJobsFilter.setState({ tag });
                  }}
                >
                  {tag}
                </button>
              </span>
            ))}
          </span>
        </span>
        {jobId !== null && (
          <span className={styles.id}>
            <code title={jobId}>{shortId(jobId)}</code>
            {/* Plainer than CopyButton: a list that scrolls makes very many of them. */}
            <button
              type="button"
              aria-label={t`Copy job id`}
              title={t`Copy job id`}
              onClick={(event) => {
                // It does not open the row.
                event.stopPropagation();
                copy(jobId);
              }}
            >
              <Copy size={12} aria-hidden />
            </button>
          </span>
        )}
      </span>
    </span>
  );
}
