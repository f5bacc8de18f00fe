/** One input on several endpoints: the columns of the comparison, which its jobs share a tag with. */
import * as z from 'zod';
import type { LedgerEntry, RunMode } from '#contract/app/ledger.ts';
import { newId } from '../../../client/newId.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { asJson, personalSetting } from '../../../state/personalSetting.ts';

const columnSchema = z.object({
  accountId: z.string(),
  endpointId: z.string(),
  endpointName: z.string(),
  /** The job that the column shows; null before the first run. */
  entryId: z.string().nullable(),
  /** Why the job was not sent, for a person. */
  problem: z.string().nullable(),
});
export type Column = z.infer<typeof columnSchema>;

/** The columns that are shown, also after a reload. */
export const columns = personalSetting('compare', asJson(z.array(columnSchema)), []);

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

export const columnKey = ({ accountId, endpointId }: Pick<Column, 'accountId' | 'endpointId'>): string =>
  `${accountId}/${endpointId}`;

/** Adds a column for an endpoint that has none yet. */
export function addColumn(column: Pick<Column, 'accountId' | 'endpointId' | 'endpointName'>): void {
  const now = columns.get();
  if (now.length >= MOST_COLUMNS || now.some((known) => columnKey(known) === columnKey(column))) return;
  columns.set([...now, { ...column, entryId: null, problem: null }]);
}

/**
 * Removes a column. The answer puts it back in its place with the job that it showed, and says false where there is no room
 * for it any more. If its endpoint has another column by then, that one stays.
 */
export function removeColumn(key: string): () => boolean {
  const before = columns.get();
  const at = before.findIndex((column) => columnKey(column) === key);
  columns.set(before.toSpliced(at, 1));
  return () => {
    const now = columns.get();
    if (now.some((column) => columnKey(column) === key)) return true;
    if (now.length >= MOST_COLUMNS) return false;
    columns.set(now.toSpliced(at, 0, ...before.slice(at, at + 1)));
    return true;
  };
}

const change = (key: string, fields: Partial<Column>): void =>
  void columns.set(columns.get().map((column) => (columnKey(column) === key ? { ...column, ...fields } : column)));

/** The columns of a comparison that ran before, one for each endpoint, in the order in which they were sent. */
export function columnsOf(entries: readonly LedgerEntry[]): Column[] {
  const byKey = new Map<string, Column>();
  for (const { accountId, endpointId, endpointName, entryId } of entries.toSorted((a, b) => a.sentAt - b.sentAt)) {
    const column = { accountId, endpointId, endpointName, entryId, problem: null };
    byKey.set(columnKey(column), column);
  }
  return [...byKey.values()].slice(0, MOST_COLUMNS);
}

/** Sends the body to the endpoint of each column. A refusal is shown in its column and does not affect the others. */
export async function runAll(body: string, mode: RunMode): Promise<void> {
  const tags = [compareTag(new Date())];
  const sent = columns.get().map((column) => ({ ...column, entryId: newId(), problem: null }));
  columns.set(sent);
  await Promise.all(
    sent.map(async (column) => {
      const { accountId, endpointId, endpointName, entryId } = column;
      try {
        await api.jobs.submit({ accountId, endpointId, endpointName, entryId, mode, body, tags });
      } catch (error) {
        change(columnKey(column), { problem: errorText(error) });
      }
    }),
  );
}
