/** The rows of a grid: a complete list, or a source that loads them during scrolling. */

/**
 * Rows that are loaded during scrolling, newest first. A row that is not loaded is undefined, and shown as a skeleton.
 */
export interface GridSource<Row> {
  count: number;
  at: (index: number) => Row | undefined;
  /** -1 for a row that is not loaded. */
  indexOf: (id: string) => number;
}

export function isArray<Row>(rows: readonly Row[] | GridSource<Row>): rows is readonly Row[] {
  return Array.isArray(rows);
}

export const sourceOf = <Row>(rows: readonly Row[], idOf: (row: Row) => string): GridSource<Row> => ({
  count: rows.length,
  at: (index) => rows[index],
  indexOf: (id) => rows.findIndex((row) => idOf(row) === id),
});

/** Indexes of rows, both included. */
export interface RowRange {
  first: number;
  last: number;
}

/** Rows that a person selects: with a checkbox or Space, in ranges with Shift, or all rows of the list. */
export interface GridChoice<Row> {
  isChosen: (row: Row) => boolean;
  /** Selects these rows, or deselects them. */
  onChoose: (rows: readonly Row[], isChosen: boolean) => void;
  /** The same for a range with rows that are not loaded. A source has it. */
  onRange?: (range: RowRange, isChosen: boolean) => void;
  onAll: () => void;
  onNone: () => void;
  /** How many rows are selected, also those that the list does not show now. */
  count: number;
  /** How many rows of the list are selected. */
  countInList: number;
  /** Whether no more rows can be selected. */
  isFull?: boolean;
  /** The name of a row for a screen reader. */
  nameOf: (row: Row) => string;
  /** The name of the checkbox above the rows: "Choose all jobs". */
  allLabel: string;
}
