/** The Jobs page: everything that was sent from here, and what came back. */
import { useMemo, useRef } from 'react';
import { Button, Skeleton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { isFiltered, noFilter, toLedgerFilter, useJobsFilter } from '../../state/jobsFilter.ts';
import { navigate } from '../../state/route.ts';
import { Card } from '../../ui/Card.tsx';
import { Empty, Notice } from '../../ui/Notice.tsx';
import { Panes } from '../../ui/Panes.tsx';
import { Inspector } from './Inspector.tsx';
import { JobsFilters } from './JobsFilters.tsx';
import styles from './jobs.module.css';
import { JobsTable, type JobsTableHandle } from './JobsTable.tsx';
import { useLedgerRows } from './useLedgerRows.ts';

const close = () => navigate({ page: 'jobs', entryId: null });
const open = (entryId: string) => navigate({ page: 'jobs', entryId });

export default function JobsPage({ entryId }: { entryId: string | null }) {
  const filter = useJobsFilter();
  const ledgerFilter = useMemo(() => toLedgerFilter(filter), [filter]);
  const table = useRef<JobsTableHandle>(null);
  const { rows, version, problem, look, removed } = useLedgerRows(ledgerFilter, (count) => table.current?.shift(count));
  useHotkeys([['escape', () => entryId !== null && close()]]);

  return (
    <div className={styles.page}>
      <header className={styles.pageHead}>
        <h1>Jobs</h1>
        <JobsFilters counts={rows && { matching: rows.matching, total: rows.total }} />
      </header>
      <Panes
        place="jobs"
        leftSize="56%"
        left={
          <Card grow aria-label="List of jobs">
            {problem !== null && (
              <Notice tone="wait" title="The list is not up to date.">
                {problem}
              </Notice>
            )}
            {rows === null && <TableSkeleton />}
            {rows !== null && rows.matching === 0 && <NoJobs filtered={isFiltered(filter)} />}
            {rows !== null && rows.matching > 0 && (
              <JobsTable
                handle={table}
                rows={rows}
                version={version}
                openId={entryId}
                onLook={look}
                onOpen={open}
                onClose={close}
              />
            )}
          </Card>
        }
        right={
          entryId === null ? null : (
            <Inspector
              key={entryId}
              entryId={entryId}
              onClose={close}
              onRemoved={(id) => {
                removed([id]);
                close();
              }}
            />
          )
        }
      />
    </div>
  );
}

function NoJobs({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty
        title="No job fits these filters"
        action={
          <Button variant="default" onClick={() => useJobsFilter.setState(noFilter, true)}>
            Clear the filters
          </Button>
        }
      />
    );
  }
  return (
    <Empty
      title="No jobs yet"
      action={<Button onClick={() => navigate({ page: 'run', endpointId: null })}>Run a sample</Button>}
    >
      Every job sent from here is kept with its input and everything that came back.
    </Empty>
  );
}

function TableSkeleton() {
  return (
    <div className={styles.table} aria-busy="true" aria-label="Loading">
      <div className={styles.head} />
      {Array.from({ length: 12 }, (_, row) => (
        <div key={row} className={styles.skeletonRow} aria-hidden>
          {['74px', '60%', '50%', '40px', '40px', '40px'].map((width, column) => (
            <span key={column}>
              <Skeleton h={10} w={width} radius={4} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}
