/** The list of jobs: as many rows as there are jobs, of which only those in sight exist. */
import { useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { Skeleton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { CloudOff } from 'lucide-react';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useAccounts } from '../../client/accounts.ts';
import { accountTitle } from '../../ui/text/accountName.ts';
import { formatAgo, formatDuration, formatMoment } from '../../ui/text/format.ts';
import { isOver, noIdWords, phasesOf } from '../../ui/job/timeline.ts';
import { StateChip } from '../../ui/domain/StateChip.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { isKeptHereOnly, KEPT_HERE_WORDS } from './jobActions.ts';
import styles from './jobs.module.css';
import type { LedgerRows } from './ledgerRows.ts';

const ROW_PX = 30;
/** The head stays over the rows while they scroll. */
const HEAD_PX = 30;
const TICK_MS = 1000;
const OVERSCAN = 12;

export interface JobsTableHandle {
  /** Keeps what is in sight where it is when rows come or go above it. */
  shift: (rows: number) => void;
}

interface JobsTableProps {
  handle: Ref<JobsTableHandle>;
  rows: LedgerRows;
  version: number;
  openId: string | null;
  onLook: (sight: { first: number; last: number }) => void;
  onOpen: (entryId: string) => void;
  onClose: () => void;
  chosen: ReadonlyMap<string, LedgerEntry>;
  onChoose: (entry: LedgerEntry) => void;
}

export function JobsTable({
  handle,
  rows,
  version,
  openId,
  onLook,
  onOpen,
  onClose,
  chosen,
  onChoose,
}: JobsTableProps) {
  const view = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<string | null>(openId);
  const now = useNow(TICK_MS);
  /** Where a job went is told wherever there is more than one place. */
  const hasAccounts = (useAccounts()?.length ?? 0) > 1;
  const columns = allColumns.filter(({ title }) => title !== 'Account' || hasAccounts);
  const list = useVirtualizer({
    count: rows.matching,
    getScrollElement: () => view.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollPaddingEnd: HEAD_PX,
  });
  const items = list.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;

  useEffect(() => {
    onLook({ first: Math.floor((view.current?.scrollTop ?? 0) / ROW_PX), last });
    // oxlint-disable-next-line react/exhaustive-deps -- the version says that rows came or went under the same indexes
  }, [first, last, version, rows]);

  // Who comes here by a key goes on by keys; focus that is somewhere already stays there.
  useEffect(() => {
    if (document.activeElement === document.body) view.current?.focus({ preventScroll: true });
  }, []);

  useImperativeHandle(handle, () => ({
    shift: (count) => {
      const element = view.current;
      // At the very top a person wants to see what comes.
      if (element && element.scrollTop > ROW_PX / 2) element.scrollTop += count * ROW_PX;
    },
  }));

  const activeIndex = activeId === null ? -1 : rows.indexOf(activeId);
  const move = (to: number) => {
    const index = Math.max(0, Math.min(rows.matching - 1, to));
    const entry = rows.at(index);
    list.scrollToIndex(index);
    if (entry) setActiveId(entry.entryId);
  };
  const pageRows = () => Math.max(1, Math.floor(((view.current?.clientHeight ?? 0) - HEAD_PX) / ROW_PX) - 2);
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(activeIndex + 1),
    ArrowUp: () => move(activeIndex === -1 ? 0 : activeIndex - 1),
    PageDown: () => move(activeIndex + pageRows()),
    PageUp: () => move(activeIndex - pageRows()),
    Home: () => move(0),
    ' ': () => {
      const entry = activeIndex === -1 ? undefined : rows.at(activeIndex);
      if (entry) onChoose(entry);
    },
    Enter: () => activeId !== null && onOpen(activeId),
    Escape: onClose,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };

  return (
    <div
      ref={view}
      className={`${styles.table} ${styles.rolling}`}
      data-accounts={hasAccounts || undefined}
      role="grid"
      tabIndex={0}
      aria-label="Jobs, newest first"
      aria-rowcount={rows.matching + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      // A row that is scrolled away does not exist.
      aria-activedescendant={items.some(({ index }) => index === activeIndex) ? `job-${activeId}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div className={styles.head} role="row" aria-rowindex={1}>
        <span role="columnheader">
          <span className={styles.unseen}>Chosen</span>
        </span>
        {columns.map(({ title }) => (
          <span key={title} role="columnheader">
            {title}
          </span>
        ))}
      </div>
      <div role="rowgroup" style={{ height: list.getTotalSize() }} className={styles.inner}>
        {items.map(({ index, start }) => {
          const entry = rows.at(index);
          return (
            <div
              key={entry?.entryId ?? `hole-${index}`}
              id={entry && `job-${entry.entryId}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={entry !== undefined && chosen.has(entry.entryId)}
              data-open={entry?.entryId === openId || undefined}
              data-active={(entry && entry.entryId === activeId) || undefined}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => {
                if (!entry) return;
                setActiveId(entry.entryId);
                onOpen(entry.entryId);
              }}
            >
              <span role="gridcell">
                {entry && (
                  <input
                    type="checkbox"
                    className={styles.tick}
                    tabIndex={-1}
                    aria-label={`Choose ${entry.jobId ?? entry.endpointName}`}
                    checked={chosen.has(entry.entryId)}
                    onClick={(event) => event.stopPropagation()}
                    onChange={() => onChoose(entry)}
                  />
                )}
              </span>
              {columns.map(({ title, cell }) => (
                <span key={title} role="gridcell">
                  {entry ? cell(entry, now) : <Skeleton h={10} w="60%" radius={4} />}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

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
