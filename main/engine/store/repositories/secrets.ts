/**
 * Stores the person's secrets in SQLite. They are few and small; each write is immediate. Their values are encrypted.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { SecretStore } from '../../domain/resources/secrets.ts';
import { whereThereIsRoom, wiping } from '../encryption/sealedText.ts';
import type { Sealing } from '../encryption/encryption.ts';
import { query } from '../sqlite/statements.ts';
import { readRows, type DamagedRecords } from './damagedRecords.ts';
import { storedSecret } from './recordSchemas.ts';

interface Row {
  id: string;
  record: string;
  secret: Uint8Array;
}

export function createSecretStore(database: DatabaseSync, sealing: Sealing, damaged: DamagedRecords): SecretStore {
  const all = query<Row>(database, 'SELECT id, record, secret FROM secret');
  const put = database.prepare('INSERT OR REPLACE INTO secret (id, record, secret) VALUES (?, ?, ?)');
  const putValue = database.prepare('UPDATE secret SET secret = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM secret WHERE id = ?');
  const valueOf = query<{ secret: Uint8Array }>(database, 'SELECT secret FROM secret WHERE id = ?');

  /** Encrypts values of an earlier key with the current key. */
  function sealAnew(rows: readonly Row[]): void {
    const old = rows.flatMap(({ id, secret }) => {
      const value = sealing.isCurrent(secret) ? null : sealing.open(secret);
      return value === null ? [] : [{ id, value }];
    });
    if (old.length === 0) return;
    whereThereIsRoom(() =>
      wiping(database, () => {
        for (const { id, value } of old) putValue.run(sealing.seal(value), id);
      }),
    );
  }

  return {
    load() {
      const rows = all.all();
      sealAnew(rows);
      return readRows(rows, 'secret', storedSecret, damaged).map(({ record }) => record);
    },
    save: (secret, value) => void put.run(secret.id, JSON.stringify(secret), sealing.seal(value)),
    delete: (id) => wiping(database, () => void remove.run(id)),
    value(id) {
      const row = valueOf.get(id);
      return row ? sealing.open(row.secret) : null;
    },
  };
}
