/** The person of this machine, as far as clients of the cloud know an account: an id, and the SSH keys that Pods are given. */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';

/** The one person of this machine. */
export const PERSON = 'local';

/** Kept as one value; null before anything was said. */
export interface AccountStore {
  load(): { pubKey: string } | null;
  save(account: { pubKey: string }): void;
}

export interface Account {
  /** SSH keys in the form of authorized_keys: lines, of which empty ones mean nothing. Pods find them as PUBLIC_KEY. */
  pubKey(): string;
  /** BAD_REQUEST where it is too long, or a private key. */
  setPubKey(pubKey: string): void;
}

export function createAccount(store: AccountStore): Account {
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
    },
  };
}
