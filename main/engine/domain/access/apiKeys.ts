/** Authentication: API keys with their scopes, the host's key of this run, and the keys of our own workers. */
import { AppError } from '#contract/core/errors.ts';
import type { ApiKeyCreate, ApiKeyCreated, ApiKeyRecord, ApiKeyScope, ApiKeyUpdate } from '#contract/local/engine.ts';
import { createListeners } from '../core/listeners.ts';
import type { Cancel, Clock, Ids } from '../core/ports.ts';
import type { ApiKeyStore } from './ports.ts';

/** The prefix of API keys that clients of the cloud expect. */
const KEY_PREFIX = 'rpa_';
/** The number of cached keys. The cache saves a digest for each request. */
const CHECKED_KEYS = 512;
const SAVE_USE_EVERY_MS = 60_000;

export type Caller =
  /**
   * `name` is null for the host's key of this run. `endpointIds`: the endpoints that a key of the scope `endpoints` may
   * use.
   */
  | {
      readonly kind: 'key';
      readonly name: string | null;
      readonly scope: ApiKeyScope;
      readonly endpointIds: readonly string[];
    }
  /** One of our workers: it may only use the worker protocol, as itself. */
  | { readonly kind: 'worker'; readonly endpointId: string; readonly workerId: string };

export interface ApiKeys {
  list(): ApiKeyRecord[];
  /**
   * Creates a key. Only this answer contains the key itself. Throws BAD_REQUEST where `endpointIds` and the scope
   * `endpoints` do not come together.
   */
  create(input: ApiKeyCreate): ApiKeyCreated;
  /** Throws as `create` does. */
  update(id: string, change: ApiKeyUpdate): ApiKeyRecord;
  delete(id: string): void;
  /** The owner of a key; null when the key is unknown or disabled. */
  check(key: string): Caller | null;
  /**
   * Calls `onChange` after each change of the rights of a known key, with its new owner: null once the key is deleted,
   * disabled or revoked. For connections that continue after their request was authorized.
   */
  watch(key: string, onChange: (caller: Caller | null) => void): Cancel;
  /**
   * Called after a key is created, changed or deleted, and after the time of its last use is. Not for keys of workers.
   */
  onChange(listener: () => void): Cancel;
  /** Creates a key for one worker, valid until it is revoked. */
  issueWorkerKey(endpointId: string, workerId: string): { key: string; revoke(): void };
}

/** A key that was created through the API, as it is stored. */
interface StoredKey {
  record: ApiKeyRecord;
  digest: string;
  savedUseAt: number;
}

interface Entry {
  /** Null while the key is invalid. */
  caller: Caller | null;
  /** Null for the key of this run and for keys of workers. */
  readonly stored: StoredKey | null;
  readonly watchers: Set<(caller: Caller | null) => void>;
}

const callerOf = ({ name, scope, endpointIds, disabled }: ApiKeyRecord): Caller | null =>
  disabled ? null : { kind: 'key', name, scope, endpointIds };

const nothing = (): void => undefined;

function checkEndpoints(scope: ApiKeyScope, endpointIds: readonly string[]): void {
  if (scope === 'endpoints' && endpointIds.length === 0) {
    throw new AppError('BAD_REQUEST', 'A key of the scope "endpoints" needs endpointIds: at least one endpoint.');
  }
  if (scope !== 'endpoints' && endpointIds.length > 0) {
    throw new AppError('BAD_REQUEST', `endpointIds are for the scope "endpoints"; this key has the scope "${scope}".`);
  }
}

/** A key that was never used. `createdAt`: milliseconds since the epoch. */
const newRecord = (
  { name, scope, endpointIds }: Pick<ApiKeyRecord, 'name' | 'scope' | 'endpointIds'>,
  id: string,
  last4: string,
  createdAt: number,
): ApiKeyRecord => ({
  id,
  name,
  scope,
  endpointIds: [...new Set(endpointIds)],
  disabled: false,
  last4,
  createdAt: new Date(createdAt).toISOString(),
  lastUsedAt: null,
});

