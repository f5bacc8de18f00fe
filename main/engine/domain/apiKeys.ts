/** Who may call: API keys with their scopes, the host's key of this run, and the keys of our own workers. */
import { AppError } from '#contract/errors.ts';
import type { ApiKeyCreated, ApiKeyRecord, ApiKeyScope } from '#contract/local.ts';
import type { ApiKeyStore, Clock, Ids } from './ports.ts';

/** The prefix that clients of the cloud know keys by. */
const KEY_PREFIX = 'rpa_';
/** Keys checked lately, so that the digest is not made anew for each request. */
const CHECKED_KEYS = 512;
const SAVE_USE_EVERY_MS = 60_000;

export type Caller =
  | { readonly kind: 'key'; readonly scope: ApiKeyScope }
  /** A worker of ours: it may speak the worker protocol as itself and nothing else. */
  | { readonly kind: 'worker'; readonly endpointId: string; readonly workerId: string };

export interface ApiKeys {
  list(): ApiKeyRecord[];
  /** The answer holds the key itself, this once. */
  create(name: string, scope: ApiKeyScope): ApiKeyCreated;
  update(
    id: string,
    change: { name?: string | undefined; scope?: ApiKeyScope | undefined; disabled?: boolean | undefined },
  ): ApiKeyRecord;
  delete(id: string): void;
  /** Who a key belongs to; null when it is unknown or disabled. */
  check(key: string): Caller | null;
  /** A key for one worker, good until it is taken back. */
  lendToWorker(endpointId: string, workerId: string): { key: string; takeBack(): void };
}

interface Held {
  record: ApiKeyRecord;
  digest: string;
  savedUseAt: number;
}

export function createApiKeys(store: ApiKeyStore, ids: Ids, clock: Clock, runKey: string): ApiKeys {
  const held = new Map<string, Held>();
  const byDigest = new Map<string, Held>();
  const lent = new Map<string, Caller>();
  const checked = new Map<string, { caller: Caller; held: Held | null }>();
  lent.set(ids.digest(runKey), { kind: 'key', scope: 'all' });
  for (const { record, digest } of store.load()) hold({ record, digest, savedUseAt: 0 });

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
    create(name, scope) {
      const key = KEY_PREFIX + ids.random(24);
      const record: ApiKeyRecord = {
        id: ids.random(6),
        name,
        scope,
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
      const { name, scope, disabled } = key.record;
      key.record = {
        ...key.record,
        name: change.name ?? name,
        scope: change.scope ?? scope,
        disabled: change.disabled ?? disabled,
      };
      store.save(key.record, key.digest);
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
      const caller =
        lent.get(digest) ??
        (stored && !stored.record.disabled ? { kind: 'key' as const, scope: stored.record.scope } : null);
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
