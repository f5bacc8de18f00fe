/** Templates, endpoints, volumes, Pods, registry auths and API keys in SQLite: few, small, and written at once. */
import type { DatabaseSync } from 'node:sqlite';
import type { ApiKeyRecord } from '#contract/local.ts';
import type { KeptEndpoint, RegistryAuth, Template } from '#contract/resources.ts';
import type { PodRecord, PodStore } from '../domain/podPorts.ts';
import type { ApiKeyStore, RegistryAuthStore, ResourceStore, StoredVolume, VolumeStore } from '../domain/ports.ts';
import type { GroupCommit } from './groupCommit.ts';
import type { Sealing } from './sealing.ts';

function records<T extends { id: string }>(database: DatabaseSync, table: 'template' | 'endpoint' | 'volume' | 'pod') {
  const all = database.prepare(`SELECT record FROM ${table}`);
  const put = database.prepare(`INSERT OR REPLACE INTO ${table} (id, record) VALUES (?, ?)`);
  const remove = database.prepare(`DELETE FROM ${table} WHERE id = ?`);
  return {
    load: () => (all.all() as { record: string }[]).map(({ record }) => JSON.parse(record) as T),
    save: (record: T) => void put.run(record.id, JSON.stringify(record)),
    delete: (id: string) => void remove.run(id),
  };
}

export function createResourceStore(database: DatabaseSync): ResourceStore {
  const templates = records<Template>(database, 'template');
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

export const createPodStore = (database: DatabaseSync): PodStore => records<PodRecord>(database, 'pod');

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
