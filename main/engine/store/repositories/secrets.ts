/** Secrets of the person in SQLite: few, small, written at once, and their values sealed. */
import type { DatabaseSync } from 'node:sqlite';
import type { Secret, SecretStore } from '../../domain/resources/secrets.ts';
import { whereThereIsRoom, wiping } from '../encryption/sealedText.ts';
import type { Sealing } from '../encryption/encryption.ts';

interface Row {
  id: string;
  record: string;
  secret: Uint8Array;
}

export function createSecretStore(database: DatabaseSync, sealing: Sealing): SecretStore {
  const all = database.prepare('SELECT id, record, secret FROM secret');
  const put = database.prepare('INSERT OR REPLACE INTO secret (id, record, secret) VALUES (?, ?, ?)');
  const putValue = database.prepare('UPDATE secret SET secret = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM secret WHERE id = ?');
  const valueOf = database.prepare('SELECT secret FROM secret WHERE id = ?');

  /** Seals with the key of today what an earlier one has sealed. */
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
      const rows = all.all() as unknown as Row[];
      sealAnew(rows);
      return rows.map(({ record }) => JSON.parse(record) as Secret);
    },
    save: (secret, value) => void put.run(secret.id, JSON.stringify(secret), sealing.seal(value)),
    delete: (id) => wiping(database, () => void remove.run(id)),
    value(id) {
      const row = valueOf.get(id) as { secret: Uint8Array } | undefined;
      return row ? sealing.open(row.secret) : null;
    },
  };
}
