/**
 * A grid of rows that keys and the pointer open: arrows, Page and Home move, Enter opens, Escape closes, Space chooses. Only the
 * rows in sight exist, so that it may have any number of them.
 */
import { useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { Skeleton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import styles from './dataGrid.module.css';

export interface GridColumn<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
}

/** Rows that are read while a person scrolls, newest first. A row that is not read yet is undefined, and drawn as a skeleton. */
export interface GridSource<Row> {
  count: number;
  at: (index: number) => Row | undefined;
  /** -1 for a row that is not read. */
  indexOf: (id: string) => number;
}

export interface GridHandle {
  /** Leaves the rows in sight where they are when `rows` came (or went, negative) above them. */
  shift: (rows: number) => void;
}

/** Rows that a person marks with a checkbox, or with Space. */
interface GridChoice<Row> {
  isChosen: (row: Row) => boolean;
  onChoose: (row: Row) => void;
  /** Names a row to a screen reader. */
  nameOf: (row: Row) => string;
}

interface DataGridProps<Row> {
  /** What it lists. */
  label: string;
  /** Unlike those of every other list on the page: makes ids of the elements. */
  place: string;
  columns: readonly GridColumn<Row>[];
  /** With all rows at hand the first is where the keys begin; a source grows at its top, so there nothing is until a key is pressed. */
  rows: readonly Row[] | GridSource<Row>;
  idOf: (row: Row) => string;
  /** Lays out the columns, of the head as well as of rows. With `choice`, the first is that of the checkboxes. */
  columnsClass: string | undefined;
  stale?: boolean;
  /** Height of a row in pixels. */
  rowPx?: number;
  openId: string | null;
  onOpen: (id: string) => void;
  onClose: () => void;
  choice?: GridChoice<Row>;
  /** Called with the indexes of the rows in sight when they change. */
  onSight?: (sight: { first: number; last: number }) => void;
  /** Of a source: another value says that other rows stand under the same indexes. */
  version?: number;
  handle?: Ref<GridHandle>;
}

/** The head stays over the rows while they scroll. */
const HEAD_PX = 30;
const ROW_PX = 34;
const OVERSCAN = 12;

export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { label, place, columns, idOf, columnsClass, stale = false, rowPx = ROW_PX, openId, onOpen, onClose } = props;
  const { choice, onSight, version, handle } = props;
  const hasAllRows = isArray(props.rows);
  const rows = isArray(props.rows) ? sourceOf(props.rows, idOf) : props.rows;
  const grid = useRef<HTMLDivElement>(null);
  const [chosenId, setChosenId] = useState<string | null>(openId);
  const [shownId, setShownId] = useState(openId);
  // Whatever opens another one, a link or the way back, the keys go on from there.
  if (openId !== shownId) {
    setShownId(openId);
    if (openId !== null) setChosenId(openId);
  }
  const list = useVirtualizer({
    count: rows.count,
    getScrollElement: () => grid.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    scrollPaddingEnd: HEAD_PX,
  });
  const items = list.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;

  useEffect(() => {
    onSight?.({ first: Math.floor((grid.current?.scrollTop ?? 0) / rowPx), last });
    // oxlint-disable-next-line react/exhaustive-deps -- the version says that rows came or went under the same indexes
  }, [first, last, version]);

  // Who comes here by a key goes on by keys; focus that is somewhere already stays there.
  useEffect(() => {
    if (document.activeElement === document.body) grid.current?.focus({ preventScroll: true });
  }, []);

  useImperativeHandle(handle, () => ({
    shift: (count) => {
      const element = grid.current;
      // At the very top a person wants to see what comes.
      if (element && element.scrollTop > rowPx / 2) element.scrollTop += count * rowPx;
    },
  }));

  const known = chosenId === null ? -1 : rows.indexOf(chosenId);
  const active = hasAllRows ? Math.max(0, known) : known;
  const activeRow = active === -1 ? undefined : rows.at(active);
  const activeId = activeRow === undefined ? null : idOf(activeRow);
  const move = (to: number) => {
    const index = Math.max(0, Math.min(rows.count - 1, to));
    const row = rows.at(index);
    list.scrollToIndex(index);
    if (row !== undefined) setChosenId(idOf(row));
  };
  const pageRows = () => Math.max(1, Math.floor(((grid.current?.clientHeight ?? 0) - HEAD_PX) / rowPx) - 2);
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    PageDown: () => move(active + pageRows()),
    PageUp: () => move(active - pageRows()),
    Home: () => move(0),
    // The rows at the end of a source may not be read yet.
    ...(hasAllRows && { End: () => move(rows.count - 1) }),
    ...(choice && { ' ': () => activeRow !== undefined && choice.onChoose(activeRow) }),
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
      aria-rowcount={rows.count + 1}
      aria-colcount={columns.length + (choice ? 1 : 0)}
      aria-multiselectable={choice && true}
      // A row that is scrolled away does not exist.
      aria-activedescendant={items.some(({ index }) => index === active) ? `${place}-${activeId}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className={`${styles.head} ${columnsClass}`} role="row" aria-rowindex={1}>
        {choice && (
          <span role="columnheader">
            <span className={styles.unseen}>Chosen</span>
          </span>
        )}
        {columns.map(({ title }) => (
          <span key={title} role="columnheader">
            {title}
          </span>
        ))}
      </div>
      <div className={styles.body} role="rowgroup" style={{ height: list.getTotalSize() }}>
        {items.map(({ index, start, size }) => {
          const row = rows.at(index);
          const id = row === undefined ? null : idOf(row);
          return (
            <div
              key={id ?? `hole-${index}`}
              id={id === null ? undefined : `${place}-${id}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={row !== undefined && (choice ? choice.isChosen(row) : id === openId)}
              data-open={(id !== null && id === openId) || undefined}
              data-active={(id !== null && id === activeId) || undefined}
              className={`${styles.row} ${columnsClass}`}
              style={{ height: size, transform: `translateY(${start}px)` }}
              onClick={() => {
                if (id === null) return;
                setChosenId(id);
                onOpen(id);
              }}
            >
              {choice && <span role="gridcell">{row !== undefined && <Tick row={row} choice={choice} />}</span>}
              {columns.map(({ title, cell }) => (
                <span key={title} role="gridcell">
                  {row === undefined ? <Skeleton h={10} w="60%" radius={4} /> : cell(row)}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Tick<Row>({ row, choice: { isChosen, onChoose, nameOf } }: { row: Row; choice: GridChoice<Row> }) {
  return (
    <input
      type="checkbox"
      className={styles.tick}
      tabIndex={-1}
      aria-label={`Choose ${nameOf(row)}`}
      checked={isChosen(row)}
      onClick={(event) => event.stopPropagation()}
      onChange={() => onChoose(row)}
    />
  );
}

function isArray<Row>(rows: readonly Row[] | GridSource<Row>): rows is readonly Row[] {
  return Array.isArray(rows);
}

const sourceOf = <Row,>(rows: readonly Row[], idOf: (row: Row) => string): GridSource<Row> => ({
  count: rows.length,
  at: (index) => rows[index],
  indexOf: (id) => rows.findIndex((row) => idOf(row) === id),
});

interface GridSkeletonProps {
  columnsClass: string | undefined;
  /** Of what stands in each column. */
  widths: readonly string[];
  rows?: number;
  rowPx?: number;
}

export function GridSkeleton({ columnsClass, widths, rows = 6, rowPx = ROW_PX }: GridSkeletonProps) {
  return (
    <div className={styles.table} aria-busy="true" aria-label="Loading" role="group">
      <div className={styles.head} />
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={`${styles.skeleton} ${columnsClass}`} style={{ height: rowPx }} aria-hidden>
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
