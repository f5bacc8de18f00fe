/** What is kept of the person of this machine, as one text in SQLite, written at once. */
import type { DatabaseSync } from 'node:sqlite';
import type { AccountStore } from '../../domain/access/owner.ts';

export function createAccountStore(database: DatabaseSync): AccountStore {
  const read = database.prepare("SELECT value FROM meta WHERE name = 'account'");
  const put = database.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('account', ?)");
  return {
    load() {
      const row = read.get() as { value: string } | undefined;
      return row ? (JSON.parse(row.value) as { pubKey: string }) : null;
    },
    save: (account) => void put.run(JSON.stringify(account)),
  };
}
