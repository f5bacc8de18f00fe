/**
 * A grid of rows for keyboard and pointer: arrows, Page and Home move, Enter opens, Escape closes, Space selects. Only
 * visible rows have elements, so that the number of rows is not limited.
 */
import {
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { Skeleton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { nextSort, type GridSort, type SortBy } from '../grid/sorting.ts';
import styles from './dataGrid.module.css';
import { isFocusFree, takesPageFocus } from '../keyboard/pageFocus.ts';
import { t } from '../../language/text.ts';

export interface GridColumn<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** For a grid with `sorting`: its head sorts the rows. */
  sort?: SortBy<Row>;
}

/**
 * Rows that are loaded during scrolling, newest first. A row that is not loaded is undefined, and shown as a skeleton.
 */
export interface GridSource<Row> {
  count: number;
  at: (index: number) => Row | undefined;
  /** -1 for a row that is not loaded. */
  indexOf: (id: string) => number;
}

export interface GridHandle {
  /** Keeps the visible rows in place when `rows` were added (negative: removed) above them. */
  shift: (rows: number) => void;
}

/** Rows that a person selects with a checkbox, or with Space. */
interface GridChoice<Row> {
  isChosen: (row: Row) => boolean;
  onChoose: (row: Row) => void;
  /** The name of a row for a screen reader. */
  nameOf: (row: Row) => string;
}

/** The caller sorts the rows, and keeps the order. */
interface GridSorting {
  sort: GridSort;
  onSort: (sort: GridSort) => void;
}

interface DataGridProps<Row> {
  /** The label of the list. */
  label: string;
  /** A unique prefix of element ids on the page. */
  place: string;
  columns: readonly GridColumn<Row>[];
  /**
   * With a complete list, the keyboard starts at the first row. A source grows at its top, so no row is active until a
   * key is pressed.
   */
  rows: readonly Row[] | GridSource<Row>;
  idOf: (row: Row) => string;
  /** The columns of head and rows. With `choice`, the first one is for the checkboxes. */
  columnsClass: string | undefined;
  stale?: boolean;
  /** Height of a row in pixels. */
  rowPx?: number;
  openId: string | null;
  onOpen: (id: string) => void;
  onClose: () => void;
  choice?: GridChoice<Row>;
  sorting?: GridSorting;
  /** Opens the menu of a row at a place of the window, by the pointer or by the menu key. */
  onMenu?: (row: Row, at: { x: number; y: number }) => void;
  /** Called with the indexes of the visible rows when they change. */
  onSight?: (sight: { first: number; last: number }) => void;
  /** For a source: a new value means that the rows of the same indexes have changed. */
  version?: number;
  handle?: Ref<GridHandle>;
}

/** Height of the head, which stays above the rows. */
const HEAD_PX = 30;
const ROW_PX = 34;
const OVERSCAN = 6;

/**
 * The cells of a row, made once for each row and set of columns: React does nothing for cells that are the same as before,
 * so that scrolling costs only the rows that come into sight.
 */
function cellsBy<Row extends object>(columns: readonly GridColumn<Row>[]): (row: Row) => ReactNode {
  const made = new WeakMap<Row, ReactNode>();
  return (row) => {
    const known = made.get(row);
    if (known !== undefined) return known;
    const cells = columns.map(({ title, cell }) => (
      <span key={title} role="gridcell">
        {cell(row)}
      </span>
    ));
    made.set(row, cells);
    return cells;
  };
}

/** A caller with very many rows keeps `columns` the same from one render to the next. */
export function DataGrid<Row extends object>(props: DataGridProps<Row>) {
  const { label, place, columns, idOf, columnsClass, stale = false, rowPx = ROW_PX, openId, onOpen } = props;
  const { choice, sorting, onMenu, onSight, version, handle } = props;
  const rows = isArray(props.rows) ? sourceOf(props.rows, idOf) : props.rows;
  const cellsOf = useMemo(() => cellsBy(columns), [columns]);
  const grid = useRef<HTMLDivElement>(null);
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
    // The virtualizer's own number: the element's would make the browser lay out the page within the frame.
    onSight?.({ first: Math.floor((list.scrollOffset ?? 0) / rowPx), last });
    // oxlint-disable-next-line react/exhaustive-deps -- the version says that rows came or went under the same indexes
  }, [first, last, version]);

  // Moves the focus here for a keyboard user; focus on another element stays.
  useEffect(() => {
    if (isFocusFree()) grid.current?.focus({ preventScroll: true });
  }, []);

  useImperativeHandle(handle, () => ({
    shift: (count) => {
      const element = grid.current;
      // At the very top, new rows shall be visible.
      if (element && element.scrollTop > rowPx / 2) element.scrollTop += count * rowPx;
    },
  }));

  const { active, activeId, setActiveId, onKeyDown } = useActiveRow(props, rows, {
    scrollTo: (index) => list.scrollToIndex(index),
    pageRows: () => Math.max(1, Math.floor(((grid.current?.clientHeight ?? 0) - HEAD_PX) / rowPx) - 2),
  });

  return (
    <div
      ref={grid}
      {...takesPageFocus}
      className={styles.table}
      data-stale={stale || undefined}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.count + 1}
      aria-colcount={columns.length + (choice ? 1 : 0)}
      aria-multiselectable={choice && true}
      // A row outside of the visible area has no element.
      aria-activedescendant={items.some(({ index }) => index === active) ? `${place}-${activeId}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        // The menu key has no place: the menu opens at the active row.
        const row = active === -1 ? undefined : rows.at(active);
        if (!onMenu || row === undefined || event.target !== event.currentTarget) return;
        event.preventDefault();
        const box = document.getElementById(`${place}-${activeId}`)?.getBoundingClientRect();
        onMenu(row, { x: (box?.left ?? 0) + 24, y: box?.bottom ?? 0 });
      }}
    >
      <Head columns={columns} columnsClass={columnsClass} hasChoice={choice !== undefined} sorting={sorting} />
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
                setActiveId(id);
                onOpen(id);
              }}
              onContextMenu={(event) => {
                if (!onMenu || row === undefined) return;
                event.preventDefault();
                setActiveId(id);
                onMenu(row, { x: event.clientX, y: event.clientY });
              }}
            >
              {choice && <span role="gridcell">{row !== undefined && <Tick row={row} choice={choice} />}</span>}
              {row !== undefined && cellsOf(row)}
              {row === undefined &&
                columns.map(({ title }) => (
                  <span key={title} role="gridcell">
                    <Skeleton h={10} w="60%" radius={4} />
                  </span>
                ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface GridView {
  scrollTo: (index: number) => void;
  /** The number of visible rows, minus two. */
  pageRows: () => number;
}

/** The active row by its id, so that it stays the same when rows are added above it. -1: none, or not loaded. */
function useActiveRow<Row>(
  { openId, idOf, onOpen, onClose, choice, rows: all }: DataGridProps<Row>,
  rows: GridSource<Row>,
  { scrollTo, pageRows }: GridView,
) {
  const hasAllRows = isArray(all);
  const [wantedId, setActiveId] = useState<string | null>(openId);
  const [lastOpenId, setLastOpenId] = useState(openId);
  // A link or the history opened another row: the keyboard continues there.
  if (openId !== lastOpenId) {
    setLastOpenId(openId);
    if (openId !== null) setActiveId(openId);
  }
  const index = wantedId === null ? -1 : rows.indexOf(wantedId);
  const active = hasAllRows ? Math.max(0, index) : index;
  const activeRow = active === -1 ? undefined : rows.at(active);
  const activeId = activeRow === undefined ? null : idOf(activeRow);
  const move = (to: number) => {
    const next = Math.max(0, Math.min(rows.count - 1, to));
    const row = rows.at(next);
    scrollTo(next);
    if (row !== undefined) setActiveId(idOf(row));
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    PageDown: () => move(active + pageRows()),
    PageUp: () => move(active - pageRows()),
    Home: () => move(0),
    // The rows at the end of a source may not be loaded yet.
    ...(hasAllRows && { End: () => move(rows.count - 1) }),
    ...(choice && { ' ': () => activeRow !== undefined && choice.onChoose(activeRow) }),
    Enter: () => activeId !== null && onOpen(activeId),
    Escape: onClose,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    // A link or a button in the grid takes these keys itself.
    const isOfControl = event.target instanceof Element && event.target.closest('a, button') !== null;
    if (isOfControl && (event.key === 'Enter' || event.key === ' ')) return;
    event.preventDefault();
    act();
  };
  return { active, activeId, setActiveId, onKeyDown };
}

interface HeadProps<Row> extends Pick<DataGridProps<Row>, 'columns' | 'columnsClass'> {
  hasChoice: boolean;
  sorting: GridSorting | undefined;
}

function Head<Row>({ columns, columnsClass, hasChoice, sorting }: HeadProps<Row>) {
  return (
    <div className={`${styles.head} ${columnsClass}`} role="row" aria-rowindex={1}>
      {hasChoice && (
        <span role="columnheader">
          <span className={styles.unseen}>{t`Chosen`}</span>
        </span>
      )}
      {columns.map(({ title, sort }) =>
        sorting && sort ? (
          <SortHead key={title} title={title} id={sort.id} {...sorting} />
        ) : (
          <span key={title} role="columnheader">
            {title}
          </span>
        ),
      )}
    </div>
  );
}

function SortHead({ title, id, sort, onSort }: GridSorting & { title: string; id: string }) {
  const isUp = sort?.id === id ? sort.isUp : null;
  return (
    <span role="columnheader" aria-sort={isUp === null ? 'none' : isUp ? 'ascending' : 'descending'}>
      <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, id))}>
        {title}
        {isUp !== null && (isUp ? <ChevronUp size={12} aria-hidden /> : <ChevronDown size={12} aria-hidden />)}
      </button>
    </span>
  );
}

function Tick<Row>({ row, choice: { isChosen, onChoose, nameOf } }: { row: Row; choice: GridChoice<Row> }) {
  return (
    <input
      type="checkbox"
      className={styles.tick}
      tabIndex={-1}
      aria-label={t`Choose ${nameOf(row)}`}
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
  /** The width of each column's content. */
  widths: readonly string[];
  rows?: number;
  rowPx?: number;
}

export function GridSkeleton({ columnsClass, widths, rows = 6, rowPx = ROW_PX }: GridSkeletonProps) {
  return (
    <div className={styles.table} aria-busy="true" aria-label={t`Loading`} role="group">
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
