/** A table that fits the terminal: first columns shrink, then optional columns are removed. */
import { cut, oneLine, padded, widthOf } from './text.ts';

export interface Column<Row> {
  title: string;
  value: (row: Row) => string;
  align?: 'left' | 'right';
  /** True for values that a person copies: they are never cut. Other columns shrink to 12 cells. */
  whole?: boolean;
  /** In a narrow terminal, columns with a higher number are removed first; columns without a number stay. */
  drop?: number;
  /** Styles a padded value. */
  style?: (cell: string, row: Row) => string;
}

const GAP = '  ';
const NARROWEST = 12;

interface Fitted<Row> {
  column: Column<Row>;
  width: number;
  cells: string[];
}

const sumOf = (columns: readonly Fitted<never>[] | readonly { width: number }[]): number =>
  columns.reduce((sum, { width }) => sum + width, 0) + GAP.length * (columns.length - 1);

const narrowest = <Row>({ column, width }: Fitted<Row>): number => (column.whole ? width : Math.min(width, NARROWEST));

/** Removes columns until the rest fits at minimum widths, then narrows the widest. */
function fit<Row>(columns: Fitted<Row>[], width: number): Fitted<Row>[] {
  let left = columns;
  while (sumOf(left.map((one) => ({ width: narrowest(one) }))) > width) {
    const next = left.reduce<Fitted<Row> | null>(
      (worst, one) => ((one.column.drop ?? 0) > (worst?.column.drop ?? 0) ? one : worst),
      null,
    );
    if (next === null) break;
    left = left.filter((one) => one !== next);
  }
  const fitted = left.map((one) => ({ ...one }));
  for (let over = sumOf(fitted) - width; over > 0; over -= 1) {
    const widest = fitted
      .filter((one) => one.width > narrowest(one))
      .reduce<Fitted<Row> | null>((best, one) => (one.width > (best?.width ?? 0) ? one : best), null);
    if (widest === null) break;
    widest.width -= 1;
  }
  return fitted;
}

/** Lines of the table, with the titles first. `width`: cells of the terminal; null: no limit. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | null,
  titleStyle: (text: string) => string,
): string[] {
  const natural = columns.map((column): Fitted<Row> => {
    const cells = rows.map((row) => oneLine(column.value(row)));
    return { column, cells, width: Math.max(widthOf(column.title), ...cells.map(widthOf)) };
  });
  // An optional column without any value is removed.
  const telling = natural.filter(({ column, cells }) => column.drop === undefined || cells.some((cell) => cell !== ''));
  const fitted = width === null ? telling : fit(telling, width);
  const last = fitted.at(-1);
  const cellOf = (text: string, one: Fitted<Row>): string => {
    const align = one.column.align ?? 'left';
    const short = cut(text, one.width);
    return one === last && align === 'left' ? short : padded(short, one.width, align);
  };
  const titles = titleStyle(fitted.map((one) => cellOf(one.column.title, one)).join(GAP));
  const lines = rows.map((row, index) =>
    fitted
      .map((one) => {
        const cell = cellOf(one.cells[index] ?? '', one);
        return one.column.style?.(cell, row) ?? cell;
      })
      .join(GAP)
      .trimEnd(),
  );
  return [titles, ...lines];
}
