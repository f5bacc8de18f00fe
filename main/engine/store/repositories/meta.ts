/**
 * Single values of the engine in SQLite, each as a JSON text under a name: settings, pause, account. Each write is
 * immediate.
 */
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { AccountStore } from '../../domain/access/owner.ts';
import type { PauseStore } from '../../domain/pausing/pausing.ts';
import type { SettingsStore } from '../../domain/settingsStore.ts';
import { query } from '../sqlite/statements.ts';
import { parseText, type DamagedRecords } from './damagedRecords.ts';
import { storedAccount } from './recordSchemas.ts';

export interface MetaStore {
  readonly account: AccountStore;
  readonly pause: PauseStore;
  readonly settings: SettingsStore;
}

export function createMetaStore(database: DatabaseSync, damaged: DamagedRecords): MetaStore {
  const select = query<{ value: string }>(database, 'SELECT value FROM meta WHERE name = ?');
  const put = database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)');

  /** An unreadable value counts as absent and is reported. */
  function valueOf<T>(name: string, schema: z.ZodType<T>) {
    return {
      load(): T | null {
        const row = select.get(name);
        if (row === undefined) return null;
        const parsed = parseText(schema, row.value);
        if ('value' in parsed) return parsed.value;
        damaged.note('value', name, parsed.problem);
        return null;
      },
      save: (value: T) => void put.run(name, JSON.stringify(value)),
    };
  }

  return {
    account: valueOf('account', storedAccount),
    // The readers of these two validate each field, so that one wrong field does not lose the others.
    pause: valueOf('pause', z.unknown()),
    settings: valueOf('settings', z.unknown()),
  };
}
