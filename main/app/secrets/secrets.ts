/** The secret stores: the store in use, its problem, and moves to another store. */
import { join } from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import type { SecretProblem, SecretsState } from '#contract/bridge/secrets.ts';
import type { SecretKind } from '#contract/app/secretKind.ts';
import type { Logger } from 'pino';
import { openChoice, setChoiceAside, type Choice } from './backendChoice.ts';
import type { Clock } from '../platform/clock.ts';
import type { Keychain } from './keychain.ts';
import { createMemoryStore } from './memory.ts';
import { problemOf, unavailable, type SecretStore } from './secretStore.ts';
import { createVaultFile, type VaultFile } from './vaultFile.ts';
import type { ScryptCost } from './vaultCipher.ts';

/** The store in use. */
export interface Secrets extends SecretStore {
  state(): StoreState;
  /** What was lost of the choice of the store, and what to do, for a person; null if nothing was. */
  readonly notice: string | null;
  /** The names of all entries in the store in use. */
  names(): string[];
  /** Calls the listener at each change of state. Returns a function that unsubscribes. */
  onState(listener: (state: StoreState) => void): () => void;
  /** Opens the store in use. Never rejects: the state contains the problem. */
  start(): Promise<void>;
  /**
   * Moves all entries to another store, and empties the old one after that. `leave`: the entries stay where they are,
   * for example in a file whose passphrase is lost; that file is set aside.
   */
  choose(kind: SecretKind, passphrase?: string, leave?: boolean): Promise<StoreState>;
  /** Rejects with FORBIDDEN if the passphrase is wrong. */
  unlock(passphrase: string): Promise<StoreState>;
  changePassphrase(from: string, to: string): Promise<StoreState>;
  /** Checks the keychain again. */
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
  clock: Pick<Clock, 'now'>;
  /** The scrypt cost of a new encrypted file. */
  cost?: ScryptCost;
}

/** The variable state. `names`: the entries in the store in use; secrets in memory end with their run. */
interface Current {
  kind: SecretKind;
  names: Set<string>;
  /** The problem of the store in use. */
  problem: SecretProblem | null;
  keychainProblem: SecretProblem | null;
}

interface Parts {
  current: Current;
  choice: Choice;
  vault: VaultFile;
  keychain: Keychain;
  stores: Record<SecretKind, SecretStore>;
  /** Notifies the listeners if the state has changed, and returns it. */
  changed(): StoreState;
  /** Sets or clears the problem of the store in use. */
  note(latest: SecretProblem | null): void;
}

function createStores(keychain: Keychain, vault: VaultFile, installation: string): Record<SecretKind, SecretStore> {
  // One keychain serves all data folders of a person.
  const own = (name: string): string => `${name}@${installation}`;
  return {
    keychain: {
      kind: 'keychain',
      get: (name) => keychain.get(own(name)),
      set: (name, value) => keychain.set(own(name), value),
      delete: (name) => keychain.delete(own(name)),
    },
    file: vault,
    memory: createMemoryStore(),
  };
}

/**
 * Runs operations one after the other, so that a move finds all entries. `settled` resolves after all operations so
 * far.
 */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    inTurn<T>(run: () => Promise<T>): Promise<T> {
      const done = last.then(run);
      last = done.catch(() => undefined);
      return done;
    },
    settled: () => last,
  };
}

