/** The person of this machine in the form of a cloud account: an id, and the SSH keys for Pods. */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Cancel } from '../core/ports.ts';

/** The id of the only account. */
export const PERSON = 'local';

/** Stored as one value; null before the first change. */
export interface AccountStore {
  load(): { pubKey: string } | null;
  save(account: { pubKey: string }): void;
}

export interface Account {
  /** SSH keys in the format of authorized_keys; empty lines are ignored. Pods get them as PUBLIC_KEY. */
  pubKey(): string;
  /** Throws BAD_REQUEST where the text is too long, or contains a private key. */
  setPubKey(pubKey: string): void;
  /** Called after each change of the keys. */
  onChange(listener: () => void): Cancel;
}

export function createAccount(store: AccountStore): Account {
  const listeners = new Set<() => void>();
  let pubKey = store.load()?.pubKey ?? '';
  return {
    pubKey: () => pubKey,
    setPubKey(input) {
      const { pubKeyLength } = limits.account;
      if (input.length > pubKeyLength) {
        throw new AppError(
          'BAD_REQUEST',
          `pubKey may have ${pubKeyLength} characters; this one has ${input.length}. Leave keys out that are not used.`,
        );
      }
      if (input.includes('PRIVATE KEY-----')) {
        throw new AppError(
          'BAD_REQUEST',
          'pubKey holds a private key. Send the public one: the line of the file that ends in .pub.',
        );
      }
      store.save({ pubKey: input });
      pubKey = input;
      for (const listener of [...listeners]) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
