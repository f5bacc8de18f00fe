/** The order of the rows of a grid by one of its columns. */
import * as z from 'zod';

/** `id`: of the column. Null: the rows stand as they came. */
export const gridSortSchema = z.object({ id: z.string(), isUp: z.boolean() }).nullable();
export type GridSort = z.infer<typeof gridSortSchema>;

/** What a column is sorted by. A row without a value (null) stands last, whichever way it is sorted. */
export interface SortBy<Row> {
  id: string;
  valueOf: (row: Row) => string | number | null;
}

/** The order after a click on the head of a column: upwards, downwards, as they came. */
export function nextSort(sort: GridSort, id: string): GridSort {
  if (sort?.id !== id) return { id, isUp: true };
  return sort.isUp ? { id, isUp: false } : null;
}

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : `${a}`.localeCompare(`${b}`, undefined, { numeric: true, sensitivity: 'base' });

/** Rows with equal values keep their order. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly { sort?: SortBy<Row> }[], sort: GridSort): Row[] {
  const valueOf = columns.find((column) => column.sort?.id === sort?.id)?.sort?.valueOf;
  if (sort === null || valueOf === undefined) return [...rows];
  return rows.toSorted((a, b) => {
    const [of, than] = [valueOf(a), valueOf(b)];
    if (of === null || than === null) return Number(of === null) - Number(than === null);
    return sort.isUp ? compare(of, than) : compare(than, of);
  });
}
