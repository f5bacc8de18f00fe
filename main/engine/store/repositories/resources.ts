/**
 * Stores templates, endpoints, volumes, Pods, registry credentials and API keys in SQLite. They are few and small; each
 * write is immediate.
 */
import type { DatabaseSync } from 'node:sqlite';
import type * as z from 'zod';
import type { PodStore } from '../../domain/pods/podInterfaces.ts';
import type { ApiKeyStore } from '../../domain/access/ports.ts';
import type { RegistryAuthStore, ResourceStore, VolumeStore } from '../../domain/resources/ports.ts';
import { UNREADABLE_ENV } from '../../domain/resources/unreadableEnv.ts';
import type { GroupCommit } from '../sqlite/groupCommit.ts';
import { query } from '../sqlite/statements.ts';
import { whereThereIsRoom, wiping } from '../encryption/sealedText.ts';
import type { Sealing } from '../encryption/encryption.ts';
import type { Unreadable } from '../encryption/unreadable.ts';
import { parseText, readRows, type DamagedRecords } from './damagedRecords.ts';
import {
  storedApiKey,
  storedCredentials,
  storedEndpoint,
  storedEnv,
  storedPod,
  storedRegistryAuth,
  storedTemplate,
  storedVolume,
} from './recordSchemas.ts';

interface RecordRow {
  id: string;
  record: string;
}

interface SecretRow extends RecordRow {
  secret: Uint8Array | null;
}

function records<T extends { id: string }>(
  database: DatabaseSync,
  table: 'endpoint' | 'volume',
  schema: z.ZodType<T>,
  damaged: DamagedRecords,
) {
  const all = query<RecordRow>(database, `SELECT id, record FROM ${table}`);
  const put = database.prepare(`INSERT OR REPLACE INTO ${table} (id, record) VALUES (?, ?)`);
  const remove = database.prepare(`DELETE FROM ${table} WHERE id = ?`);
  return {
    load: () => readRows(all.all(), table, schema, damaged).map(({ record }) => record),
    save: (record: T) => void put.run(record.id, JSON.stringify(record)),
    delete: (id: string) => void remove.run(id),
  };
}

/** Encrypts the variables of templates and Pods, and counts those that it cannot decrypt. */
export interface EnvSealing {
  sealing: Sealing;
  unreadable: Pick<Unreadable, 'noteEnv'>;
  damaged: DamagedRecords;
}

/**
 * Stores records whose variables are encrypted in a column of their own. Variables that cannot be decrypted stay until
 * they are replaced.
 */
function recordsWithEnv<T extends { id: string; name: string; env: Record<string, string> }>(
  database: DatabaseSync,
  table: 'template' | 'pod',
  schema: z.ZodType<T>,
  { sealing, unreadable, damaged }: EnvSealing,
) {
  const kind = table === 'pod' ? 'Pod' : table;
  const all = query<SecretRow>(database, `SELECT id, record, secret FROM ${table}`);
  const put = database.prepare(`INSERT OR REPLACE INTO ${table} (id, record, secret) VALUES (?, ?, ?)`);
  const putRecord = database.prepare(`UPDATE ${table} SET record = ? WHERE id = ?`);
  const remove = database.prepare(`DELETE FROM ${table} WHERE id = ?`);

  function save({ env, ...rest }: T): void {
    const record = JSON.stringify({ ...rest, env: {} });
    if (env === UNREADABLE_ENV) putRecord.run(record, rest.id);
    else put.run(rest.id, record, Object.keys(env).length === 0 ? null : sealing.seal(JSON.stringify(env)));
  }

  function envOf({ id, name, env }: T, secret: Uint8Array | null): Record<string, string> {
    if (secret === null) return env;
    const text = sealing.open(secret);
    if (text === null) {
      unreadable.noteEnv(kind, name);
      return UNREADABLE_ENV;
    }
    const parsed = parseText(storedEnv, text);
    if ('value' in parsed) return parsed.value;
    damaged.note(`the variables of the ${kind}`, id, parsed.problem);
    return UNREADABLE_ENV;
  }

  return {
    load() {
      const rows = readRows(all.all(), kind, schema, damaged).map(({ row: { secret }, record }) => {
        const isCurrent = secret === null ? Object.keys(record.env).length === 0 : sealing.isCurrent(secret);
        return { isCurrent, record: { ...record, env: envOf(record, secret) } };
      });
      // The variables are plain text of an older version, or are encrypted with an old key.
      const old = rows.filter(({ isCurrent, record }) => !isCurrent && record.env !== UNREADABLE_ENV);
      if (old.length > 0) whereThereIsRoom(() => wiping(database, () => old.forEach(({ record }) => save(record))));
      return rows.map(({ record }) => record);
    },
    save,
    delete: (id: string) => void remove.run(id),
  };
}

