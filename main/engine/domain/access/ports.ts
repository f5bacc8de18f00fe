/** The storage of API keys. */
import type { ApiKeyRecord } from '#contract/local/engine.ts';

/** Stores API keys: only their digests, never the keys. */
export interface ApiKeyStore {
  load(): { record: ApiKeyRecord; digest: string }[];
  save(record: ApiKeyRecord, digest: string): void;
  /** Saves a record with a new time of last use. It is written with the next commit, and no caller waits for it. */
  saveUse(record: ApiKeyRecord, digest: string): void;
  delete(id: string): void;
  /** Returns true at the first call on a data folder, and false ever after. */
  claimFirstStart(): boolean;
}
