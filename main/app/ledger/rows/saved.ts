/** The rows of documents that a person saved in the window. */
import { savedDocumentSchema, savedSummarySchema } from '#contract/app/saved/document.ts';
import type { SavedDocument, SavedPlace, SavedRef, SavedSummary } from '#contract/app/saved/document.ts';
import type { Batch as Writes } from '../groupCommit.ts';
import type { Sql } from '../query.ts';

export interface SavedRows {
  /** All documents, or those of a place, by kind, place and name. */
  list(place?: SavedPlace): SavedSummary[];
  find(ref: SavedRef): SavedDocument | undefined;
  /**
   * Adds all documents, or none after an error, and replaces those with their names. Safe against a power cut on
   * return.
   */
  save(documents: readonly SavedDocument[]): void;
  /** Returns how many there were. Safe against a power cut on return. */
  remove(refs: readonly SavedRef[]): number;
}

const COLUMNS = 'kind, account_id AS accountId, endpoint_id AS endpointId, name, saved_at AS savedAt';
const IS_REF = 'kind = ? AND account_id = ? AND endpoint_id = ? AND name = ?';

const refOf = ({ kind, accountId, endpointId, name }: SavedRef) => [kind, accountId, endpointId, name] as const;

export function createSavedRows(sql: Sql, writes: Writes): SavedRows {
  return {
    list(place) {
      const select = `SELECT ${COLUMNS}, bytes FROM saved_documents`;
      const rows =
        place === undefined
          ? sql(`${select} ORDER BY kind, account_id, endpoint_id, name`).all()
          : sql(`${select} WHERE kind = ? AND account_id = ? AND endpoint_id = ? ORDER BY name`).all(
              place.kind,
              place.accountId,
              place.endpointId,
            );
      // A kind of a newer version, which this one does not show, stays.
      return rows.flatMap((row) => savedSummarySchema.safeParse(row).data ?? []);
    },
    find(ref) {
      const row = sql(`SELECT ${COLUMNS}, text FROM saved_documents WHERE ${IS_REF}`).get(...refOf(ref));
      return row && savedDocumentSchema.parse(row);
    },
    save: (documents) =>
      writes.writeSynced(() => {
        for (const document of documents) {
          sql(
            `INSERT OR REPLACE INTO saved_documents (kind, account_id, endpoint_id, name, text, bytes, saved_at)
               VALUES (?, ?, ?, ?, ?, ?, ?)`,
          ).run(...refOf(document), document.text, Buffer.byteLength(document.text), document.savedAt);
        }
      }),
    remove: (refs) =>
      writes.writeSynced(() =>
        refs.reduce(
          (sum, ref) => sum + Number(sql(`DELETE FROM saved_documents WHERE ${IS_REF}`).run(...refOf(ref)).changes),
          0,
        ),
      ),
  };
}
