/** Templates, endpoints, volumes, Pods, registry auths and API keys in SQLite: few, small, and written at once. */
import type { DatabaseSync } from 'node:sqlite';
import type { ApiKeyRecord } from '#contract/local/engine.ts';
import type { KeptEndpoint, KeptTemplate, RegistryAuth } from '#contract/api/resources.ts';
import type { PodRecord, PodStore } from '../../domain/pods/podInterfaces.ts';
import type { ApiKeyStore } from '../../domain/access/ports.ts';
import type { RegistryAuthStore, ResourceStore, StoredVolume, VolumeStore } from '../../domain/resources/ports.ts';
import { UNREADABLE_ENV } from '../../domain/resources/unreadableEnv.ts';
import type { GroupCommit } from '../sqlite/groupCommit.ts';
import { whereThereIsRoom, wiping } from '../encryption/sealedText.ts';
import type { Sealing } from '../encryption/encryption.ts';
import type { Unreadable } from '../encryption/unreadable.ts';

function records<T extends { id: string }>(database: DatabaseSync, table: 'endpoint' | 'volume') {
  const all = database.prepare(`SELECT record FROM ${table}`);
  const put = database.prepare(`INSERT OR REPLACE INTO ${table} (id, record) VALUES (?, ?)`);
  const remove = database.prepare(`DELETE FROM ${table} WHERE id = ?`);
  return {
    load: () => (all.all() as { record: string }[]).map(({ record }) => JSON.parse(record) as T),
    save: (record: T) => void put.run(record.id, JSON.stringify(record)),
    delete: (id: string) => void remove.run(id),
  };
}

/** What seals the variables of templates and Pods, and takes note of those that it cannot open. */
export interface EnvSealing {
  sealing: Sealing;
  unreadable: Pick<Unreadable, 'noteEnv'>;
}

/** Records whose variables are sealed, beside the rest. Variables that cannot be opened stay as they are until others are set. */
function recordsWithEnv<T extends { id: string; name: string; env: Record<string, string> }>(
  database: DatabaseSync,
  table: 'template' | 'pod',
  { sealing, unreadable }: EnvSealing,
) {
  const all = database.prepare(`SELECT record, secret FROM ${table}`);
  const put = database.prepare(`INSERT OR REPLACE INTO ${table} (id, record, secret) VALUES (?, ?, ?)`);
  const putRecord = database.prepare(`UPDATE ${table} SET record = ? WHERE id = ?`);
  const remove = database.prepare(`DELETE FROM ${table} WHERE id = ?`);

  function save({ env, ...rest }: T): void {
    const record = JSON.stringify({ ...rest, env: {} });
    if (env === UNREADABLE_ENV) putRecord.run(record, rest.id);
    else put.run(rest.id, record, Object.keys(env).length === 0 ? null : sealing.seal(JSON.stringify(env)));
  }

  function envOf({ name, env }: T, secret: Uint8Array | null): Record<string, string> {
    if (secret === null) return env;
    const text = sealing.open(secret);
    if (text !== null) return JSON.parse(text) as Record<string, string>;
    unreadable.noteEnv(table === 'pod' ? 'Pod' : table, name);
    return UNREADABLE_ENV;
  }

  return {
    load() {
      const rows = (all.all() as { record: string; secret: Uint8Array | null }[]).map(({ record: text, secret }) => {
        const record = JSON.parse(text) as T;
        const isCurrent = secret === null ? Object.keys(record.env ?? {}).length === 0 : sealing.isCurrent(secret);
        return { isCurrent, record: { ...record, env: envOf(record, secret) } };
      });
      // From an older version, in plain text, or sealed with a key that is no longer the one to seal with.
      const old = rows.filter(({ isCurrent, record }) => !isCurrent && record.env !== UNREADABLE_ENV);
      if (old.length > 0) whereThereIsRoom(() => wiping(database, () => old.forEach(({ record }) => save(record))));
      return rows.map(({ record }) => record);
    },
    save,
    delete: (id: string) => void remove.run(id),
  };
}

export function createResourceStore(database: DatabaseSync, envSealing: EnvSealing): ResourceStore {
  const templates = recordsWithEnv<KeptTemplate>(database, 'template', envSealing);
  const endpoints = records<KeptEndpoint>(database, 'endpoint');
  return {
    loadTemplates: templates.load,
    saveTemplate: templates.save,
    deleteTemplate: templates.delete,
    loadEndpoints: endpoints.load,
    saveEndpoint: endpoints.save,
    deleteEndpoint: endpoints.delete,
  };
}

export const createPodStore = (database: DatabaseSync, envSealing: EnvSealing): PodStore =>
  recordsWithEnv<PodRecord>(database, 'pod', envSealing);

export const createVolumeStore = (database: DatabaseSync): VolumeStore => records<StoredVolume>(database, 'volume');

export function createRegistryAuthStore(database: DatabaseSync, sealing: Sealing): RegistryAuthStore {
  const all = database.prepare('SELECT record FROM registry_auth');
  const put = database.prepare('INSERT OR REPLACE INTO registry_auth (id, record, secret) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM registry_auth WHERE id = ?');
  const secretOf = database.prepare('SELECT secret FROM registry_auth WHERE id = ?');
  return {
    load: () => (all.all() as { record: string }[]).map(({ record }) => JSON.parse(record) as RegistryAuth),
    save: (auth, credentials) => {
      put.run(auth.id, JSON.stringify(auth), sealing.seal(JSON.stringify(credentials)));
    },
    delete: (id) => void remove.run(id),
    credentials(id) {
      const row = secretOf.get(id) as { secret: Uint8Array } | undefined;
      const text = row ? sealing.open(row.secret) : null;
      return text === null ? null : (JSON.parse(text) as { username: string; password: string });
    },
  };
}

export function createApiKeyStore(database: DatabaseSync, commits: GroupCommit): ApiKeyStore {
  const all = database.prepare('SELECT digest, record FROM api_key');
  const put = database.prepare('INSERT OR REPLACE INTO api_key (id, digest, record) VALUES (?, ?, ?)');
  // Only while it is there: the key may be deleted before the commit.
  const putUse = database.prepare('UPDATE api_key SET record = ? WHERE id = ? AND digest = ?');
  const remove = database.prepare('DELETE FROM api_key WHERE id = ?');
  const claim = database.prepare("INSERT OR IGNORE INTO meta (name, value) VALUES ('first-start', 'done')");
  return {
    load: () =>
      (all.all() as { digest: string; record: string }[]).map(({ digest, record }) => ({
        digest,
        record: JSON.parse(record) as ApiKeyRecord,
      })),
    save: (record, digest) => void put.run(record.id, digest, JSON.stringify(record)),
    saveUse(record, digest) {
      const text = JSON.stringify(record);
      // Not stored is as good as not used: a full disk must not keep a caller out.
      commits.write(
        () => void putUse.run(text, record.id, digest),
        () => undefined,
        'soon',
      );
    },
    delete: (id) => void remove.run(id),
    claimFirstStart: () => claim.run().changes === 1,
  };
}
