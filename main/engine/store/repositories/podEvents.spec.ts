/** The events of Pods in a real SQLite file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PodEvent } from '#contract/local/podEvent.ts';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import { openDatabase } from '../sqlite/database.ts';
import { createDamagedRecords } from './damagedRecords.ts';
import { createPodEventStore } from './podEvents.ts';

let folder: string;
let database: DatabaseSync;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hangar-pod-events-'));
  database = openDatabase(folder);
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const event = (n: number, text = 'It was started.'): PodEvent => ({
  n,
  at: '2026-01-01T00:00:00.000Z',
  kind: 'resumed',
  by: 'person',
  keyName: 'laptop',
  text,
  times: 1,
  exitCode: null,
  lastLines: [],
});

test('events are read by their number, one that is saved again is replaced, and those of one Pod are removed alone', () => {
  const damaged = createDamagedRecords(silentLogger);
  const store = createPodEventStore(database, damaged);
  for (const n of [10, 2, 1]) store.save('a', event(n));
  store.save('b', event(1));
  store.save('a', event(2, 'It was started anew.'));
  store.remove('a', [1]);
  expect(createPodEventStore(database, damaged).load()).toEqual([
    { podId: 'a', event: event(2, 'It was started anew.') },
    { podId: 'a', event: event(10) },
    { podId: 'b', event: event(1) },
  ]);
  store.removeAll('a');
  expect(store.load()).toEqual([{ podId: 'b', event: event(1) }]);
  database.exec(`UPDATE pod_event SET record = '{"n": 1}'`);
  expect(store.load()).toEqual([]);
  expect(damaged.notices()).toHaveLength(1);
});
