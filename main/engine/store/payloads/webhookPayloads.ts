/**
 * The payloads of webhook deliveries: their text in a row, and large parts in files that they share with their jobs.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isStored, type JsonParts, type JsonText, type StoredText } from '../../domain/jobs/payload/payloadRef.ts';
import { openText, type SealedText } from '../encryption/sealedText.ts';
import type { Sealing } from '../encryption/encryption.ts';
import { query } from '../sqlite/statements.ts';
import { isOutcomeUnknown } from '../sqlite/writeHealth.ts';
import type { TextFiles } from './payloadFiles.ts';

export interface WebhookPayloads {
  /**
   * Adds references to the files for this delivery. Call `write` inside a transaction, and `failed` when the
   * transaction fails.
   */
  put(seq: number, payload: JsonParts): { write(): void; failed(error: unknown): void };
  /**
   * Call `write` inside a transaction: it deletes the rows. Call `done` after the commit: it removes the references to
   * the files.
   */
  drop(seq: number): { write(): void; done(): void };
  get(seq: number): JsonParts | null;
}

interface Row {
  place: number;
  file: string;
  bytes: number;
  sealed: number;
  part_start: number;
  part_end: number;
}

/** `sealing` encrypts the texts, because they contain the address of the webhook. */
export function createWebhookPayloads(database: DatabaseSync, files: TextFiles, sealing: Sealing): WebhookPayloads {
  const insertText = database.prepare('INSERT INTO webhook_payload (seq, text) VALUES (?, ?)');
  const insertFile = database.prepare(
    'INSERT INTO webhook_file (seq, place, file, bytes, sealed, part_start, part_end) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const deleteText = database.prepare('DELETE FROM webhook_payload WHERE seq = ?');
  const deleteFiles = database.prepare('DELETE FROM webhook_file WHERE seq = ?');
  const selectText = query<{ text: SealedText }>(database, 'SELECT text FROM webhook_payload WHERE seq = ?');
  const selectFiles = query<Row>(database, 'SELECT * FROM webhook_file WHERE seq = ? ORDER BY place');

  for (const { file } of query<{ file: string }>(database, 'SELECT file FROM webhook_file').iterate()) {
    files.addReference(file);
  }

  return {
    put(seq, payload) {
      let text = '';
      const stored: { place: number; part: StoredText }[] = [];
      for (const part of payload) {
        if (isStored(part)) stored.push({ place: text.length, part });
        else text += part;
      }
      for (const { part } of stored) files.addReference(part.file);
      return {
        write() {
          insertText.run(seq, sealing.seal(text));
          for (const { place, part } of stored) {
            const { file, bytes, sealed, part: span } = part;
            insertFile.run(seq, place, file, bytes, sealed ? 1 : 0, span.start, span.end);
          }
        },
        failed(error) {
          // The rows may exist. The next start removes the files if no row refers to them.
          if (isOutcomeUnknown(error)) return;
          for (const { part } of stored) files.remove(part.file);
        },
      };
    },
    drop(seq) {
      let removed: { file: string }[] = [];
      return {
        write() {
          removed = selectFiles.all(seq);
          deleteText.run(seq);
          if (removed.length > 0) deleteFiles.run(seq);
        },
        done() {
          for (const { file } of removed) files.remove(file);
        },
      };
    },
    get(seq) {
      const row = selectText.get(seq);
      const text = row ? openText(sealing, row.text) : null;
      if (text === null) return null;
      const parts: JsonText[] = [];
      let at = 0;
      for (const { place, file, bytes, sealed, ...span } of selectFiles.all(seq)) {
        const part = { start: span.part_start, end: span.part_end };
        parts.push(text.slice(at, place), { file, bytes, sealed: sealed === 1, part, input: null });
        at = place;
      }
      parts.push(text.slice(at));
      return parts;
    },
  };
}
