/** The secret stores: the one in use, its problem, and moves to another. */
import { join } from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import type { SecretProblem, SecretsState } from '#contract/bridge/secrets.ts';
import type { SecretKind } from '#contract/app/secretKind.ts';
import type { Logger } from 'pino';
import { openChoice } from './backendChoice.ts';
import type { Keychain } from './keychain.ts';
import { createMemoryStore } from './memory.ts';
import { problemOf, unavailable, type SecretStore } from './secretStore.ts';
import { createVaultFile } from './vaultFile.ts';
import type { ScryptCost } from './vaultCipher.ts';

/** The store in use, by one name whatever it is. */
export interface Secrets extends SecretStore {
  state(): StoreState;
  /** Calls the listener at each change of state; answers how to stop that. */
  onState(listener: (state: StoreState) => void): () => void;
  /** Opens the store in use. Never rejects: the state reports the problem. */
  start(): Promise<void>;
  /**
   * Moves all entries, and empties the old place once the new one holds them. `leave`: they stay where they are, such as in a
   * file whose passphrase is lost, which is set aside.
   */
  choose(kind: SecretKind, passphrase?: string, leave?: boolean): Promise<StoreState>;
  /** Rejects with FORBIDDEN where the passphrase is wrong. */
  unlock(passphrase: string): Promise<StoreState>;
  changePassphrase(from: string, to: string): Promise<StoreState>;
  /** Looks at the keychain again. */
  check(): Promise<StoreState>;
  stop(): Promise<void>;
}

/** The state of the stores, without the data key's `outlivesRun`, which `dataKey` adds. */
export type StoreState = Omit<SecretsState, 'outlivesRun'>;

export interface SecretsOptions {
  dataDir: string;
  keychain: Keychain;
  /** For a host without a person: the store to use until one is chosen, and the passphrase. */
  initial: { kind: SecretKind | null; passphrase: string | null };
  logger: Logger;
  /** Of a new encrypted file. */
  cost?: ScryptCost;
}

