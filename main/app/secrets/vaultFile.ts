/**
 * Secrets in one file of the data folder, encrypted with a passphrase. The file is locked until the passphrase is
 * entered, once in each run.
 */
import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { AppError } from '#contract/core/errors.ts';
import type { SecretProblem } from '#contract/bridge/secrets.ts';
import { removeAtomicFile, writeAtomicFile } from '../platform/atomicFile.ts';
import { unavailable, type SecretStore } from './secretStore.ts';
import { DamagedVault, newVaultKey, openVault, sealVault, usualCost, WrongPassphrase } from './vaultCipher.ts';
import type { ScryptCost, VaultKey } from './vaultCipher.ts';

export interface VaultFile extends SecretStore {
  exists(): boolean;
  isOpen(): boolean;
  /** The names of its entries; empty while it is locked. */
  names(): string[];
  /** Creates an empty file and opens it. An existing file is set aside under another name. */
  create(passphrase: string): Promise<void>;
  /** Rejects with FORBIDDEN if the passphrase is wrong, with SECRETS_UNAVAILABLE if the file cannot be read. */
  unlock(passphrase: string): Promise<void>;
  /** Rejects as `unlock` does. */
  changePassphrase(from: string, to: string): Promise<void>;
  /** Renames the file and closes it. */
  setAside(): Promise<void>;
  /** Removes the file. */
  remove(): Promise<void>;
}

const lockedVault: SecretProblem = {
  trouble: 'locked',
  reason: 'The encrypted file of keys is locked. Unlock it with its passphrase in the settings.',
};

const damagedVault = (path: string, detail: string): SecretProblem => ({
  trouble: 'damaged',
  reason: `The encrypted file of keys is damaged: ${detail} Replace ${path} with a copy from a backup, or choose a new place for keys and enter them again.`,
});

const wrongPassphrase = (cause: unknown): AppError =>
  new AppError('FORBIDDEN', 'This is not the passphrase of the encrypted file. Nothing was changed; try again.', {
    cause,
  });

const failed = (action: string, cause: unknown): AppError => {
  const message = cause instanceof Error ? cause.message : String(cause);
  return unavailable(
    { trouble: 'failed', reason: `The encrypted file of keys could not be ${action}: ${message}.` },
    cause,
  );
};

export function createVaultFile(path: string, cost: ScryptCost = usualCost): VaultFile {
  let open: { key: VaultKey; entries: ReadonlyMap<string, string> } | null = null;
  /** Changes of the file run one after the other. */
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const done = last.then(run);
    last = done.catch(() => undefined);
    return done;
  }

  function opened(): { key: VaultKey; entries: ReadonlyMap<string, string> } {
    if (open === null) throw unavailable(lockedVault);
    return open;
  }

  /** Writes the file first, then replaces the entries in memory. */
  async function write(key: VaultKey, entries: ReadonlyMap<string, string>): Promise<void> {
    try {
      await writeAtomicFile(path, sealVault(key, entries));
    } catch (cause) {
      throw failed('written', cause);
    }
    open = { key, entries };
  }

  async function read(passphrase: string): Promise<NonNullable<typeof open>> {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (cause) {
      throw failed('read', cause);
    }
    try {
      return await openVault(text, passphrase);
    } catch (cause) {
      if (cause instanceof WrongPassphrase) throw wrongPassphrase(cause);
      if (cause instanceof DamagedVault) throw unavailable(damagedVault(path, cause.message), cause);
      throw failed('read', cause);
    }
  }

  const change = (edit: (entries: Map<string, string>) => void): Promise<void> =>
    inTurn(async () => {
      const { key, entries } = opened();
      const next = new Map(entries);
      edit(next);
      await write(key, next);
    });

  async function moveAside(): Promise<void> {
    if (existsSync(path)) await rename(path, `${path}.old`);
  }

  return {
    kind: 'file',
    exists: () => existsSync(path),
    isOpen: () => open !== null,
    names: () => [...(open?.entries.keys() ?? [])],
    create: (passphrase) =>
      inTurn(async () => {
        await moveAside();
        await write(await newVaultKey(passphrase, cost), new Map());
      }),
    unlock: (passphrase) =>
      inTurn(async () => {
        open = await read(passphrase);
      }),
    changePassphrase: (from, to) =>
      inTurn(async () => {
        const { entries } = await read(from);
        await write(await newVaultKey(to, cost), entries);
      }),
    setAside: () =>
      inTurn(async () => {
        open = null;
        await moveAside();
      }),
    remove: () =>
      inTurn(async () => {
        open = null;
        await removeAtomicFile(path);
      }),
    get: async (name) => opened().entries.get(name) ?? null,
    set: (name, value) => change((entries) => entries.set(name, value)),
    delete: (name) => change((entries) => entries.delete(name)),
  };
}
