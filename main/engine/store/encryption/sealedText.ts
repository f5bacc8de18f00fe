/**
 * Encrypted texts in rows. They are encrypted before a write and decrypted after a read. A start encrypts the texts of
 * older versions.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Sealing } from './encryption.ts';
import { query } from '../sqlite/statements.ts';
import { resultCode, sqlite } from '../sqlite/writeHealth.ts';

/** The value of a column with encrypted texts: a BLOB, or the plain TEXT of an older version. */
export type SealedText = string | Uint8Array;

/** Null when the text is encrypted with a missing key. */
export const openText = (sealing: Sealing, text: SealedText): string | null =>
  typeof text === 'string' ? text : sealing.open(text);

/** The columns with encrypted texts. A BLOB is as valid there as a TEXT. */
export const sealedColumns: ReadonlySet<string> = new Set(['job.webhook', 'webhook.url', 'webhook_payload.text']);

/** The number of rows in one transaction. */
const BATCH = 500;
const DONE = 'texts-sealed';

/** Selects the rows after a number with plain texts of an older version. Bodies count only for jobs with a webhook. */
const openRows: readonly { table: string; column: string; select: string }[] = [
  ...[...sealedColumns].map((name) => {
    const [table = '', column = ''] = name.split('.');
    const where = `typeof(${column}) = 'text' AND seq > ?`;
    return { table, column, select: `SELECT seq, ${column} AS text FROM ${table} WHERE ${where}` };
  }),
  {
    table: 'body',
    column: 'content',
    select: `SELECT body.seq, content AS text FROM job JOIN body USING (seq)
      WHERE webhook IS NOT NULL AND typeof(content) = 'text' AND job.seq > ?`,
  },
];

/** Runs a step that a later start can repeat. On a full disk it does nothing. */
export function whereThereIsRoom(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (resultCode(error) !== sqlite.FULL) throw error;
  }
}

/** Encrypts, once, the plain texts of an older version in rows of jobs and webhooks. */
export const sealOpenTexts = (database: DatabaseSync, sealing: Sealing): void =>
  whereThereIsRoom(() => sealAll(database, sealing));

function sealAll(database: DatabaseSync, sealing: Sealing): void {
  if (database.prepare('SELECT 1 FROM meta WHERE name = ?').get(DONE)) return;
  for (const { table, column, select } of openRows) {
    const next = query<{ seq: number; text: string }>(database, `${select} ORDER BY seq LIMIT ${BATCH}`);
    const update = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE seq = ?`);
    let last = 0;
    for (let rows = next.all(last); rows.length > 0; rows = next.all(last)) {
      wiping(database, () => {
        for (const { seq, text } of rows) {
          update.run(sealing.seal(text), seq);
          last = seq;
        }
      });
    }
  }
  database.prepare("INSERT INTO meta (name, value) VALUES (?, 'done')").run(DONE);
}

/** Runs one transaction and then erases the old values from the file. */
export function wiping(database: DatabaseSync, run: () => void): void {
  const before = Number(Object.values(database.prepare('PRAGMA secure_delete').get() ?? {})[0] ?? 0);
  database.exec('PRAGMA secure_delete = 1; BEGIN IMMEDIATE');
  try {
    run();
    database.exec('COMMIT');
    // Until this checkpoint the file contains the old values.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  } finally {
    database.exec(`PRAGMA secure_delete = ${before}`);
  }
}
