/** Secrets for this run only: nothing is written to disk. */
import type { SecretStore } from './secretStore.ts';

export function createMemoryStore(): SecretStore {
  const entries = new Map<string, string>();
  return {
    kind: 'memory',
    get: async (name) => entries.get(name) ?? null,
    async set(name, value) {
      entries.set(name, value);
    },
    async delete(name) {
      entries.delete(name);
    },
  };
}