export function createSecrets({
  dataDir,
  keychain,
  initial: { kind: preferredKind, passphrase },
  logger,
  cost,
}: SecretsOptions): Secrets {
  const filePath = join(dataDir, 'secrets.vault');
  const choice = openChoice(join(dataDir, 'secrets.json'));
  const vault = createVaultFile(filePath, cost);
  const own = (name: string): string => `${name}@${choice.id}`;
  const stores: Record<SecretKind, SecretStore> = {
    keychain: {
      kind: 'keychain',
      get: (name) => keychain.get(own(name)),
      set: (name, value) => keychain.set(own(name), value),
      delete: (name) => keychain.delete(own(name)),
    },
    file: vault,
    memory: createMemoryStore(),
  };
  const listeners = new Set<(state: StoreState) => void>();
  let kind: SecretKind = choice.kind ?? 'memory';
  // Secrets in memory end with their run.
  let names = new Set(kind === 'memory' ? [] : choice.names);
  let problem: SecretProblem | null = null;
  let keychainProblem: SecretProblem | null = null;
  /** Changes and moves go one after the other, so that a move finds all there is. */
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const done = last.then(run);
    last = done.catch(() => undefined);
    return done;
  }

  const state = (): StoreState => ({
    kind,
    chosen: choice.kind !== null,
    problem,
    keychainProblem,
    filePath,
    fileExists: vault.exists(),
    entries: names.size,
  });

  let reported = '';
  function changed(): StoreState {
    const now = state();
    const text = JSON.stringify(now);
    if (text !== reported) for (const listener of listeners) listener(now);
    reported = text;
    return now;
  }

  function note(latest: SecretProblem | null): void {
    problem = latest;
    if (kind === 'keychain') keychainProblem = latest;
    changed();
  }

  /** Runs an operation on the store in use, and records its problem in the state. */
  async function using<T>(run: (store: SecretStore) => Promise<T>): Promise<T> {
    const usedKind = kind;
    try {
      const result = await run(stores[usedKind]);
      if (usedKind === kind && problem !== null) note(null);
      return result;
    } catch (thrown) {
      if (usedKind === kind) note(problemOf(thrown));
      throw thrown;
    }
  }

  const save = (): Promise<void> => choice.save(choice.kind, [...names]);

  async function check(): Promise<StoreState> {
    keychainProblem = await keychain.check();
    if (kind === 'keychain') problem = keychainProblem;
    // Nobody has chosen yet, and there is a keychain by now.
    if (choice.kind === null && keychainProblem === null) await moveTo('keychain');
    return changed();
  }
  keychain.onLateAnswer(() => void inTurn(check).catch((err: unknown) => logger.warn({ err }, 'the keychain')));

  /** Every entry is read back from the new place before the old one is emptied. */
  async function moveTo(next: SecretKind): Promise<void> {
    const [from, to] = [stores[kind], stores[next]];
    if (from !== to) {
      for (const name of names) {
        const value = await from.get(name);
        if (value === null) continue;
        await to.set(name, value);
        if ((await to.get(name)) !== value) {
          throw unavailable({ trouble: 'failed', reason: 'A key was not kept as it was given. Nothing was moved.' });
        }
      }
    }
    const left = kind;
    kind = next;
    problem = null;
    await choice.save(next, [...names]);
    if (from === to) return;
    try {
      if (left === 'file') await vault.remove();
      else for (const name of names) await from.delete(name);
    } catch (cause) {
      const { trouble, reason } = problemOf(cause);
      throw unavailable(
        { trouble, reason: `All keys are in their new place; those in the old one could not be removed. ${reason}` },
        cause,
      );
    } finally {
      changed();
    }
  }

  /** `anew`: replaces an existing file, such as one whose passphrase is lost. */
  async function openFile(phrase: string | undefined, anew: boolean): Promise<void> {
    if (vault.isOpen()) return;
    if (phrase === undefined) throw new AppError('BAD_REQUEST', 'The encrypted file needs a passphrase.');
    if (vault.exists() && !anew) await vault.unlock(phrase);
    else await vault.create(phrase);
  }

  async function choose(next: SecretKind, phrase?: string, leave = false): Promise<StoreState> {
    if (next === 'keychain') {
      keychainProblem = await keychain.check();
      if (keychainProblem !== null) {
        changed();
        throw unavailable(keychainProblem);
      }
    }
    if (next === 'file') await openFile(phrase, leave);
    if (leave) {
      // One that stayed would ask for its lost passphrase whenever a file is chosen again.
      if (kind === 'file' && next !== 'file') await vault.setAside();
      kind = next;
      names = new Set();
      problem = null;
      await choice.save(next, []);
    } else await moveTo(next);
    return changed();
  }

  async function start(): Promise<void> {
    if (choice.damaged) logger.warn('what says where keys are kept could not be read; it is made anew');
    if (choice.kind === null) {
      const initialKind = vault.exists() || passphrase !== null ? 'file' : preferredKind;
      if (initialKind !== null) await choice.save(initialKind, []);
    }
    kind = choice.kind ?? 'memory';
    if (choice.kind === null) await check();
    else if (kind === 'file' && passphrase !== null) await openFile(passphrase, false);
    else if (kind === 'file') await vault.get('').then(null, (thrown: unknown) => note(problemOf(thrown)));
    if (kind !== 'file' && passphrase !== null) logger.warn({ kind }, 'a passphrase was given, and no file is in use');
  }

  return {
    get kind() {
      return kind;
    },
    state,
    onState(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: () =>
      inTurn(async () => {
        try {
          await start();
        } catch (err) {
          note(problemOf(err));
          logger.warn({ reason: problem?.reason }, 'keys cannot be read');
        }
        changed();
      }),
    choose: (next, phrase, leave) => inTurn(() => choose(next, phrase, leave)),
    unlock: (phrase) =>
      inTurn(async () => {
        if (!vault.exists()) throw new AppError('NOT_FOUND', 'There is no encrypted file of keys to unlock.');
        await vault.unlock(phrase);
        if (kind === 'file') note(null);
        return changed();
      }),
    changePassphrase: (from, to) =>
      inTurn(async () => {
        if (!vault.exists()) throw new AppError('NOT_FOUND', 'There is no encrypted file of keys.');
        await vault.changePassphrase(from, to);
        if (kind === 'file') note(null);
        return changed();
      }),
    check: () => inTurn(check),
    async get(name) {
      await last;
      return using((store) => store.get(name));
    },
    set: (name, value) =>
      inTurn(async () => {
        // Noted first: an entry that nobody knows of would be left behind by a move.
        if (!names.has(name)) {
          names.add(name);
          await save();
        }
        await using((store) => store.set(name, value));
        changed();
      }),
    delete: (name) =>
      inTurn(async () => {
        await using((store) => store.delete(name));
        if (names.delete(name)) await save();
        changed();
      }),
    async stop() {
      await keychain.stop();
      await last;
    },
  };
}
