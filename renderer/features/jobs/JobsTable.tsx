/** The list of jobs. Only visible rows have elements. */
import { useMemo, type ReactNode, type Ref } from 'react';
import { HardDrive, Webhook } from 'lucide-react';
import type { Account } from '#contract/app/account.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useAccounts, useIsRemoved } from '../../client/accounts.ts';
import { useIsLastKnown } from '../../client/jobs/lastKnown.ts';
import { hasPrices, useJobRates, type JobRates } from '../../client/jobs/jobRates.ts';
import { formatAgo, formatMoment } from '../../ui/text/format.ts';
import { StateChip } from '../../ui/domain/StateChip.tsx';
import type { GridChoice } from '../../ui/grid/rows.ts';
import { DataGrid, GridSkeleton, type GridHandle } from '../../ui/primitives/DataGrid.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { isOnlyStoredHere, ONLY_STORED_HERE, undeliveredWords } from './jobActions.ts';
import styles from './jobs.module.css';
import grid from './jobsGrid.module.css';
import type { LedgerRows } from './ledgerRows.ts';
import { sourceOf, sourceWords } from '../../ui/domain/jobText.ts';
import { CostCell } from '../../ui/job/list/CostCell.tsx';
import { timeTexts } from '../../ui/job/list/timeTexts.ts';
import { WhatCell } from './list/WhatCell.tsx';
import { t } from '../../language/text.ts';

const ROW_PX = 44;
const TICK_MS = 1000;
const NO_ACCOUNTS: readonly Account[] = [];

interface JobsTableProps {
  handle: Ref<GridHandle>;
  rows: LedgerRows;
  version: number;
  openId: string | null;
  onSight: (sight: { first: number; last: number }) => void;
  onOpen: (entryId: string) => void;
  onClose: () => void;
  choice: GridChoice<LedgerEntry>;
}

export function JobsTable({ rows, onSight, ...rest }: JobsTableProps) {
  const now = useNow(TICK_MS);
  const accounts = useAccounts() ?? NO_ACCOUNTS;
  const isRemoved = useIsRemoved();
  const isLastKnown = useIsLastKnown();
  const rates = useJobRates(accounts.map(({ id }) => id));
  const columns = useMemo(
    () =>
      columnsOf({ accounts, isRemoved, isLastKnown, rates }).map(({ title, isState = false, cell }) => ({
        title,
        isState,
        cell: (entry: LedgerEntry) => cell(entry, now),
      })),
    [accounts, isRemoved, isLastKnown, rates, now],
  );
  return (
    <DataGrid
      label={t`Jobs, newest first`}
      place="job"
      columns={columns}
      rows={{ count: rows.matching, at: (index) => rows.at(index), indexOf: (id: string) => rows.indexOf(id) }}
      idOf={({ entryId }) => entryId}
      columnsClass={`${grid.columns} ${hasPrices(rates) || isAnyPriced(rows) ? grid.withPrices : grid.withoutPrices}`}
      rowPx={ROW_PX}
      onSight={onSight}
      {...rest}
    />
  );
}

/** Newest jobs that are looked at for a price, which the bill may not have yet. */
const NEWEST = 50;

const isAnyPriced = (rows: LedgerRows): boolean =>
  Array.from({ length: Math.min(NEWEST, rows.matching) }, (_, index) => rows.at(index)?.pricePerHour ?? 0).some(
    (price) => price > 0,
  );

const SKELETON_WIDTHS = ['14px', '92px', '70%', '60px', '40px', '40px', '40px', '40px'];

export const TableSkeleton = () => (
  <GridSkeleton
    columnsClass={`${grid.columns} ${grid.withoutPrices}`}
    widths={SKELETON_WIDTHS}
    rows={10}
    rowPx={ROW_PX}
  />
);

interface Column {
  title: string;
  isState?: boolean;
  cell: (entry: LedgerEntry, now: number) => ReactNode;
}

interface ColumnFacts {
  /** The account of each job is shown if there are several. */
  accounts: readonly Account[];
  isRemoved: (accountId: string) => boolean;
  isLastKnown: (entry: LedgerEntry) => boolean;
  rates: JobRates;
}

const columnsOf = ({ accounts, isRemoved, isLastKnown, rates }: ColumnFacts): readonly Column[] => [
  {
    title: t`State`,
    isState: true,
    cell: (entry, now) => (
      <span className={styles.state}>
        <StateChip status={entry.status} isLastKnown={isLastKnown(entry)} />
        {entry.status !== 'GONE' && isOnlyStoredHere(entry, now) && (
          <span className={styles.keptHere} role="img" aria-label={t`kept here`} title={ONLY_STORED_HERE}>
            <HardDrive size={12} aria-hidden />
          </span>
        )}
        {entry.webhookProblem !== null && (
          <span
            className={styles.undelivered}
            role="img"
            aria-label={undeliveredWords(entry.webhookProblem)}
            title={undeliveredWords(entry.webhookProblem)}
          >
            <Webhook size={12} aria-hidden />
          </span>
        )}
      </span>
    ),
  },
  {
    title: t`Job`,
    cell: (entry, now) => (
      <WhatCell
        entry={entry}
        now={now}
        hasAccounts={accounts.length > 1}
        isRemoved={isRemoved(entry.accountId)}
        isLastKnown={isLastKnown(entry)}
      />
    ),
  },
  { title: t`Source`, cell: (entry) => <span title={sourceWords(entry)}>{sourceOf(entry)}</span> },
  {
    title: t`Waited`,
    cell: (entry, now) => timeTexts(entry, isLastKnown(entry) ? null : now).waited ?? '–',
  },
  { title: t`Ran`, cell: (entry, now) => timeTexts(entry, isLastKnown(entry) ? null : now).ran ?? '–' },
  {
    title: t`Cost`,
    cell: (entry) => (
      <CostCell entry={entry} rates={rates} account={accounts.find(({ id }) => id === entry.accountId)} />
    ),
  },
  {
    title: t`When`,
    cell: (entry, now) => <span title={formatMoment(entry.sentAt)}>{formatAgo(entry.sentAt, now)}</span>,
  },
];
