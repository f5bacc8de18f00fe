/** The last jobs of all accounts, with links. */
import { Button, Skeleton } from '@mantine/core';
import { useIsLastKnown } from '../../client/jobs/lastKnown.ts';
import { noFilter, useJobsFilter } from '../../state/jobsFilter.ts';
import { formatRoute } from '../../state/routePath.ts';
import { accountTitle } from '../../ui/text/accountName.ts';
import { Unknown } from '../../ui/domain/LoadError.tsx';
import { Card, CardHead } from '../../ui/primitives/Card.tsx';
import { formatAgo, formatMoment } from '../../ui/text/format.ts';
import { lineText, sourceOf } from '../../ui/domain/jobText.ts';
import { StateChip } from '../../ui/domain/StateChip.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import styles from './home.module.css';
import type { LastJobs } from './useLastJobs.ts';
import { t } from '../../language/text.ts';

const TICK_MS = 15_000;

/** `hasAccounts`: whether there are accounts besides this computer, so that each job names its own. */
export function RecentCard({ last, hasAccounts }: { last: LastJobs; hasAccounts: boolean }) {
  const now = useNow(TICK_MS);
  const isLastKnown = useIsLastKnown();
  const { entries, problem, retry } = last;
  const isLoading = entries === undefined && problem === null;
  return (
    <Card aria-label={t`Recent`} role="region" aria-busy={isLoading || undefined}>
      <CardHead title={t`Recent`}>
        <a
          href={formatRoute({ page: 'jobs', entryId: null })}
          onClick={() => useJobsFilter.setState(noFilter, true)}
        >{t`All jobs`}</a>
      </CardHead>
      {problem !== null && (
        <Unknown
          source="app"
          title={t`The jobs could not be read.`}
          problem={problem}
          action={<Button size="xs" variant="default" onClick={retry}>{t`Try again`}</Button>}
        />
      )}
      {isLoading && <Skeleton h={12} w="70%" radius={4} m={14} />}
      {entries?.length === 0 && (
        <p className={styles.nothing}>{t`The latest jobs of all accounts will appear here.`}</p>
      )}
      <ul className={styles.list}>
        {entries?.map((entry) => (
          <li key={entry.entryId} className={styles.stated}>
            <span className={styles.chipColumn}>
              <StateChip status={entry.status} isLastKnown={isLastKnown(entry)} />
            </span>
            <div className={styles.about}>
              <b>
                <a className={styles.plain} href={formatRoute({ page: 'jobs', entryId: entry.entryId })}>
                  {lineText(entry, isLastKnown(entry))}
                </a>
              </b>
              <span>
                {[
                  entry.endpointName,
                  ...(hasAccounts ? [accountTitle(entry.accountId, entry.accountName)] : []),
                  sourceOf(entry),
                ].join(' · ')}
              </span>
            </div>
            <span className={styles.quiet} title={formatMoment(entry.sentAt)}>
              {formatAgo(entry.sentAt, now)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
