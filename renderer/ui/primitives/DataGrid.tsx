/** A table of rows that keys and the pointer open: arrows move, Enter opens, Escape closes. */
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Skeleton } from '@mantine/core';
import styles from './dataGrid.module.css';

export interface GridColumn<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
}

interface GridProps<Row> {
  /** What it lists. */
  label: string;
  /** Unlike those of every other list on the page: makes ids of the elements. */
  place: string;
  columns: readonly GridColumn<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  /** Lays out the columns, of the head as well as of rows. */
  columnsClass: string | undefined;
  stale: boolean;
  openId: string | null;
  onOpen: (id: string) => void;
  onClose: () => void;
}

export function Grid<Row>(props: GridProps<Row>) {
  const { label, place, columns, rows, idOf, columnsClass, stale, openId, onOpen, onClose } = props;
  const grid = useRef<HTMLDivElement>(null);
  const [chosenId, setChosenId] = useState<string | null>(openId);
  const [shownId, setShownId] = useState(openId);
  // Whatever opens another one, a link or the way back, the keys go on from there.
  if (openId !== shownId) {
    setShownId(openId);
    if (openId !== null) setChosenId(openId);
  }
  const ids = rows.map(idOf);
  const active = Math.max(0, chosenId === null ? 0 : ids.indexOf(chosenId));
  const activeId = ids[active] ?? null;

  // Who comes here by a key goes on by keys; focus that is somewhere already stays there.
  useEffect(() => {
    if (document.activeElement === document.body) grid.current?.focus({ preventScroll: true });
  }, []);

  const move = (to: number) => {
    const id = ids[Math.max(0, Math.min(ids.length - 1, to))];
    if (id === undefined) return;
    setChosenId(id);
    document.getElementById(`${place}-${id}`)?.scrollIntoView({ block: 'nearest' });
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    Home: () => move(0),
    End: () => move(ids.length - 1),
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
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={activeId === null ? undefined : `${place}-${activeId}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className={`${styles.head} ${columnsClass}`} role="row">
        {columns.map(({ title }) => (
          <span key={title} role="columnheader">
            {title}
          </span>
        ))}
      </div>
      <div className={styles.body} role="rowgroup">
        {rows.map((row) => {
          const id = idOf(row);
          return (
            <div
              key={id}
              id={`${place}-${id}`}
              role="row"
              aria-selected={id === openId}
              data-active={id === activeId || undefined}
              className={`${styles.row} ${columnsClass}`}
              onClick={() => {
                setChosenId(id);
                onOpen(id);
              }}
            >
              {columns.map(({ title, cell }) => (
                <span key={title} role="gridcell">
                  {cell(row)}
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

/** `widths`: of what stands in each column. */
export function GridSkeleton({ columnsClass, widths }: { columnsClass: string | undefined; widths: string[] }) {
  return (
    <div className={styles.table} aria-busy="true" aria-label="Loading" role="group">
      <div className={styles.head} />
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <div key={row} className={`${styles.row} ${columnsClass}`} aria-hidden>
          {widths.map((width, column) => (
            <span key={column}>
              <Skeleton h={10} w={width} radius={4} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}
