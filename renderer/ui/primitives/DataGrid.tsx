/**
 * A grid of rows for keyboard and pointer: arrows, Page and Home move, Enter opens, Escape closes, Space selects, and
 * so do Shift with a click or an arrow, Ctrl+A and the checkbox of the head. Only visible rows have elements, so that
 * the number of rows is not limited.
 */
import { useEffect, useImperativeHandle, useMemo, useRef, type ReactNode, type Ref, type RefObject } from 'react';
import { Skeleton } from '@mantine/core';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useBackStep } from '../../state/backStep.ts';
import { GridRow, isInside, type RowClicks } from '../grid/GridRow.tsx';
import { isArray, sourceOf, type GridChoice, type GridSource } from '../grid/rows.ts';
import { nextSort, type GridSort, type SortBy } from '../grid/sorting.ts';
import { useActiveRow } from '../grid/useActiveRow.ts';
import styles from './dataGrid.module.css';
import ticks from './tick.module.css';
import { isFocusFree, takesPageFocus } from '../keyboard/pageFocus.ts';
import { t } from '../../language/text.ts';

export interface GridColumn<Row> {
  title: string;
  /** What the title means, shown by the pointer over the head. */
  hint?: string | undefined;
  cell: (row: Row) => ReactNode;
  /** True: its cells are chips of states. */
  isState?: boolean;
  /** For a grid with `sorting`: its head sorts the rows. */
  sort?: SortBy<Row>;
}

export interface GridHandle {
  /** Keeps the visible rows in place when `rows` were added (negative: removed) above them. */
  shift: (rows: number) => void;
  focus: () => void;
}