/** Notifies listeners of each state that differs from the one before. */
function createReports(state: () => StoreState): Pick<Secrets, 'onState'> & Pick<Parts, 'changed'> {
  const listeners = new Set<(state: StoreState) => void>();
  let reported = '';
  return {
    changed() {
      const now = state();
      const text = JSON.stringify(now);
      if (text !== reported) for (const listener of listeners) listener(now);
      reported = text;
      return now;
    },
    onState(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Copies every entry and reads it back. Throws SECRETS_UNAVAILABLE if one differs; the old store then still has all
 * entries.
 */
async function copyEntries(names: Iterable<string>, from: SecretStore, to: SecretStore): Promise<void> {
  for (const name of names) {
    const value = await from.get(name);
    if (value === null) continue;
    await to.set(name, value);
    if ((await to.get(name)) !== value) {
      throw unavailable({
        trouble: 'failed',
        reason: 'The new place did not return a key unchanged. Nothing was moved.',
      });
    }
  }
}

/** Changes the store: entries move, or stay in the abandoned store. */
function createMoves({ current, choice, vault, keychain, stores, changed }: Parts) {
  /** Empties the old store after the new one has every entry. */
  async function moveTo(next: SecretKind): Promise<void> {
    const { kind: left, names } = current;
    const [from, to] = [stores[left], stores[next]];
    if (from !== to) await copyEntries(names, from, to);
    current.kind = next;
    current.problem = null;
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

  /** `anew`: replaces an existing file, for example one whose passphrase is lost. */
  async function openFile(phrase: string | undefined, anew: boolean): Promise<void> {
    if (vault.isOpen()) return;
    if (phrase === undefined) throw new AppError('BAD_REQUEST', 'The encrypted file needs a passphrase.');
    if (vault.exists() && !anew) await vault.unlock(phrase);
    else await vault.create(phrase);
  }

  async function choose(next: SecretKind, phrase?: string, leave = false): Promise<StoreState> {
    if (next === 'keychain') {
      current.keychainProblem = await keychain.check();
      if (current.keychainProblem !== null) {
        changed();
        throw unavailable(current.keychainProblem);
      }
    }
    if (next === 'file') await openFile(phrase, leave);
    if (leave) {
      // A file that stays would require its lost passphrase at the next choice of a file.
      if (current.kind === 'file' && next !== 'file') await vault.setAside();
      Object.assign(current, { kind: next, names: new Set(), problem: null });
      await choice.save(next, []);
    } else await moveTo(next);
    return changed();
  }

  return { moveTo, openFile, choose };
}

/** Opens the store at a start: the chosen one, else the default of the host, else the keychain if there is one. */
async function openAtStart(
  { current, choice, vault, note }: Parts,
  { initial: { kind: preferredKind, passphrase }, logger }: SecretsOptions,
  openFile: (phrase: string, anew: boolean) => Promise<void>,
  check: () => Promise<unknown>,
): Promise<void> {
  if (choice.kind === null) {
    const initialKind = vault.exists() || passphrase !== null ? 'file' : preferredKind;
    if (initialKind !== null) await choice.save(initialKind, []);
  }
  current.kind = choice.kind ?? 'memory';
  if (choice.kind === null) await check();
  else if (current.kind === 'file' && passphrase !== null) await openFile(passphrase, false);
  else if (current.kind === 'file') await vault.get('').then(null, (thrown: unknown) => note(problemOf(thrown)));
  if (current.kind !== 'file' && passphrase !== null) {
    logger.warn({ kind: current.kind }, 'a passphrase was given, and no file is in use');
  }
}

/** Adds the names of an open file, which has all of them, also those that a damaged choice has lost. */
async function addNamesOfFile({ current, vault }: Parts, save: () => Promise<void>): Promise<void> {
  if (current.kind !== 'file') return;
  const known = current.names.size;
  for (const name of vault.names()) current.names.add(name);
  if (current.names.size > known) await save();
}

/** The choice of the store, the stores, and the state at the start. Sets a damaged choice aside. */
function openPlaces({ dataDir, keychain, clock, cost }: SecretsOptions) {
  const filePath = join(dataDir, 'secrets.vault');
  const choicePath = join(dataDir, 'secrets.json');
  const choice = openChoice(choicePath);
  const notice = choice.damage === null ? null : setChoiceAside(choicePath, choice.damage, clock.now());
  const vault = createVaultFile(filePath, cost);
  const stores = createStores(keychain, vault, choice.id);
  const kind = choice.kind ?? 'memory';
  const names = new Set(kind === 'memory' ? [] : choice.names);
  const current: Current = { kind, names, problem: null, keychainProblem: null };
  return { filePath, choice, notice, vault, stores, current };
}

export function createSecrets(options: SecretsOptions): Secrets {
  const { keychain, logger } = options;
  const { filePath, choice, notice, vault, stores, current } = openPlaces(options);
  const { inTurn, settled } = createTurns();

  const state = (): StoreState => ({
    kind: current.kind,
    chosen: choice.kind !== null,
    problem: current.problem,
    keychainProblem: current.keychainProblem,
    filePath,
    fileExists: vault.exists(),
    entries: current.names.size,
  });

  const { changed, onState } = createReports(state);
  const parts: Parts = { current, choice, vault, keychain, stores, changed, note };
  const { moveTo, openFile, choose } = createMoves(parts);

  function note(latest: SecretProblem | null): void {
    current.problem = latest;
    if (current.kind === 'keychain') current.keychainProblem = latest;
    changed();
  }

  /** Runs an operation on the store in use, and records its problem in the state. */
  async function using<T>(run: (store: SecretStore) => Promise<T>): Promise<T> {
    const usedKind = current.kind;
    try {
      const result = await run(stores[usedKind]);
      if (usedKind === current.kind && current.problem !== null) note(null);
      return result;
    } catch (thrown) {
      if (usedKind === current.kind) note(problemOf(thrown));
      throw thrown;
    }
  }

  async function check(): Promise<StoreState> {
    current.keychainProblem = await keychain.check();
    if (current.kind === 'keychain') current.problem = current.keychainProblem;
    // Nothing was chosen, and there is a keychain now.
    if (choice.kind === null && current.keychainProblem === null) await moveTo('keychain');
    return changed();
  }
  keychain.onLateAnswer(() => void inTurn(check).catch((err: unknown) => logger.warn({ err }, 'the keychain')));

  const save = (): Promise<void> => choice.save(choice.kind, [...current.names]);

  /** Changes the encrypted file while nothing else uses the stores. */
  const changeFile = (missing: string, run: () => Promise<void>): Promise<StoreState> =>
    inTurn(async () => {
      if (!vault.exists()) throw new AppError('NOT_FOUND', missing);
      await run();
      await addNamesOfFile(parts, save);
      if (current.kind === 'file') note(null);
      return changed();
    });

  return {
    get kind() {
      return current.kind;
    },
    state,
    notice,
    names: () => [...current.names],
    onState,
    start: () =>
      inTurn(async () => {
        try {
          await openAtStart(parts, options, openFile, check);
          await addNamesOfFile(parts, save);
        } catch (err) {
          note(problemOf(err));
          logger.warn({ reason: current.problem?.reason }, 'keys cannot be read');
        }
        changed();
      }),
    choose: (next, phrase, leave) => inTurn(() => choose(next, phrase, leave)),
    unlock: (phrase) => changeFile('There is no encrypted file of keys to unlock.', () => vault.unlock(phrase)),
    changePassphrase: (from, to) =>
      changeFile('There is no encrypted file of keys.', () => vault.changePassphrase(from, to)),
    check: () => inTurn(check),
    async get(name) {
      await settled();
      return using((store) => store.get(name));
    },
    set: (name, value) =>
      inTurn(async () => {
        // The name is saved first: otherwise a move would leave an entry without a name behind.
        if (!current.names.has(name)) {
          current.names.add(name);
          await save();
        }
        await using((store) => store.set(name, value));
        changed();
      }),
    delete: (name) =>
      inTurn(async () => {
        await using((store) => store.delete(name));
        if (current.names.delete(name)) await save();
        changed();
      }),
    async stop() {
      await keychain.stop();
      await settled();
    },
  };
}
