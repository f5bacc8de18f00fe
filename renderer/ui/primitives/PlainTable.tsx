/** A static table without keyboard navigation: columns with a cell for each row. */
import { Fragment, type ReactNode } from 'react';
import { Skeleton, VisuallyHidden } from '@mantine/core';
import styles from './plainTable.module.css';

export interface TableColumn<Row> {
  title: string;
  /** True: only screen readers read the title, because a column of buttons needs no visible one. */
  isTitleHidden?: boolean;
  cell: (row: Row, index: number) => ReactNode;
  /** True: its cell is the header of the row. */
  isHeader?: boolean;
  isNumber?: boolean;
  /** True: its cells are chips of states. */
  isState?: boolean;
  /** The column is hidden if there is less space; the style of the table defines the limits. */
  needs?: 'medium' | 'wide';
  /** Text on hover. */
  hint?: (row: Row) => string | undefined;
  /** Whether the cell reports a failure. */
  isBad?: (row: Row) => boolean;
  cellClass?: string | undefined;
}

interface PlainTableProps<Row> {
  /** The label, if no heading says it. */
  label?: string;
  columns: readonly TableColumn<Row>[];
  /** Undefined until they are loaded. */
  rows: readonly Row[] | undefined;
  keyOf: (row: Row, index: number) => string | number;
  /** The class with widths and heights. */
  className: string | undefined;
  /** What stands below a row over its whole width; null for nothing. */
  below?: (row: Row) => ReactNode;
  /** The rows of its foot. */
  foot?: ReactNode;
}

const SKELETON_WIDTHS = ['70%', '58%', '46%', '34%'];

export function PlainTable<Row>({ label, columns, rows, keyOf, className, below, foot }: PlainTableProps<Row>) {
  return (
    <table className={`${styles.table} ${className}`} aria-label={label} aria-busy={rows === undefined || undefined}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" {...shapeOf(column)}>
              {column.isTitleHidden ? <VisuallyHidden>{column.title}</VisuallyHidden> : column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows?.map((row, index) => {
          const more = below?.(row) ?? null;
          return (
            <Fragment key={keyOf(row, index)}>
              <tr data-continued={more !== null || undefined}>
                {columns.map((column) => (
                  <Cell key={column.title} column={column} row={row} index={index} />
                ))}
              </tr>
              {more !== null && (
                <tr>
                  <td colSpan={columns.length}>{more}</td>
                </tr>
              )}
            </Fragment>
          );
        })}
        {rows === undefined &&
          SKELETON_WIDTHS.map((width) => (
            <tr key={width} aria-hidden>
              <td colSpan={columns.length}>
                <Skeleton h={10} w={width} radius={4} />
              </td>
            </tr>
          ))}
      </tbody>
      {foot !== undefined && <tfoot>{foot}</tfoot>}
    </table>
  );
}

interface CellProps<Row> {
  column: TableColumn<Row>;
  row: Row;
  index: number;
}

function Cell<Row>({ column, row, index }: CellProps<Row>) {
  const { cell, hint, isBad, cellClass, isHeader } = column;
  const content = cell(row, index);
  const attributes = { ...shapeOf(column), title: hint?.(row), className: cellClass };
  if (isHeader) {
    return (
      <th scope="row" {...attributes}>
        {content}
      </th>
    );
  }
  return (
    <td data-bad={isBad?.(row) || undefined} {...attributes}>
      {content}
    </td>
  );
}

const shapeOf = ({
  isTitleHidden,
  isNumber,
  isState,
  needs,
}: Pick<TableColumn<never>, 'isTitleHidden' | 'isNumber' | 'isState' | 'needs'>) => ({
  'data-actions': isTitleHidden || undefined,
  'data-number': isNumber || undefined,
  'data-states': isState || undefined,
  'data-medium': needs === 'medium' || undefined,
  'data-wide': needs === 'wide' || undefined,
});