/** The scroll position that a grid begins with, and where it reports a new one; in pixels. */
export interface GridPlace {
  startPx: number;
  onScroll: (px: number) => void;
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
  openId?: string | null;
  onOpen: (id: string) => void;
  /** Escape in the grid; without it, Escape goes one step back on the page. */
  onClose?: () => void;
  choice?: GridChoice<Row>;
  sorting?: GridSorting;
  /** What a click does. The default is to open the row. */
  clicks?: RowClicks;
  /** More keys: each one acts on the active row. */
  keys?: Readonly<Record<string, (row: Row) => void>>;
  /** For a complete list: a person finds a row by typing the beginning of this text. */
  textOf?: (row: Row) => string;
  /** A new value makes that row the active one and scrolls to it, once the list has it. */
  startId?: string | null;
  /** The row that keeps its elements outside of the visible area, such as one with a field that a person edits. */
  heldId?: string | null;
  /** The row that would take what a person drags over it. */
  dropId?: string | null;
  gridPlace?: GridPlace;
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
 * The cells of a row, made once for each row and set of columns: React does nothing for cells that are the same as
 * before, so that scrolling costs only the rows that come into sight.
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

interface VisibleRowsOptions {
  count: number;
  rowPx: number;
  /** The index of the row that always has elements; -1 for none. */
  heldIndex: number;
  startPx: number;
}

/** The rows with elements: those in the visible area and near it. */
const useVisibleRows = (
  grid: RefObject<HTMLDivElement | null>,
  { count, rowPx, heldIndex, startPx }: VisibleRowsOptions,
) =>
  useVirtualizer({
    count,
    getScrollElement: () => grid.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    scrollPaddingEnd: HEAD_PX,
    initialOffset: startPx,
    rangeExtractor(range) {
      const indexes = defaultRangeExtractor(range);
      return heldIndex === -1 || indexes.includes(heldIndex)
        ? indexes
        : [...indexes, heldIndex].toSorted((a, b) => a - b);
    },
  });

/** A caller with very many rows keeps `columns` the same from one render to the next. */
export function DataGrid<Row extends object>(props: DataGridProps<Row>) {
  const { label, place, columns, idOf, columnsClass, stale = false, rowPx = ROW_PX, openId = null } = props;
  const { choice, sorting, clicks = 'open', onMenu, onSight, version, handle, gridPlace, dropId = null } = props;
  const rows = isArray(props.rows) ? sourceOf(props.rows, idOf) : props.rows;
  const cellsOf = useMemo(() => cellsBy(columns), [columns]);
  const grid = useRef<HTMLDivElement>(null);
  const heldIndex = props.heldId == null ? -1 : rows.indexOf(props.heldId);
  const list = useVisibleRows(grid, { count: rows.count, rowPx, heldIndex, startPx: gridPlace?.startPx ?? 0 });
  const items = list.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;

  useEffect(() => {
    // The virtualizer's own number: the element's would make the browser lay out the page within the frame.
    onSight?.({ first: Math.floor((list.scrollOffset ?? 0) / rowPx), last });
    gridPlace?.onScroll(list.scrollOffset ?? gridPlace.startPx);
    // oxlint-disable-next-line react/exhaustive-deps -- the version says that rows came or went under the same indexes
  }, [first, last, version]);

  // Moves the focus here for a keyboard user; focus on another element stays.
  useEffect(() => {
    if (isFocusFree()) grid.current?.focus({ preventScroll: true });
  }, []);

  useImperativeHandle(handle, () => ({
    shift: (count) => {
      const element = grid.current;
      // At the very top the grid does not scroll, so that new rows are visible.
      if (element && element.scrollTop > rowPx / 2) element.scrollTop += count * rowPx;
    },
    focus: () => grid.current?.focus({ preventScroll: true }),
  }));

  const { active, activeId, setActiveId, choose, extendTo, clickRow, onKeyDown } = useActiveRow(
    { ...props, openId, clicks },
    rows,
    {
      scrollTo: (index) => list.scrollToIndex(index),
      pageRows: () => Math.max(1, Math.floor(((grid.current?.clientHeight ?? 0) - HEAD_PX) / rowPx) - 2),
    },
  );

  // The keys of the grid do it where it has the focus.
  useBackStep((choice?.count ?? 0) > 0, () => choice?.onNone());

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
      aria-activedescendant={
        activeId !== null && items.some(({ index }) => index === active) ? elementId(place, activeId) : undefined
      }
      tabIndex={0}
      onKeyDown={(event) => isInside(event) && onKeyDown(event)}
      onContextMenu={(event) => {
        // The menu key has no place: the menu opens at the active row.
        const row = active === -1 ? undefined : rows.at(active);
        if (!onMenu || row === undefined || activeId === null || event.target !== event.currentTarget) return;
        event.preventDefault();
        const box = document.getElementById(elementId(place, activeId))?.getBoundingClientRect();
        onMenu(row, { x: (box?.left ?? 0) + 24, y: box?.bottom ?? 0 });
      }}
    >
      <Head
        columns={columns}
        columnsClass={columnsClass}
        allTick={choice && <AllTick choice={choice} rowCount={rows.count} />}
        sorting={sorting}
      />
      <div className={styles.body} role="rowgroup" style={{ height: list.getTotalSize() }}>
        {items.map(({ index, start, size }) => {
          const row = rows.at(index);
          const id = row === undefined ? null : idOf(row);
          return (
            <GridRow
              key={id ?? `hole-${index}`}
              id={id}
              elementId={id === null ? undefined : elementId(place, id)}
              index={index}
              className={columnsClass}
              top={start}
              height={size}
              row={row}
              cells={row === undefined ? <UnreadCells columns={columns} /> : cellsOf(row)}
              choice={choice}
              isOpen={id !== null && id === openId}
              isActive={id !== null && id === activeId}
              isDropTarget={id !== null && id === dropId}
              onClick={(keys) => id !== null && clickRow(index, id, keys)}
              onDoubleClick={() => id !== null && clicks === 'choose' && props.onOpen(id)}
              onMenu={
                onMenu &&
                ((of, at) => {
                  setActiveId(idOf(of));
                  onMenu(of, at);
                })
              }
              onTick={(of, isRange) => (isRange ? extendTo(index, choice?.isChosen(of) !== true) : choose(of))}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The id of the element of a row; an id of HTML has no spaces. */
const elementId = (place: string, id: string): string => `${place}-${encodeURIComponent(id)}`;

interface HeadProps<Row> extends Pick<DataGridProps<Row>, 'columns' | 'columnsClass'> {
  /** The checkbox above those of the rows. */
  allTick: ReactNode;
  sorting: GridSorting | undefined;
}

function Head<Row>({ columns, columnsClass, allTick, sorting }: HeadProps<Row>) {
  return (
    <div className={`${styles.head} ${columnsClass}`} role="row" aria-rowindex={1}>
      {allTick !== undefined && <span role="columnheader">{allTick}</span>}
      {columns.map(({ title, hint, isState = false, sort }) =>
        sorting && sort ? (
          <SortHead key={title} title={title} isState={isState} id={sort.id} {...sorting} />
        ) : (
          <span key={title} role="columnheader" data-states={isState || undefined} title={hint}>
            {title}
          </span>
        ),
      )}
    </div>
  );
}

function SortHead({ title, isState, id, sort, onSort }: GridSorting & { title: string; isState: boolean; id: string }) {
  const isUp = sort?.id === id ? sort.isUp : null;
  return (
    <span
      role="columnheader"
      data-states={isState || undefined}
      aria-sort={isUp === null ? 'none' : isUp ? 'ascending' : 'descending'}
    >
      <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, id))}>
        {title}
        {isUp !== null && (isUp ? <ChevronUp size={12} aria-hidden /> : <ChevronDown size={12} aria-hidden />)}
      </button>
    </span>
  );
}

/** In place of the cells of a row that is not loaded. */
function UnreadCells<Row>({ columns }: Pick<DataGridProps<Row>, 'columns'>) {
  return columns.map(({ title }) => (
    <span key={title} role="gridcell">
      {/* Plainer than Skeleton, and still: a list that a person drags makes very many of them. */}
      <span className={styles.unread} />
    </span>
  ));
}

/**
 * Checked if all rows of the list are chosen, mixed if some are. A click chooses all; none if no more can be chosen.
 */
function AllTick<Row>({ choice, rowCount }: { choice: GridChoice<Row>; rowCount: number }) {
  const { allLabel, countInList, isFull = false, onAll, onNone } = choice;
  const isAll = countInList > 0 && countInList >= rowCount;
  const isMixed = countInList > 0 && !isAll;
  return (
    <input
      ref={(box) => {
        // The state "mixed" has no attribute in HTML.
        if (box) box.indeterminate = isMixed;
      }}
      type="checkbox"
      className={ticks.tick}
      aria-label={allLabel}
      title={allLabel}
      checked={isAll}
      onChange={isAll || (isFull && isMixed) ? onNone : onAll}
    />
  );
}

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
