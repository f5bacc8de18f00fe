/**
 * Records in a real SQLite file of an older version, or with damage: they are completed, or stay unchanged and are
 * reported.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { templateDefaults } from '#contract/api/resources.ts';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import { podRecordOf } from '../../../../test/support/pods/podRecord.ts';
import { endpointDefaults } from '../../domain/resources/endpoints.ts';
import { createSealing } from '../encryption/encryption.ts';
import { createUnreadable } from '../encryption/unreadable.ts';
import { createTextFiles } from '../payloads/payloadFiles.ts';
import { openDatabase } from '../sqlite/database.ts';
import { createGroupCommit } from '../sqlite/groupCommit.ts';
import { createDamagedRecords } from './damagedRecords.ts';
import { createMetaStore } from './meta.ts';
import {
  createApiKeyStore,
  createPodStore,
  createRegistryAuthStore,
  createResourceStore,
  createVolumeStore,
} from './resources.ts';
import { createSecretStore } from './secrets.ts';
import { createWebhookStore } from './webhooks.ts';

let folder: string;
let database: DatabaseSync;
let logged: unknown[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hangar-records-'));
  database = openDatabase(folder);
  logged = [];
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

function start() {
  const sealing = createSealing(Buffer.alloc(32, 1));
  const logger = { ...silentLogger, error: (facts: unknown) => void logged.push(facts) };
  const damaged = createDamagedRecords(logger);
  const parts = { sealing, lasting: sealing, unreadable: createUnreadable(), damaged };
  const commits = createGroupCommit(database, silentLogger);
  return {
    damaged,
    resources: createResourceStore(database, parts),
    pods: createPodStore(database, parts),
    volumes: createVolumeStore(database, damaged),
    auths: createRegistryAuthStore(database, sealing, damaged),
    keys: createApiKeyStore(database, commits, damaged),
    secrets: createSecretStore(database, sealing, damaged),
    meta: createMetaStore(database, damaged),
    webhooks: createWebhookStore(database, commits, createTextFiles(folder, sealing, silentLogger), parts),
  };
}

const SEALED = new Uint8Array(40);
/** Writes a row; `record` is its JSON, or an invalid text. */
function put(table: string, id: string, record: unknown): void {
  const text = typeof record === 'string' ? record : JSON.stringify(record);
  if (table === 'meta') database.prepare('INSERT INTO meta (name, value) VALUES (?, ?)').run(id, text);
  else if (table === 'api_key') {
    database.prepare('INSERT INTO api_key (id, digest, record) VALUES (?, ?, ?)').run(id, `digest-${id}`, text);
  } else if (table === 'secret' || table === 'registry_auth') {
    database.prepare(`INSERT INTO ${table} (id, record, secret) VALUES (?, ?, ?)`).run(id, text, SEALED);
  } else database.prepare(`INSERT INTO ${table} (id, record) VALUES (?, ?)`).run(id, text);
}
const rows = (table: string): unknown => database.prepare(`SELECT * FROM ${table}`).all();

const template = { id: 't', name: 'mine', imageName: 'image:1' };
const endpoint = { id: 'e', templateId: 't', createdAt: '2024-01-01T00:00:00.000Z', name: 'one' };

describe('a record of an older version', () => {
  test('gets the defaults of the fields that were added later, and keeps those of a later version', () => {
    put('template', 't', { ...template, later: 1 });
    put('endpoint', 'e', { ...endpoint, workersMax: 7 });
    const { env: _env, memoryInGb: _memory, dockerArgs: _args, ...oldPod } = podRecordOf('p', 'EXITED');
    put('pod', 'p', oldPod);
    const { endpointIds: _ids, ...oldKey } = apiKey('k');
    put('api_key', 'k', oldKey);
    const { resources, pods, keys, damaged } = start();
    expect(resources.loadTemplates()).toEqual([{ ...templateDefaults, ...template, later: 1 }]);
    expect(resources.loadEndpoints()).toEqual([{ ...endpointDefaults, version: 0, ...endpoint, workersMax: 7 }]);
    expect(pods.load()).toEqual([podRecordOf('p', 'EXITED')]);
    expect(keys.load()).toEqual([{ digest: 'digest-k', record: apiKey('k') }]);
    expect(damaged.notices()).toEqual([]);
  });

  test('is read though a limit has become tighter since', () => {
    put('template', 't', { ...template, containerDiskInGb: 1e9, name: 'x'.repeat(5000) });
    put('endpoint', 'e', { ...endpoint, workersMax: 1e9, dataCenterIds: ['GONE-1'] });
    const { resources, damaged } = start();
    expect(resources.loadTemplates()).toHaveLength(1);
    expect(resources.loadEndpoints()).toHaveLength(1);
    expect(damaged.notices()).toEqual([]);
  });
});

