/** Caches the key of one account while it is in use: it is fetched from the store on demand, and dropped soon after. */
import type { Cancel, Clock } from '../platform/clock.ts';
import type { SecretStore } from '../secrets/secretStore.ts';

export interface CachedKey {
  /** Null if there is none. Rejects with SECRETS_UNAVAILABLE. */
  get(): Promise<string | null>;
  /** The next request fetches the key again. */
  drop(): void;
}

/** A page sends requests every few seconds: without this cache, each of them would access the keychain. */
const KEPT_MS = 60_000;

export function createKeyCache(secrets: Pick<SecretStore, 'get'>, name: string, clock: Clock): CachedKey {
  let fetched: Promise<string | null> | null = null;
  let cancel: Cancel = () => undefined;

  function drop(): void {
    cancel();
    fetched = null;
  }

  return {
    get() {
      if (fetched) return fetched;
      const request = secrets.get(name);
      fetched = request;
      cancel = clock.after(KEPT_MS, drop);
      const dropIfLast = (): void => {
        if (fetched === request) drop();
      };
      // A keychain without an answer, or without an entry, may have one next time.
      request.then((key) => {
        if (key === null) dropIfLast();
      }, dropIfLast);
      return request;
    },
    drop,
  };
}
