/** What a job is, in one line; of one that failed or waits, its input and why. */
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { lineOf } from '../../domain/jobText.ts';
import styles from './whatLine.module.css';

/** `isLastKnown`: whether nobody can be asked about the job now. */
export function WhatLine({ entry, isLastKnown }: { entry: LedgerEntry; isLastKnown: boolean }) {
  const { what, reason } = lineOf(entry, isLastKnown);
  return (
    <span className={styles.box} title={reason === null ? what : `${reason.words}\n${what}`}>
      <span className={styles.line} data-has-reason={reason !== null || undefined}>
        {reason === null ? (
          what
        ) : (
          <>
            <span>{what}</span>
            <em data-tone={reason.tone}>{reason.words}</em>
          </>
        )}
      </span>
    </span>
  );
}