const apiKey = (id: string) => ({
  id,
  name: id,
  scope: 'all',
  endpointIds: [],
  disabled: false,
  last4: 'abcd',
  createdAt: '2024-01-01T00:00:00.000Z',
  lastUsedAt: null,
});

type Stores = ReturnType<typeof start>;
/** A valid record of each table, and the function that reads the table. */
const tables: [table: string, kind: string, sound: { id: string }, load: (stores: Stores) => unknown[]][] = [
  ['template', 'template', template, ({ resources }) => resources.loadTemplates()],
  [
    'volume',
    'volume',
    { id: 'v', name: 'v', size: 1, dataCenterId: 'EU', folder: 'v' } as { id: string },
    ({ volumes }) => volumes.load(),
  ],
  ['pod', 'Pod', podRecordOf('p', 'EXITED'), ({ pods }) => pods.load()],
  ['registry_auth', 'registry auth', { id: 'r', name: 'r' } as { id: string }, ({ auths }) => auths.load()],
  ['api_key', 'API key', apiKey('k'), ({ keys }) => keys.load()],
  [
    'secret',
    'secret',
    { id: 's', name: 's', description: null, createdAt: '' } as { id: string },
    ({ secrets }) => secrets.load(),
  ],
];

describe.each(tables)('a row of the table %s that cannot be read', (table, kind, sound, load) => {
  test.each([
    ['{"id":"bad","name":"hunter2'],
    ['null'],
    ['[]'],
    [JSON.stringify({ ...sound, id: 'bad', name: { secret: 'hunter2' } })],
  ])('does not keep the others from being read: %s', (text) => {
    put(table, 'bad', text);
    put(table, sound.id, sound);
    const before = rows(table);
    const stores = start();
    expect(load(stores)).toHaveLength(1);
    expect(load(stores)).toHaveLength(1);
    expect(rows(table)).toEqual(before);
    expect(logged).toEqual([expect.objectContaining({ kind, id: 'bad', problem: expect.any(String) })]);
    expect(stores.damaged.notices()).toEqual([expect.stringContaining(`${kind} "bad" (`)]);
    expect(JSON.stringify([logged, stores.damaged.notices()])).not.toMatch(/hunter2/);
  });
});

test('an endpoint whose template cannot be read is not used, and stays', () => {
  put('template', 't', '{');
  put('endpoint', 'e', endpoint);
  const before = rows('endpoint');
  const { resources, damaged } = start();
  expect(resources.loadTemplates()).toEqual([]);
  expect(resources.loadEndpoints()).toEqual([]);
  expect(rows('endpoint')).toEqual(before);
  expect(damaged.notices()).toEqual([expect.stringContaining('endpoint "e" (its template "t" is missing)')]);
});

test('the person without a readable value has no keys, and is told of', () => {
  put('meta', 'account', '{"pubKey":7}');
  put('meta', 'settings', '{');
  const { meta, damaged } = start();
  expect([meta.account.load(), meta.settings.load(), meta.pause.load()]).toEqual([null, null, null]);
  expect(damaged.notices()).toEqual([expect.stringMatching(/value "account" \(pubKey: .*value "settings"/)]);
  meta.account.save({ pubKey: 'ssh-ed25519 a' });
  expect(start().meta.account.load()).toEqual({ pubKey: 'ssh-ed25519 a' });
});

test('a webhook delivery with a status that there is not is not sent; one without its attempts is', () => {
  const insert = database.prepare(
    `INSERT INTO webhook (seq, id, job, endpoint, url, job_status, created_at, state, next_attempt_at, tries, payload_length, attempts)
     VALUES (?, ?, 'j', 'e', 'https://example.com', ?, 1, 0, 1, 0, 0, ?)`,
  );
  insert.run(1, 'bad', 99, '[]');
  insert.run(2, 'old', 2, '[{"at":');
  insert.run(3, 'sound', 2, '[{"at":1,"tookMs":2,"status":500,"error":"no"}]');
  const { webhooks, damaged } = start();
  expect(webhooks.loadPending().map(({ seq, attempts }) => [seq, attempts.length])).toEqual([
    [2, 0],
    [3, 1],
  ]);
  expect(webhooks.list({}).map(({ seq }) => seq)).toEqual([3, 2]);
  expect(webhooks.find(1)).toBeNull();
  expect(damaged.notices()).toEqual([
    expect.stringMatching(
      /webhook delivery "bad" \(job_status: .*attempts of the webhook delivery "old" \(its text is no JSON\)/,
    ),
  ]);
});

test('a notice names five records and counts the others', () => {
  for (let n = 1; n <= 7; n++) put('volume', `v${n}`, '{');
  const { volumes, damaged } = start();
  volumes.load();
  expect(damaged.notices()[0]).toMatch(/"v5" \([^)]*\), and 2 more, which the log names\. Nothing was removed\./);
});
