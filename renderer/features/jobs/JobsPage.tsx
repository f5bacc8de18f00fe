/** The Jobs page: everything that was sent from here, and what came back. */
import { useMemo, useRef, useState } from 'react';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useJobChanges } from '../../client/jobChanges.ts';
import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { isFiltered, noFilter, toLedgerFilter, useJobsFilter } from '../../state/jobsFilter.ts';
import { navigate } from '../../state/route.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import type { GridHandle } from '../../ui/primitives/DataGrid.tsx';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import { Panes } from '../../ui/primitives/SplitPane.tsx';
import { ChosenBar } from './ChosenBar.tsx';
import { ExportButton } from './ExportButton.tsx';
import { Inspector } from './Inspector.tsx';
import { JobsFilters } from './JobsFilters.tsx';
import styles from './jobs.module.css';
import { JobsTable, TableSkeleton } from './JobsTable.tsx';
import { useLedgerRows } from './useLedgerRows.ts';

/** As many as one question names. */
const MOST_CHOSEN = 1000;

const close = () => navigate({ page: 'jobs', entryId: null });
const open = (entryId: string) => navigate({ page: 'jobs', entryId });

export default function JobsPage({ entryId }: { entryId: string | null }) {
  const filter = useJobsFilter();
  const ledgerFilter = useMemo(() => toLedgerFilter(filter), [filter]);
  const table = useRef<GridHandle>(null);
  const { rows, version, problem, look, removed } = useLedgerRows(ledgerFilter, (count) => table.current?.shift(count));
  const [chosen, setChosen] = useState<ReadonlyMap<string, LedgerEntry>>(new Map());
  const choose = (entry: LedgerEntry) =>
    setChosen((before) => {
      const next = new Map(before);
      if (!next.delete(entry.entryId) && next.size < MOST_CHOSEN) next.set(entry.entryId, entry);
      return next;
    });
  const forget = (entryIds: readonly string[]) => {
    setChosen((before) => new Map([...before].filter(([id]) => !entryIds.includes(id))));
    removed(entryIds);
  };
  useJobChanges((entries) => {
    const known = entries.filter((entry) => chosen.has(entry.entryId));
    if (known.length > 0)
      setChosen((before) => new Map([...before, ...known.map((entry) => [entry.entryId, entry] as const)]));
  });
  useHotkeys([['escape', () => entryId !== null && close()]]);

  return (
    <div className={styles.page}>
      <header className={styles.pageHead}>
        <PageTitle />
        <JobsFilters counts={rows && { matching: rows.matching, total: rows.total, complete: rows.complete }}>
          <ExportButton
            filter={ledgerFilter}
            whyNot={rows !== null && rows.matching > 0 ? null : 'There is no job to export.'}
          />
        </JobsFilters>
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
            {chosen.size > 0 && (
              <ChosenBar
                chosen={chosen}
                filter={ledgerFilter}
                onClear={() => setChosen(new Map())}
                onRemoved={forget}
              />
            )}
            {(rows === null || (rows.matching === 0 && !rows.complete)) && <TableSkeleton />}
            {rows !== null && rows.matching === 0 && rows.complete && <NoJobs filtered={isFiltered(filter)} />}
            {rows !== null && rows.matching > 0 && (
              <JobsTable
                handle={table}
                rows={rows}
                version={version}
                openId={entryId}
                onLook={look}
                onOpen={open}
                onClose={close}
                chosen={chosen}
                onChoose={choose}
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
                forget([id]);
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
