/** What the rows of a table have in common, read row by row: a stream may still add some. */
import { isContainer, kindOf, membersOf } from './jsonNode.ts';

export const MOST_COLUMNS = 60;

export interface TableShape {
  /** The names of all members of the rows, in the order in which they came. */
  readonly columns: readonly string[];
  readonly rows: number;
  /** Members of all rows together. */
  readonly cells: number;
  /** Those among them that are lists or objects. */
  readonly containers: number;
}

export const noRows: TableShape = { columns: [], rows: 0, cells: 0, containers: 0 };

/** The shape with one row more; null if its JSON is no object, or if there are more than 60 columns then. */
export function withRow(shape: TableShape, json: string): TableShape | null {
  if (kindOf(json) !== 'object') return null;
  const known = new Set(shape.columns);
  let { cells, containers } = shape;
  for (const { name, text } of membersOf(json)) {
    known.add(String(name));
    cells += 1;
    if (isContainer(text)) containers += 1;
  }
  if (known.size > MOST_COLUMNS) return null;
  const columns = known.size === shape.columns.length ? shape.columns : [...known];
  return { columns, rows: shape.rows + 1, cells, containers };
}

/** Whether a table shows the rows well. Where most values are lists or objects themselves, the tree shows more of them. */
export const isTable = ({ columns, cells, containers }: TableShape): boolean =>
  columns.length > 0 && containers <= cells / 2;

/** Whether most rows have most columns. Rows with nothing in common are easier to read as lines. */
export const isDense = ({ columns, rows, cells }: TableShape): boolean => cells > (columns.length * rows) / 2;
