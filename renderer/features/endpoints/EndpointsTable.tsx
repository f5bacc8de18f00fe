/** The list of endpoints with their numbers as they are now. */
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Skeleton } from '@mantine/core';
import type { EndpointRow, EndpointsNow } from '#contract/endpointViews.ts';
import { formatCount, formatSetting } from '../../ui/format.ts';
import { runtimeWords } from '../../ui/loopWords.ts';
import { EndpointChip } from './EndpointChip.tsx';
import { shortSource, stateOf, type StateOfEndpoint } from './endpointState.ts';
import styles from './table.module.css';
import { WorkerCounts } from './workers/WorkerCounts.tsx';

interface Column {
  title: string;
  cell: (row: EndpointRow, state: StateOfEndpoint) => ReactNode;
}

/** One that balances load has no jobs. */
const jobs = (row: EndpointRow, of: 'inQueue' | 'inProgress' | 'completed' | 'failed'): string =>
  row.health && row.type === 'QB' ? formatCount(row.health.jobs[of]) : '–';

const columns: readonly Column[] = [
  {
    title: 'Name',
    cell: (row) => (
      <>
        <b title={row.name}>{row.name}</b>
        <em title={row.imageName ?? undefined}>{sourceWords(row)}</em>
      </>
    ),
  },
  {
    title: 'State',
    cell: (_, { state, why }) => <EndpointChip state={state} why={why} />,
  },
  { title: 'Workers', cell: (row) => <WorkerCounts workers={row.health?.workers} /> },
  { title: 'Queue', cell: (row) => jobs(row, 'inQueue') },
  { title: 'Running', cell: (row) => jobs(row, 'inProgress') },
  { title: 'Done', cell: (row) => jobs(row, 'completed') },
  { title: 'Failed', cell: (row) => jobs(row, 'failed') },
  { title: 'Max', cell: (row) => formatCount(row.workersMax) },
  { title: 'Idle', cell: (row) => formatSetting(row.idleTimeout * 1000) },
];

function sourceWords(row: EndpointRow): string {
  const type = row.type === 'LB' ? 'HTTP, ' : '';
  const runtime = row.readiness ? `${runtimeWords[row.readiness.runtime]}, ` : '';
  const source = shortSource(row.imageName);
  return `${type}${runtime}${source}`;
}

interface EndpointsTableProps {
  now: EndpointsNow;
  stale: boolean;
  openId: string | null;
  onOpen: (endpointId: string) => void;
  onClose: () => void;
}

export function EndpointsTable({ now, stale, openId, onOpen, onClose }: EndpointsTableProps) {
  const { rows, pause } = now;
  const grid = useRef<HTMLDivElement>(null);
  const [chosenId, setChosenId] = useState<string | null>(openId);
  const [shownId, setShownId] = useState(openId);
  // Whatever opens another one, a link or the way back, the keys go on from there.
  if (openId !== shownId) {
    setShownId(openId);
    if (openId !== null) setChosenId(openId);
  }
  const active = Math.max(
    0,
    rows.findIndex(({ id }) => id === chosenId),
  );
  const activeId = rows[active]?.id ?? null;

  // Who comes here by a key goes on by keys; focus that is somewhere already stays there.
  useEffect(() => {
    if (document.activeElement === document.body) grid.current?.focus({ preventScroll: true });
  }, []);

  const move = (to: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (!row) return;
    setChosenId(row.id);
    document.getElementById(`endpoint-${row.id}`)?.scrollIntoView({ block: 'nearest' });
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    Home: () => move(0),
    End: () => move(rows.length - 1),
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
      ref={grid}
      className={styles.table}
      data-stale={stale || undefined}
      role="grid"
      aria-label="Endpoints"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={activeId === null ? undefined : `endpoint-${activeId}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className={styles.head} role="row">
        {columns.map(({ title }) => (
          <span key={title} role="columnheader">
            {title}
          </span>
        ))}
      </div>
      <div className={styles.body} role="rowgroup">
        {rows.map((row) => {
          const state = stateOf(row, pause);
          return (
            <div
              key={row.id}
              id={`endpoint-${row.id}`}
              role="row"
              aria-selected={row.id === openId}
              data-active={row.id === activeId || undefined}
              className={styles.row}
              onClick={() => {
                setChosenId(row.id);
                onOpen(row.id);
              }}
            >
              {columns.map(({ title, cell }) => (
                <span key={title} role="gridcell">
                  {cell(row, state)}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const SKELETON_ROWS = 6;
const SKELETON_WIDTHS = ['70%', '64px', '70%', '24px', '24px', '30px', '24px', '18px', '28px'];

export function TableSkeleton() {
  return (
    <div className={styles.table} aria-busy="true" aria-label="Loading" role="group">
      <div className={styles.head} />
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <div key={row} className={styles.row} aria-hidden>
          {SKELETON_WIDTHS.map((width, column) => (
            <span key={column}>
              <Skeleton h={10} w={width} radius={4} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}
