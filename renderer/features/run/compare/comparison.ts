/**
 * One input on several endpoints: the columns of the comparison, which its jobs share a tag with. A column may have fields
 * of its own, which replace those of the shared input. So the same endpoint is compared with other values.
 */
import * as z from 'zod';
import type { LedgerEntry, RunMode } from '#contract/app/ledger.ts';
import { newId } from '../../../client/newId.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { asJson, personalSetting } from '../../../state/personalSetting.ts';
import { NO_FIELDS, withFields } from './ownFields.ts';

const columnSchema = z.object({
  id: z.string(),
  accountId: z.string(),
  endpointId: z.string(),
  endpointName: z.string(),
  /** A request body whose input has the fields of this column alone. */
  own: z.string(),
  /** The job that the column shows; null before the first run. */
  entryId: z.string().nullable(),
  /** Why the job was not sent, for a person. */
  problem: z.string().nullable(),
});
export type Column = z.infer<typeof columnSchema>;
export type Place = Pick<Column, 'accountId' | 'endpointId'>;
export type NamedPlace = Place & Pick<Column, 'endpointName'>;

export const placeKey = ({ accountId, endpointId }: Place): string => `${accountId}/${endpointId}`;

/** As earlier versions stored a column: one for each endpoint, all with the same input. */
const plainColumnSchema = columnSchema.omit({ id: true, own: true });
const storedColumnSchema = z.codec(z.union([columnSchema, plainColumnSchema]), columnSchema, {
  decode: (column) => ('id' in column ? column : { ...column, id: placeKey(column), own: NO_FIELDS }),
  encode: (column) => column,
});

/** The columns that are shown, also after a reload. */
export const columns = personalSetting('compare', asJson(z.array(storedColumnSchema)), []);

/** The key of the draft that all columns share. */
export const COMPARE_DRAFT = 'compare';
export const MOST_COLUMNS = 6;

const TAG = 'compare ';

export const isCompareTag = (tag: string): boolean => tag.startsWith(TAG);

/** The tag of a comparison that begins now: "compare 2026-11-23 14:05:09". The alphabet sorts such tags by time. */
export function compareTag(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  return `${TAG}${day} ${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':')}`;
}

/** Adds a column, with the fields of its own where another column is copied; null where there is no room. */
export function addColumn({ accountId, endpointId, endpointName }: NamedPlace, own: string = NO_FIELDS): Column | null {
  const now = columns.get();
  if (now.length >= MOST_COLUMNS) return null;
  const column = { id: newId(), accountId, endpointId, endpointName, own, entryId: null, problem: null };
  columns.set([...now, column]);
  return column;
}

/** Adds a column for an endpoint that has none yet. */
export function ensureColumn(place: NamedPlace): void {
  if (!columns.get().some((column) => placeKey(column) === placeKey(place))) addColumn(place);
}

/**
 * Removes a column. The answer puts it back in its place with the job that it showed, and says false where there is no room
 * for it any more.
 */
export function removeColumn(id: string): () => boolean {
  const before = columns.get();
  const at = before.findIndex((column) => column.id === id);
  columns.set(before.toSpliced(at, 1));
  return () => {
    const now = columns.get();
    if (now.some((column) => column.id === id)) return true;
    if (now.length >= MOST_COLUMNS) return false;
    columns.set(now.toSpliced(at, 0, ...before.slice(at, at + 1)));
    return true;
  };
}

export const changeColumn = (id: string, fields: Partial<Omit<Column, 'id'>>): void =>
  void columns.set(columns.get().map((column) => (column.id === id ? { ...column, ...fields } : column)));

/** The names of the columns by id: that of the endpoint, with a number from its second column on. */
export function columnTitles(list: readonly Column[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  return new Map(
    list.map((column) => {
      const number = (counts.get(placeKey(column)) ?? 0) + 1;
      counts.set(placeKey(column), number);
      return [column.id, number === 1 ? column.endpointName : `${column.endpointName} (${number})`];
    }),
  );
}

/**
 * The jobs that the columns of a comparison that ran before show, in the order in which they were sent: `entries` are
 * the newest first, as the ledger lists them. Their times do not tell the order, because the jobs of a comparison are
 * often sent in the same millisecond. A job that a person ran again is shown by the newest of its runs.
 */
export function columnJobs(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const shown: LedgerEntry[] = [];
  for (const entry of entries.toReversed()) {
    const at = shown.findIndex(({ entryId }) => entryId === entry.retryOf);
    shown.splice(at < 0 ? shown.length : at, at < 0 ? 0 : 1, entry);
  }
  return shown.slice(0, MOST_COLUMNS);
}

/** Sends the body to the endpoint of each column. A refusal is shown in its column and does not affect the others. */
export async function runAll(body: string, mode: RunMode): Promise<void> {
  const tags = [compareTag(new Date())];
  const sent = columns.get().map((column) => ({ ...column, entryId: newId(), problem: null }));
  columns.set(sent);
  await Promise.all(
    sent.map(async ({ id, own, accountId, endpointId, endpointName, entryId }) => {
      const submission = { accountId, endpointId, endpointName, entryId, mode, body: withFields(body, own), tags };
      try {
        await api.jobs.submit(submission);
      } catch (error) {
        changeColumn(id, { problem: errorText(error) });
      }
    }),
  );
}
