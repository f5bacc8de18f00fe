/**
 * The last known names of Pods, endpoints and volumes, for what is said of them after they are deleted, such as bills.
 */
import type { Batch as Writes } from '../groupCommit.ts';
import type { Sql } from '../query.ts';

export interface NamedResource {
  id: string;
  /** May be empty: such a resource has no name. */
  name: string;
}

export interface ResourceNameRows {
  /** Keeps the names of resources of an account. Names that are known already write nothing. */
  note(accountId: string, resources: readonly NamedResource[]): void;
  /** The names by the ids of the resources. */
  of(accountId: string): ReadonlyMap<string, string>;
  /** Removes those of an account. */
  forget(accountId: string): void;
}

export function createResourceNameRows(sql: Sql, writes: Writes): ResourceNameRows {
  /** By account, as far as they were read. Lists are read every few seconds, and seldom bring a new name. */
  const known = new Map<string, Map<string, string>>();
  function of(accountId: string): Map<string, string> {
    const read = known.get(accountId);
    if (read !== undefined) return read;
    const rows = sql('SELECT resource_id AS id, name FROM resource_names WHERE account_id = ?').all(accountId);
    const names = new Map(rows.map(({ id, name }) => [String(id), String(name)]));
    known.set(accountId, names);
    return names;
  }
  return {
    of,
    note(accountId, resources) {
      const names = of(accountId);
      const fresh = resources.filter(({ id, name }) => name !== '' && names.get(id) !== name);
      if (fresh.length === 0) return;
      for (const { id, name } of fresh) names.set(id, name);
      writes.write(() => {
        for (const { id, name } of fresh) {
          sql('INSERT OR REPLACE INTO resource_names (account_id, resource_id, name) VALUES (?, ?, ?)').run(
            accountId,
            id,
            name,
          );
        }
      });
    },
    forget(accountId) {
      known.delete(accountId);
      writes.write(() => sql('DELETE FROM resource_names WHERE account_id = ?').run(accountId));
    },
  };
}
