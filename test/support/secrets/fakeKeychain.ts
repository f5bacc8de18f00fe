/** A system's keychain for specs of where secrets are kept: it can be away, fail and answer late. */
import type { SecretProblem } from '../../../main/contract/bridge/secrets.ts';
import { createMemoryStore } from '../../../main/app/secrets/memory.ts';
import { unavailable } from '../../../main/app/secrets/secretStore.ts';

export type FakeKeychain = ReturnType<typeof createFakeKeychain>;

/** As a system's keychain is, one for all data folders: it can be away, and fail at a call of a name. */
export function createFakeKeychain() {
  const store = createMemoryStore();
  const entries = new Map<string, string>();
  let lateAnswer = (): void => undefined;
  const fake = {
    entries,
    away: null as SecretProblem | null,
    /** `<call> <name>`, beginning with these words: it fails. */
    fails: '',
    /** What it keeps in place of what it is given. */
    garbles: false,
    calls: [] as string[],
    /** Waited for before each call. */
    gate: async (_call: string): Promise<void> => undefined,
    answersLate: () => lateAnswer(),
    keychain: {
      kind: 'keychain' as const,
      async get(name: string) {
        await called('get', name);
        return store.get(name);
      },
      async set(name: string, value: string) {
        await called('set', name);
        const stored = fake.garbles ? value.slice(1) : value;
        entries.set(name, stored);
        await store.set(name, stored);
      },
      async delete(name: string) {
        await called('delete', name);
        entries.delete(name);
        await store.delete(name);
      },
      check: async () => fake.away,
      onLateAnswer(listener: () => void) {
        lateAnswer = listener;
      },
      stop: async () => undefined,
    },
  };
  async function called(call: string, name: string): Promise<void> {
    fake.calls.push(`${call} ${name}`);
    await fake.gate(`${call} ${name}`);
    if (fake.away) throw unavailable(fake.away);
    if (fake.fails !== '' && `${call} ${name}`.startsWith(fake.fails)) {
      throw unavailable({ trouble: 'failed', reason: 'It broke.' });
    }
  }
  return fake;
}
