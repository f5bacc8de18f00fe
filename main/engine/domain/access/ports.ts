/** Where API keys are stored. */
import type { ApiKeyRecord } from '#contract/local/engine.ts';

/** API keys at rest: never the key, only its digest. */
export interface ApiKeyStore {
  load(): { record: ApiKeyRecord; digest: string }[];
  save(record: ApiKeyRecord, digest: string): void;
  /** The same for a record of which only its last use is new: with the next commit, and nobody waits for it. */
  saveUse(record: ApiKeyRecord, digest: string): void;
  delete(id: string): void;
  /** True the first time it is called on a data folder, and never again. */
  claimFirstStart(): boolean;
}
