/** The list of jobs: as many rows as there are jobs, of which only those in sight exist. */
import type { ReactNode, Ref } from 'react';
import { CloudOff } from 'lucide-react';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useAccounts } from '../../client/accounts.ts';
import { accountTitle } from '../../ui/text/accountName.ts';
import { formatAgo, formatDuration, formatMoment } from '../../ui/text/format.ts';
import { isOver, noIdWords, phasesOf } from '../../ui/job/timeline.ts';
import { StateChip } from '../../ui/domain/StateChip.tsx';
import { DataGrid, GridSkeleton, type GridHandle } from '../../ui/primitives/DataGrid.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { isKeptHereOnly, KEPT_HERE_WORDS } from './jobActions.ts';
import styles from './jobs.module.css';
import grid from './jobsGrid.module.css';
import type { LedgerRows } from './ledgerRows.ts';

const ROW_PX = 30;
const TICK_MS = 1000;

interface JobsTableProps {
  handle: Ref<GridHandle>;
  rows: LedgerRows;
  version: number;
  openId: string | null;
  onLook: (sight: { first: number; last: number }) => void;
  onOpen: (entryId: string) => void;
  onClose: () => void;
  chosen: ReadonlyMap<string, LedgerEntry>;
  onChoose: (entry: LedgerEntry) => void;
}

export function JobsTable({ rows, onLook, chosen, onChoose, ...rest }: JobsTableProps) {
  const now = useNow(TICK_MS);
  /** Where a job went is told wherever there is more than one place. */
  const hasAccounts = (useAccounts()?.length ?? 0) > 1;
  const columns = allColumns.filter(({ title }) => title !== 'Account' || hasAccounts);
  return (
    <DataGrid
      label="Jobs, newest first"
      place="job"
      columns={columns.map(({ title, cell }) => ({ title, cell: (entry: LedgerEntry) => cell(entry, now) }))}
      rows={{ count: rows.matching, at: (index) => rows.at(index), indexOf: (id: string) => rows.indexOf(id) }}
      idOf={({ entryId }) => entryId}
      columnsClass={hasAccounts ? grid.withAccounts : grid.columns}
      rowPx={ROW_PX}
      onSight={onLook}
      choice={{
        isChosen: ({ entryId }) => chosen.has(entryId),
        onChoose,
        nameOf: ({ jobId, endpointName }) => jobId ?? endpointName,
      }}
      {...rest}
    />
  );
}

const SKELETON_WIDTHS = ['14px', '74px', '60%', '50%', '40px', '40px', '40px'];

export const TableSkeleton = () => (
  <GridSkeleton columnsClass={grid.columns} widths={SKELETON_WIDTHS} rows={12} rowPx={ROW_PX} />
);

interface Column {
  title: string;
  cell: (entry: LedgerEntry, now: number) => ReactNode;
}

const allColumns: readonly Column[] = [
  {
    title: 'State',
    cell: (entry, now) => (
      <>
        <StateChip status={entry.status} />
        {entry.status !== 'GONE' && isKeptHereOnly(entry, now) && (
          <span className={styles.keptHere} role="img" aria-label="gone at the service" title={KEPT_HERE_WORDS}>
            <CloudOff size={12} aria-hidden />
          </span>
        )}
      </>
    ),
  },
  {
    title: 'Job',
    cell: (entry) => <code title={entry.jobId ?? noIdWords(entry)}>{entry.jobId ?? '–'}</code>,
  },
  {
    title: 'Endpoint',
    cell: (entry) => (
      <>
        {entry.endpointName}
        {entry.waiting !== null && !isOver(entry) && <em title={entry.waiting}>{entry.waiting}</em>}
      </>
    ),
  },
  {
    title: 'Account',
    cell: ({ accountId, accountName }) => <span title={accountName}>{accountTitle(accountId, accountName)}</span>,
  },
  { title: 'Queued', cell: (entry, now) => formatDuration(waited(entry, now)) },
  { title: 'Ran', cell: (entry, now) => ran(entry, now) },
  {
    title: 'When',
    cell: (entry, now) => <span title={formatMoment(entry.sentAt)}>{formatAgo(entry.sentAt, now)}</span>,
  },
];

const waited = (entry: LedgerEntry, now: number): number =>
  phasesOf(entry, now)
    .filter((phase) => phase.name !== 'running')
    .reduce((sum, phase) => sum + phase.ms, 0);

function ran(entry: LedgerEntry, now: number): string {
  const running = phasesOf(entry, now).find((phase) => phase.name === 'running');
  return running ? formatDuration(running.ms) : '–';
}
