/** How many jobs run, wait and have failed today, in all accounts; each number leads to its jobs. */
import { Button, Skeleton } from '@mantine/core';
import { noFilter, useJobsFilter, type StateFilter } from '../../state/jobsFilter.ts';
import { formatRoute } from '../../state/routePath.ts';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Notice } from '../../ui/primitives/Notice.tsx';
import styles from './home.module.css';
import { useCounts } from './useCounts.ts';

const jobs = formatRoute({ page: 'jobs', entryId: null });

export function NowCard() {
  const { counts, problem, retry } = useCounts();
  const number = (value: number | undefined, words: string, state: StateFilter, tone: string) => (
    <a
      href={jobs}
      data-tone={value !== undefined && value > 0 ? tone : undefined}
      onClick={() =>
        useJobsFilter.setState(
          { ...noFilter, state, ...(state === 'failed' && { time: 'day', timeChosenAt: Date.now() }) },
          true,
        )
      }
    >
      {value === undefined ? <Skeleton h={20} w={36} my={4} radius={4} /> : <b>{formatCount(value)}</b>}
      {words}
    </a>
  );
  return (
    <Card aria-label="Now" role="region">
      <div className={styles.cardHead}>
        <h2>Now</h2>
        <a href={jobs} onClick={() => useJobsFilter.setState(noFilter, true)}>
          All jobs
        </a>
      </div>
      {problem !== null && (
        <Notice
          tone="wait"
          title="The jobs could not be counted."
          action={
            <Button size="xs" variant="default" onClick={retry}>
              Try again
            </Button>
          }
        >
          {problem}
        </Notice>
      )}
      <div className={styles.numbers}>
        {number(counts.running, 'running', 'running', 'run')}
        {number(counts.queued, 'queued', 'queued', 'wait')}
        {number(counts.failed, 'failed today', 'failed', 'bad')}
      </div>
    </Card>
  );
}
