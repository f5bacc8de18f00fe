/** What webhook deliveries send: their text in a row, and the large parts of it in files that they share with their jobs. */
import type { DatabaseSync } from 'node:sqlite';
import { isStored, type JsonParts, type JsonText, type StoredText } from '../../domain/jobs/payload/payloadRef.ts';
import { openText, type SealedText } from '../encryption/sealedText.ts';
import type { Sealing } from '../encryption/encryption.ts';
import { isOutcomeUnknown } from '../sqlite/writeHealth.ts';
import type { TextFiles } from './payloadFiles.ts';

export interface WebhookPayloads {
  /** From now on the files belong to this delivery as well. `write` is for a transaction, `failed` for when it did not succeed. */
  put(seq: number, payload: JsonParts): { write(): void; failed(error: unknown): void };
  /** `write` removes the rows inside a transaction, and answers the files to be let go of after it. */
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

/** `sealing`: of the texts, which name the address of the webhook. */
export function createWebhookPayloads(database: DatabaseSync, files: TextFiles, sealing: Sealing): WebhookPayloads {
  const insertText = database.prepare('INSERT INTO webhook_payload (seq, text) VALUES (?, ?)');
  const insertFile = database.prepare(
    'INSERT INTO webhook_file (seq, place, file, bytes, sealed, part_start, part_end) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const deleteText = database.prepare('DELETE FROM webhook_payload WHERE seq = ?');
  const deleteFiles = database.prepare('DELETE FROM webhook_file WHERE seq = ?');
  const selectText = database.prepare('SELECT text FROM webhook_payload WHERE seq = ?');
  const selectFiles = database.prepare('SELECT * FROM webhook_file WHERE seq = ? ORDER BY place');

  for (const { file } of database.prepare('SELECT file FROM webhook_file').all() as { file: string }[]) {
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
          // The rows may be there after all. The next start knows, and removes what no row refers to.
          if (isOutcomeUnknown(error)) return;
          for (const { part } of stored) files.remove(part.file);
        },
      };
    },
    drop(seq) {
      let removed: { file: string }[] = [];
      return {
        write() {
          removed = selectFiles.all(seq) as unknown as Row[];
          deleteText.run(seq);
          if (removed.length > 0) deleteFiles.run(seq);
        },
        done() {
          for (const { file } of removed) files.remove(file);
        },
      };
    },
    get(seq) {
      const row = selectText.get(seq) as { text: SealedText } | undefined;
      const text = row ? openText(sealing, row.text) : null;
      if (text === null) return null;
      const parts: JsonText[] = [];
      let at = 0;
      for (const { place, file, bytes, sealed, ...span } of selectFiles.all(seq) as unknown as Row[]) {
        const part = { start: span.part_start, end: span.part_end };
        parts.push(text.slice(at, place), { file, bytes, sealed: sealed === 1, part, input: null });
        at = place;
      }
      parts.push(text.slice(at));
      return parts;
    },
  };
}
