/** What a person has changed of the settings, as one text in SQLite, written at once. */
import type { DatabaseSync } from 'node:sqlite';
import type { SettingsStore } from '../../domain/settingsStore.ts';

export function createSettingsStore(database: DatabaseSync): SettingsStore {
  const read = database.prepare("SELECT value FROM meta WHERE name = 'settings'");
  const put = database.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('settings', ?)");
  return {
    load() {
      const row = read.get() as { value: string } | undefined;
      return row ? (JSON.parse(row.value) as unknown) : null;
    },
    save: (changes) => void put.run(JSON.stringify(changes)),
  };
}