export function createResourceStore(database: DatabaseSync, envSealing: EnvSealing): ResourceStore {
  const templates = recordsWithEnv(database, 'template', storedTemplate, envSealing);
  const endpoints = records(database, 'endpoint', storedEndpoint, envSealing.damaged);
  let templateIds: ReadonlySet<string> = new Set();
  return {
    loadTemplates() {
      const loaded = templates.load();
      templateIds = new Set(loaded.map(({ id }) => id));
      return loaded;
    },
    saveTemplate: templates.save,
    deleteTemplate: templates.delete,
    loadEndpoints: () =>
      endpoints.load().filter(({ id, templateId }) => {
        if (templateIds.has(templateId)) return true;
        // The workers of an endpoint need the template: without it the endpoint is unusable.
        envSealing.damaged.note('endpoint', id, `its template ${JSON.stringify(templateId)} is missing`);
        return false;
      }),
    saveEndpoint: endpoints.save,
    deleteEndpoint: endpoints.delete,
  };
}

export const createPodStore = (database: DatabaseSync, envSealing: EnvSealing): PodStore =>
  recordsWithEnv(database, 'pod', storedPod, envSealing);

export const createVolumeStore = (database: DatabaseSync, damaged: DamagedRecords): VolumeStore =>
  records(database, 'volume', storedVolume, damaged);

export function createRegistryAuthStore(
  database: DatabaseSync,
  sealing: Sealing,
  damaged: DamagedRecords,
): RegistryAuthStore {
  const kind = 'registry auth';
  const all = query<RecordRow>(database, 'SELECT id, record FROM registry_auth');
  const put = database.prepare('INSERT OR REPLACE INTO registry_auth (id, record, secret) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM registry_auth WHERE id = ?');
  const secretOf = query<{ secret: Uint8Array }>(database, 'SELECT secret FROM registry_auth WHERE id = ?');
  return {
    load: () => readRows(all.all(), kind, storedRegistryAuth, damaged).map(({ record }) => record),
    save: (auth, credentials) => {
      put.run(auth.id, JSON.stringify(auth), sealing.seal(JSON.stringify(credentials)));
    },
    delete: (id) => void remove.run(id),
    credentials(id) {
      const row = secretOf.get(id);
      const text = row ? sealing.open(row.secret) : null;
      if (text === null) return null;
      const parsed = parseText(storedCredentials, text);
      if ('value' in parsed) return parsed.value;
      damaged.note(kind, id, parsed.problem);
      return null;
    },
  };
}

export function createApiKeyStore(database: DatabaseSync, commits: GroupCommit, damaged: DamagedRecords): ApiKeyStore {
  const all = query<RecordRow & { digest: string }>(database, 'SELECT id, digest, record FROM api_key');
  const put = database.prepare('INSERT OR REPLACE INTO api_key (id, digest, record) VALUES (?, ?, ?)');
  // The condition prevents that a key returns that was deleted before the commit.
  const putUse = database.prepare('UPDATE api_key SET record = ? WHERE id = ? AND digest = ?');
  const remove = database.prepare('DELETE FROM api_key WHERE id = ?');
  const claim = database.prepare("INSERT OR IGNORE INTO meta (name, value) VALUES ('first-start', 'done')");
  return {
    load: () =>
      readRows(all.all(), 'API key', storedApiKey, damaged).map(({ row: { digest }, record }) => ({ digest, record })),
    save: (record, digest) => void put.run(record.id, digest, JSON.stringify(record)),
    saveUse(record, digest) {
      const text = JSON.stringify(record);
      // The time of last use is unimportant: a full disk must not reject a caller.
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
