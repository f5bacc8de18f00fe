/** What a job is, in one line; of one that failed or waits, its input and why. */
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { failureOf, titleOf, waitOf, whatOf } from '../../domain/jobText.ts';
import styles from './whatLine.module.css';

/** `isLastKnown`: whether nobody can be asked about the job now. */
export function WhatLine({ entry, isLastKnown }: { entry: LedgerEntry; isLastKnown: boolean }) {
  const { preview } = entry;
  // The reason of a wait is an old one.
  const what = isLastKnown ? titleOf(entry) : whatOf(entry);
  // The row of a job that failed or waits shows both its input and the reason.
  const failure = failureOf(entry);
  const reason = preview === null ? null : (failure ?? (isLastKnown ? null : waitOf(entry)));
  return (
    <span className={styles.line} title={preview !== null && preview !== what ? `${what}\n${preview}` : what}>
      {reason === null ? (
        what
      ) : (
        <>
          <span>{preview}</span>
          <em data-tone={failure === null ? 'wait' : 'bad'}>{reason}</em>
        </>
      )}
    </span>
  );
}
