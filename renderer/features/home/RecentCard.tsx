/** The last requests of all accounts; each leads to its job. */
import { Button, Skeleton } from '@mantine/core';
import { navigate } from '../../state/route.ts';
import { formatRoute } from '../../state/routePath.ts';
import { accountTitle } from '../../ui/text/accountName.ts';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatAgo, formatMoment } from '../../ui/text/format.ts';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { StateChip } from '../../ui/domain/StateChip.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import styles from './home.module.css';
import type { LastJobs } from './useLastJobs.ts';

const TICK_MS = 15_000;

export function RecentCard({ last }: { last: LastJobs }) {
  const now = useNow(TICK_MS);
  const { entries, problem, retry } = last;
  return (
    <Card aria-label="Recent requests" role="region">
      <div className={styles.cardHead}>
        <h2>Recent requests</h2>
        <Button size="xs" variant="default" onClick={() => navigate({ page: 'run', endpointId: null })}>
          New request
        </Button>
      </div>
      {problem !== null && (
        <Notice
          tone="wait"
          title="The requests could not be read."
          action={
            <Button size="xs" variant="default" onClick={retry}>
              Try again
            </Button>
          }
        >
          {problem}
        </Notice>
      )}
      {entries === undefined && problem === null && <Skeleton h={12} w="70%" radius={4} m={14} />}
      {entries?.length === 0 && (
        <p className={styles.nothing}>Requests sent from here will be listed, whichever account they went to.</p>
      )}
      <ul className={styles.list}>
        {entries?.map((entry) => (
          <li key={entry.entryId}>
            <StateChip status={entry.status} />
            <div className={styles.about}>
              <b>
                <a className={styles.plain} href={formatRoute({ page: 'jobs', entryId: entry.entryId })}>
                  {entry.endpointName}
                </a>
              </b>
              <span>{entry.error ?? accountTitle(entry.accountId, entry.accountName)}</span>
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
