/** The Jobs page: every job that was sent from here or ran here, with its results. */
import { useMemo, useRef, useState } from 'react';
import { useAway } from '../../client/away.ts';
import { useJobChanges } from '../../client/jobs/jobChanges.ts';
import { useJobCounts } from '../../client/jobs/jobCounts.ts';
import { formatCount } from '../../ui/text/format.ts';
import { Button } from '@mantine/core';
import { useBackStep } from '../../state/backStep.ts';
import { useCommands } from '../../state/commands.ts';
import { isFiltered, noFilter, stateFilters, toLedgerFilter, useJobsFilter } from '../../state/jobsFilter.ts';
import { navigate } from '../../state/route.ts';
import { useSavedFeed } from '../../client/saved/savedStore.ts';
import { applySaved, FILTERS, useSavedFilters } from './filters/savedFilters.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import type { GridHandle } from '../../ui/primitives/DataGrid.tsx';
import { BackLater } from '../../ui/domain/LoadError.tsx';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import { Panes } from '../../ui/primitives/SplitPane.tsx';
import { ChosenBar } from './ChosenBar.tsx';
import { ExportButton } from './ExportButton.tsx';
import { Inspector } from './Inspector.tsx';
import { JobsFilters } from './filters/JobsFilters.tsx';
import page from '../../ui/theme/page.module.css';
import styles from './jobs.module.css';
import { JobsTable, TableSkeleton } from './JobsTable.tsx';
import { useChosenJobs } from './list/useChosenJobs.ts';
import { useLedgerRows } from './useLedgerRows.ts';
import { t } from '../../language/text.ts';

/** The states that the palette filters by. */
const shownStates = ['failed', 'running', 'queued', 'done'] as const;

const close = () => navigate({ page: 'jobs', entryId: null });
const open = (entryId: string) => navigate({ page: 'jobs', entryId });

export default function JobsPage({ entryId }: { entryId: string | null }) {
  const filter = useJobsFilter();
  const ledgerFilter = useMemo(() => toLedgerFilter(filter), [filter]);
  const table = useRef<GridHandle>(null);
  const away = useAway('app');
  const { rows, version, problem, show, remove } = useLedgerRows(ledgerFilter, (count) => table.current?.shift(count));
  const choice = useChosenJobs(ledgerFilter);
  const { chosen } = choice;
  const forget = (entryIds: readonly string[]) => {
    choice.drop(entryIds);
    remove(entryIds);
  };
  /** The attempt of the open job, as far as changes tell. */
  const [opened, setOpened] = useState({ entryId, attempt: 0 });
  const attempt = opened.entryId === entryId ? opened.attempt : 0;
  useJobChanges((entries) => {
    const now = entries.find((entry) => entry.entryId === entryId);
    if (now) setOpened({ entryId, attempt: now.retries });
    choice.update(entries);
  });
  useBackStep(entryId !== null, close);
  useSavedFeed(FILTERS);
  const { list: saved } = useSavedFilters();
  useCommands([
    ...shownStates
      .filter((state) => state !== filter.state)
      .map((state) => ({
        label: t`Filter: ${stateFilters[state].label}`,
        run: () => useJobsFilter.setState({ state }),
      })),
    ...saved.map((one) => ({
      label: t`Filter: ${one.name}`,
      description: t`Saved filter`,
      run: () => applySaved(one),
    })),
    isFiltered(filter) && { label: t`Clear the filters`, run: () => useJobsFilter.setState(noFilter, true) },
    rows !== null && rows.matching > 0 && { label: t`Select all jobs`, run: choice.chooseAll },
    chosen.size > 0 && { label: t`Clear the selection of jobs`, run: choice.chooseNone },
    entryId !== null && { label: t`Close the job`, keys: 'Esc', run: close },
  ]);

  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
        <JobsFilters counts={rows && { matching: rows.matching, total: rows.total, complete: rows.complete }} />
        <div className={styles.headEnd}>
          <Counts accountId={filter.accountId} isFiltered={isFiltered(filter)} />
          <ExportButton
            filter={ledgerFilter}
            count={rows?.matching ?? 0}
            whyNot={rows !== null && rows.matching > 0 ? null : t`There are no jobs to export.`}
          />
        </div>
      </header>
      <Panes
        place="jobs"
        leftSize="56%"
        whenNarrow="replace"
        left={
          <Card grow aria-label={t`List of jobs`}>
            {problem !== null && away === null && (
              <Notice tone="wait" title={t`The list is not up to date.`}>
                {problem}
              </Notice>
            )}
            {chosen.size > 0 && (
              <ChosenBar
                chosen={chosen}
                filter={ledgerFilter}
                cutFrom={choice.cutFrom}
                onClear={choice.chooseNone}
                onRemoved={forget}
              />
            )}
            {rows === null && away !== null && <BackLater away={away} />}
            {((rows === null && away === null) || (rows?.matching === 0 && !rows.complete)) && <TableSkeleton />}
            {rows !== null && rows.matching === 0 && rows.complete && <NoJobs filtered={isFiltered(filter)} />}
            {rows !== null && rows.matching > 0 && (
              <JobsTable
                handle={table}
                rows={rows}
                version={version}
                openId={entryId}
                onSight={show}
                onOpen={open}
                onClose={close}
                choice={choice.choiceOf(rows)}
              />
            )}
          </Card>
        }
        right={
          entryId === null ? null : (
            <Inspector
              // The watch of a job ends with it: a new attempt begins a new one.
              key={`${entryId} ${attempt}`}
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

/** "1 running · 10 queued · 312 today", of the account that is filtered for, or of all. */
function Counts({ accountId, isFiltered: hasFilter }: { accountId: string | null; isFiltered: boolean }) {
  const { counts } = useJobCounts(accountId ?? undefined);
  const isOld = useAway('app') !== null;
  const filtered = hasFilter || undefined;
  if (!counts) return <span className={styles.counts} data-filtered={filtered} />;
  const { running, queued, since } = counts;
  const numbers = t`${formatCount(running)} running · ${formatCount(queued)} queued · ${formatCount(since)} today`;
  return (
    <span className={styles.counts} data-filtered={filtered} aria-label={t`Jobs now`}>
      {isOld ? t`Last known: ${numbers}` : numbers}
    </span>
  );
}

function NoJobs({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty
        title={t`No jobs match these filters`}
        action={
          <Button
            variant="default"
            onClick={() => useJobsFilter.setState(noFilter, true)}
          >{t`Clear the filters`}</Button>
        }
      />
    );
  }
  return (
    <Empty
      title={t`No jobs yet`}
      action={<Button onClick={() => navigate({ page: 'run', endpointId: null })}>{t`Run a sample`}</Button>}
    >{t`All jobs appear here with their input and output, whether you run them or a script sends them.`}</Empty>
  );
}
