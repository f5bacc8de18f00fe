/** Texts with secrets in rows: sealed as they are written, opened as they are read, and those of older versions sealed at a start. */
import type { DatabaseSync } from 'node:sqlite';
import type { Sealing } from './encryption.ts';
import { resultCode, sqlite } from '../sqlite/writeHealth.ts';

/** What a column of sealed texts holds: a BLOB, or TEXT that an older version has written. */
export type SealedText = string | Uint8Array;

/** Null when it was sealed with a key that is not there. */
export const openText = (sealing: Sealing, text: SealedText): string | null =>
  typeof text === 'string' ? text : sealing.open(text);

/** Columns whose texts are sealed, wherever rows are looked at: a BLOB is as good there as a TEXT. */
export const sealedColumns: ReadonlySet<string> = new Set(['job.webhook', 'webhook.url', 'webhook_payload.text']);

/** Rows sealed in one transaction. */
const BATCH = 500;
const DONE = 'texts-sealed';

/** The rows after a number that an older version has left in plain text; of bodies, those of jobs that name a webhook. */
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

/** Runs what a later start can do as well: on a full disk it is left to that. */
export function whereThereIsRoom(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (resultCode(error) !== sqlite.FULL) throw error;
  }
}

/** Seals, once, what an older version has left in plain text in rows of jobs and webhooks. */
export const sealOpenTexts = (database: DatabaseSync, sealing: Sealing): void =>
  whereThereIsRoom(() => sealAll(database, sealing));

function sealAll(database: DatabaseSync, sealing: Sealing): void {
  if (database.prepare('SELECT 1 FROM meta WHERE name = ?').get(DONE)) return;
  for (const { table, column, select } of openRows) {
    const next = database.prepare(`${select} ORDER BY seq LIMIT ${BATCH}`);
    const update = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE seq = ?`);
    const after = (seq: number): { seq: number; text: string }[] => next.all(seq) as { seq: number; text: string }[];
    for (let rows = after(0); rows.length > 0; rows = after(rows.at(-1)!.seq)) {
      wiping(database, () => {
        for (const { seq, text } of rows) update.run(sealing.seal(text), seq);
      });
    }
  }
  database.prepare("INSERT INTO meta (name, value) VALUES (?, 'done')").run(DONE);
}

/** One transaction after which nothing of what it has replaced is left in the file. */
export function wiping(database: DatabaseSync, run: () => void): void {
  const before = Number(Object.values(database.prepare('PRAGMA secure_delete').get() ?? {})[0] ?? 0);
  database.exec('PRAGMA secure_delete = 1; BEGIN IMMEDIATE');
  try {
    run();
    database.exec('COMMIT');
    // What is replaced lies in the file until then.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  } finally {
    database.exec(`PRAGMA secure_delete = ${before}`);
  }
}
