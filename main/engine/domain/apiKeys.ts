/** Who may call: API keys with their scopes, the host's key of this run, and the keys of our own workers. */
import { AppError } from '#contract/errors.ts';
import type { ApiKeyCreate, ApiKeyCreated, ApiKeyRecord, ApiKeyScope, ApiKeyUpdate } from '#contract/local.ts';
import type { ApiKeyStore, Clock, Ids } from './ports.ts';

/** The prefix that clients of the cloud know keys by. */
const KEY_PREFIX = 'rpa_';
/** Keys checked lately, so that the digest is not made anew for each request. */
const CHECKED_KEYS = 512;
const SAVE_USE_EVERY_MS = 60_000;

export type Caller =
  /** `endpointIds`: all that a key of the scope `endpoints` is good for. */
  | { readonly kind: 'key'; readonly scope: ApiKeyScope; readonly endpointIds: readonly string[] }
  /** A worker of ours: it may speak the worker protocol as itself and nothing else. */
  | { readonly kind: 'worker'; readonly endpointId: string; readonly workerId: string };

export interface ApiKeys {
  list(): ApiKeyRecord[];
  /** The answer holds the key itself, this once. Throws BAD_REQUEST where endpoints are named without their scope, or not with it. */
  create(wanted: ApiKeyCreate): ApiKeyCreated;
  /** Throws as `create` does. */
  update(id: string, change: ApiKeyUpdate): ApiKeyRecord;
  delete(id: string): void;
  /** Who a key belongs to; null when it is unknown or disabled. */
  check(key: string): Caller | null;
  /** A key for one worker, good until it is taken back. */
  lendToWorker(endpointId: string, workerId: string): { key: string; takeBack(): void };
}

const callerOf = ({ scope, endpointIds }: ApiKeyRecord): Caller => ({ kind: 'key', scope, endpointIds });

interface Held {
  record: ApiKeyRecord;
  digest: string;
  savedUseAt: number;
}

function checkEndpoints(scope: ApiKeyScope, endpointIds: readonly string[]): void {
  if (scope === 'endpoints' && endpointIds.length === 0) {
    throw new AppError('BAD_REQUEST', 'A key of the scope "endpoints" needs endpointIds: at least one endpoint.');
  }
  if (scope !== 'endpoints' && endpointIds.length > 0) {
    throw new AppError('BAD_REQUEST', `endpointIds are for the scope "endpoints"; this key has the scope "${scope}".`);
  }
}

export function createApiKeys(store: ApiKeyStore, ids: Ids, clock: Clock, runKey: string): ApiKeys {
  const held = new Map<string, Held>();
  const byDigest = new Map<string, Held>();
  const lent = new Map<string, Caller>();
  const checked = new Map<string, { caller: Caller; held: Held | null }>();
  lent.set(ids.digest(runKey), { kind: 'key', scope: 'all', endpointIds: [] });
  for (const { record, digest } of store.load()) {
    // Keys from before there were endpoints to choose name none.
    hold({ record: { ...record, endpointIds: record.endpointIds ?? [] }, digest, savedUseAt: 0 });
  }

  function hold(key: Held): void {
    held.set(key.record.id, key);
    byDigest.set(key.digest, key);
  }

  function get(id: string): Held {
    const key = held.get(id);
    if (!key) throw new AppError('NOT_FOUND', `There is no API key ${JSON.stringify(id)}.`);
    return key;
  }

  function noteUse(key: Held): void {
    const now = clock.now();
    if (now - key.savedUseAt < SAVE_USE_EVERY_MS) return;
    key.savedUseAt = now;
    key.record = { ...key.record, lastUsedAt: new Date(now).toISOString() };
    store.saveUse(key.record, key.digest);
  }

  return {
    list: () => [...held.values()].map(({ record }) => record),
    create({ name, scope, endpointIds = [] }) {
      checkEndpoints(scope, endpointIds);
      const key = KEY_PREFIX + ids.random(24);
      const record: ApiKeyRecord = {
        id: ids.random(6),
        ...{ name, scope, endpointIds: [...new Set(endpointIds)] },
        disabled: false,
        last4: key.slice(-4),
        createdAt: new Date(clock.now()).toISOString(),
        lastUsedAt: null,
      };
      const digest = ids.digest(key);
      store.save(record, digest);
      hold({ record, digest, savedUseAt: 0 });
      return { ...record, key };
    },
    update(id, change) {
      const key = get(id);
      const { name, disabled } = key.record;
      const scope = change.scope ?? key.record.scope;
      // With another scope there are no endpoints to name.
      const endpointIds = change.endpointIds ?? (scope === 'endpoints' ? key.record.endpointIds : []);
      checkEndpoints(scope, endpointIds);
      const changed = { name: change.name ?? name, scope, endpointIds, disabled: change.disabled ?? disabled };
      store.save({ ...key.record, ...changed }, key.digest);
      key.record = { ...key.record, ...changed };
      checked.clear();
      return key.record;
    },
    delete(id) {
      const key = get(id);
      store.delete(id);
      held.delete(id);
      byDigest.delete(key.digest);
      checked.clear();
    },
    check(key) {
      const known = checked.get(key);
      if (known) {
        if (known.held) noteUse(known.held);
        return known.caller;
      }
      const digest = ids.digest(key);
      const stored = byDigest.get(digest) ?? null;
      const caller = lent.get(digest) ?? (stored && !stored.record.disabled ? callerOf(stored.record) : null);
      if (!caller) return null;
      if (checked.size >= CHECKED_KEYS) checked.clear();
      checked.set(key, { caller, held: stored });
      if (stored) noteUse(stored);
      return caller;
    },
    lendToWorker(endpointId, workerId) {
      const key = KEY_PREFIX + ids.random(24);
      const digest = ids.digest(key);
      lent.set(digest, { kind: 'worker', endpointId, workerId });
      return {
        key,
        takeBack() {
          lent.delete(digest);
          checked.delete(key);
        },
      };
    },
  };
}
