/** The facts of one job: where it was sent from and to, where it ran, and what it cost. */
import { Anchor } from '@mantine/core';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useIsRemoved } from '../../../client/accounts.ts';
import { formatRoute } from '../../../state/routePath.ts';
import { sourceWords } from '../../../ui/domain/jobText.ts';
import { JobCostFact } from '../../../ui/job/cost/JobCost.tsx';
import { noIdWords } from '../../../ui/job/timeline.ts';
import { MiddleCut } from '../../../ui/files/MiddleCut.tsx';
import { Id } from '../../../ui/primitives/Id.tsx';
import { useNow } from '../../../ui/primitives/useNow.ts';
import { accountInSentence } from '../../../ui/text/accountName.ts';
import { formatBytes, formatMoment, formatWhen } from '../../../ui/text/format.ts';
import { isOnlyStoredHere, ONLY_STORED_HERE } from '../jobActions.ts';
import { Tags } from './Tags.tsx';
import styles from '../jobs.module.css';
import { t } from '../../../language/text.ts';

const MINUTE_MS = 60_000;

export function JobFacts({ entry }: { entry: LedgerEntry }) {
  const now = useNow(MINUTE_MS);
  const isRemoved = useIsRemoved()(entry.accountId);
  const sentTo = accountInSentence(entry.accountId, entry.accountName);
  return (
    <dl className={styles.facts}>
      <dt>{t`Job`}</dt>
      <dd>{entry.jobId === null ? noIdWords(entry) : <Id text={entry.jobId} copyLabel={t`Copy job id`} />}</dd>
      <dt>{t`Endpoint`}</dt>
      <dd>
        <span className={styles.name}>
          <MiddleCut text={entry.endpointName} />
        </span>
        <Id text={entry.endpointId} copyLabel={t`Copy endpoint id`} />
      </dd>
      <dt>{t`Source`}</dt>
      <dd>{sourceWords(entry)}</dd>
      {entry.retryOf !== null && (
        <>
          <dt>{t`Retry of`}</dt>
          <dd>
            <Anchor
              fz="inherit"
              underline="always"
              href={formatRoute({ page: 'jobs', entryId: entry.retryOf })}
            >{t`the earlier job`}</Anchor>
          </dd>
        </>
      )}
      {entry.workerId !== null && entry.workerId !== '' && (
        <>
          <dt>{t`Worker`}</dt>
          <dd>
            <Id text={entry.workerId} copyLabel={t`Copy worker id`} />
          </dd>
        </>
      )}
      <dt>{t`Cost`}</dt>
      <dd>
        <JobCostFact entry={entry} />
      </dd>
      {isOnlyStoredHere(entry, now) && (
        <>
          <dt>{t`Kept`}</dt>
          <dd>
            <span title={ONLY_STORED_HERE}>{t`Here. The service has removed its copy.`}</span>
          </dd>
        </>
      )}
      <dt>{t`Sent`}</dt>
      <dd title={formatMoment(entry.sentAt)}>
        {isRemoved
          ? t`${formatWhen(entry.sentAt)} to ${sentTo} (removed)`
          : t`${formatWhen(entry.sentAt)} to ${sentTo}`}
      </dd>
      <dt>{t`Tags`}</dt>
      <dd>
        <Tags entry={entry} />
      </dd>
      <dt>{t`Size`}</dt>
      <dd>{t`${formatBytes(entry.inputBytes)} in, ${formatBytes(entry.outputBytes)} out`}</dd>
    </dl>
  );
}
