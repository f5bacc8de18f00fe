/** Stores the events of Pods in SQLite. They are few and small; each write is immediate. */
import type { DatabaseSync } from 'node:sqlite';
import { podEventSchema } from '#contract/local/podEvent.ts';
import type { PodEventStore } from '../../domain/pods/history/history.ts';
import { query } from '../sqlite/statements.ts';
import { readRows, type DamagedRecords } from './damagedRecords.ts';

export function createPodEventStore(database: DatabaseSync, damaged: DamagedRecords): PodEventStore {
  const all = query<{ id: string; record: string }>(
    database,
    'SELECT pod AS id, record FROM pod_event ORDER BY pod, n',
  );
  const put = database.prepare('INSERT OR REPLACE INTO pod_event (pod, n, record) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM pod_event WHERE pod = ? AND n = ?');
  const removeAll = database.prepare('DELETE FROM pod_event WHERE pod = ?');
  return {
    load: () =>
      readRows(all.all(), 'an event of the Pod', podEventSchema, damaged).map(({ row, record }) => ({
        podId: row.id,
        event: record,
      })),
    save: (podId, event) => void put.run(podId, event.n, JSON.stringify(event)),
    remove(podId, numbers) {
      for (const n of numbers) remove.run(podId, n);
    },
    removeAll: (podId) => void removeAll.run(podId),
  };
}
