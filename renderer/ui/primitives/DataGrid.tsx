/**
 * A grid of rows for keyboard and pointer: arrows, Page and Home move, Enter opens, Escape closes, Space selects, and
 * so do Shift with a click or an arrow, Ctrl+A and the checkbox of the head. Only visible rows have elements, so that
 * the number of rows is not limited.
 */
import { useEffect, useImperativeHandle, useMemo, useRef, type ReactNode, type Ref } from 'react';
import { Skeleton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useBackStep } from '../../state/backStep.ts';
import { isArray, sourceOf, type GridChoice, type GridSource } from '../grid/rows.ts';
import { nextSort, type GridSort, type SortBy } from '../grid/sorting.ts';
import { useActiveRow } from '../grid/useActiveRow.ts';
import styles from './dataGrid.module.css';
import ticks from './tick.module.css';
import { isFocusFree, takesPageFocus } from '../keyboard/pageFocus.ts';
import { t } from '../../language/text.ts';

export interface GridColumn<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** For a grid with `sorting`: its head sorts the rows. */
  sort?: SortBy<Row>;
}

export interface GridHandle {
  /** Keeps the visible rows in place when `rows` were added (negative: removed) above them. */
  shift: (rows: number) => void;
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

/** A caller with very many rows keeps `columns` the same from one render to the next. */
export function DataGrid<Row extends object>(props: DataGridProps<Row>) {
  const { label, place, columns, idOf, columnsClass, stale = false, rowPx = ROW_PX, openId } = props;
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
      // At the very top the grid does not scroll, so that new rows are visible.
      if (element && element.scrollTop > rowPx / 2) element.scrollTop += count * rowPx;
    },
  }));

  const { active, activeId, setActiveId, choose, extendTo, clickRow, onKeyDown } = useActiveRow(props, rows, {
    scrollTo: (index) => list.scrollToIndex(index),
    pageRows: () => Math.max(1, Math.floor(((grid.current?.clientHeight ?? 0) - HEAD_PX) / rowPx) - 2),
  });

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
              // With Shift, a click selects rows: the browser would select their text.
              onMouseDown={(event) => choice && event.shiftKey && event.preventDefault()}
              onClick={({ shiftKey }) => id !== null && clickRow(index, id, shiftKey)}
              onContextMenu={(event) => {
                if (!onMenu || row === undefined) return;
                event.preventDefault();
                setActiveId(idOf(row));
                onMenu(row, { x: event.clientX, y: event.clientY });
              }}
            >
              {choice && (
                <span role="gridcell">
                  {row !== undefined && (
                    <Tick
                      name={choice.nameOf(row)}
                      isChosen={choice.isChosen(row)}
                      onChoose={(isRange) => (isRange ? extendTo(index, !choice.isChosen(row)) : choose(row))}
                    />
                  )}
                </span>
              )}
              {row !== undefined && cellsOf(row)}
              {row === undefined && <UnreadCells columns={columns} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface HeadProps<Row> extends Pick<DataGridProps<Row>, 'columns' | 'columnsClass'> {
  /** The checkbox above those of the rows. */
  allTick: ReactNode;
  sorting: GridSorting | undefined;
}

function Head<Row>({ columns, columnsClass, allTick, sorting }: HeadProps<Row>) {
  return (
    <div className={`${styles.head} ${columnsClass}`} role="row" aria-rowindex={1}>
      {allTick !== undefined && <span role="columnheader">{allTick}</span>}
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

/** In place of the cells of a row that is not loaded. */
function UnreadCells<Row>({ columns }: Pick<DataGridProps<Row>, 'columns'>) {
  return columns.map(({ title }) => (
    <span key={title} role="gridcell">
      <Skeleton h={10} w="60%" radius={4} />
    </span>
  ));
}

interface TickProps {
  name: string;
  isChosen: boolean;
  /** `isRange`: with Shift, for all rows up to this one. */
  onChoose: (isRange: boolean) => void;
}

function Tick({ name, isChosen, onChoose }: TickProps) {
  return (
    <input
      type="checkbox"
      className={ticks.tick}
      tabIndex={-1}
      aria-label={t`Select ${name}`}
      checked={isChosen}
      onClick={(event) => event.stopPropagation()}
      onChange={({ nativeEvent }) => onChoose(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  );
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