export function createApiKeys(store: ApiKeyStore, ids: Ids, clock: Clock, runKey: string): ApiKeys {
  const byId = new Map<string, Entry & { stored: StoredKey }>();
  const byDigest = new Map<string, Entry>();
  const checked = new Map<string, Entry>();
  const listeners = createListeners();
  add(ids.digest(runKey), { kind: 'key', name: null, scope: 'all', endpointIds: [] });
  for (const { record, digest } of store.load()) {
    // Keys of earlier versions have no `endpointIds`.
    addStored({ ...record, endpointIds: record.endpointIds ?? [] }, digest);
  }

  function add(digest: string, caller: Caller): Entry {
    const entry: Entry = { caller, stored: null, watchers: new Set() };
    byDigest.set(digest, entry);
    return entry;
  }

  function addStored(record: ApiKeyRecord, digest: string): void {
    const stored: StoredKey = { record, digest, savedUseAt: 0 };
    const entry = { caller: callerOf(record), stored, watchers: new Set<(caller: Caller | null) => void>() };
    byId.set(record.id, entry);
    byDigest.set(digest, entry);
  }

  function get(id: string): Entry & { stored: StoredKey } {
    const entry = byId.get(id);
    if (!entry) throw new AppError('NOT_FOUND', `There is no API key ${JSON.stringify(id)}.`);
    return entry;
  }

  function entryOf(key: string): Entry | null {
    const cached = checked.get(key);
    if (cached) return cached;
    const entry = byDigest.get(ids.digest(key));
    if (!entry) return null;
    if (checked.size >= CHECKED_KEYS) checked.clear();
    checked.set(key, entry);
    return entry;
  }

  /** Changes the owner of the key and notifies its watchers. */
  function setCaller(entry: Entry, caller: Caller | null): void {
    entry.caller = caller;
    for (const onChange of [...entry.watchers]) onChange(caller);
  }

  function forget(digest: string, entry: Entry): void {
    byDigest.delete(digest);
    checked.clear();
    setCaller(entry, null);
  }

  function noteUse(stored: StoredKey): void {
    const now = clock.now();
    if (now - stored.savedUseAt < SAVE_USE_EVERY_MS) return;
    stored.savedUseAt = now;
    stored.record = { ...stored.record, lastUsedAt: new Date(now).toISOString() };
    store.saveUse(stored.record, stored.digest);
    listeners.call();
  }

  return {
    list: () => [...byId.values()].map(({ stored }) => stored.record),
    create({ name, scope, endpointIds = [] }) {
      checkEndpoints(scope, endpointIds);
      const key = KEY_PREFIX + ids.random(24);
      const record = newRecord({ name, scope, endpointIds }, ids.random(6), key.slice(-4), clock.now());
      const digest = ids.digest(key);
      store.save(record, digest);
      addStored(record, digest);
      listeners.call();
      return { ...record, key };
    },
    update(id, change) {
      const entry = get(id);
      const { stored } = entry;
      const { name, disabled } = stored.record;
      const scope = change.scope ?? stored.record.scope;
      // Other scopes have no endpoints.
      const endpointIds = change.endpointIds ?? (scope === 'endpoints' ? stored.record.endpointIds : []);
      checkEndpoints(scope, endpointIds);
      const changed = { name: change.name ?? name, scope, endpointIds, disabled: change.disabled ?? disabled };
      const record = { ...stored.record, ...changed };
      store.save(record, stored.digest);
      stored.record = record;
      setCaller(entry, callerOf(record));
      listeners.call();
      return record;
    },
    delete(id) {
      const entry = get(id);
      store.delete(id);
      byId.delete(id);
      forget(entry.stored.digest, entry);
      listeners.call();
    },
    onChange: listeners.add,
    check(key) {
      const entry = entryOf(key);
      if (!entry?.caller) return null;
      if (entry.stored) noteUse(entry.stored);
      return entry.caller;
    },
    watch(key, onChange) {
      const entry = entryOf(key);
      if (!entry) return nothing;
      entry.watchers.add(onChange);
      return () => void entry.watchers.delete(onChange);
    },
    issueWorkerKey(endpointId, workerId) {
      const key = KEY_PREFIX + ids.random(24);
      const digest = ids.digest(key);
      const entry = add(digest, { kind: 'worker', endpointId, workerId });
      return { key, revoke: () => forget(digest, entry) };
    },
  };
}
