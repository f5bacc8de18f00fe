/** What holds work back on this machine, as one text in SQLite, written at once. */
import type { DatabaseSync } from 'node:sqlite';
import type { PauseStore } from '../../domain/pausing/pausing.ts';

export function createPauseStore(database: DatabaseSync): PauseStore {
  const read = database.prepare("SELECT value FROM meta WHERE name = 'pause'");
  const put = database.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('pause', ?)");
  return {
    load() {
      const row = read.get() as { value: string } | undefined;
      return row ? (JSON.parse(row.value) as unknown) : null;
    },
    save: (state) => void put.run(JSON.stringify(state)),
  };
}
