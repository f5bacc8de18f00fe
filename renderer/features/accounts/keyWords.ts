/** Where a key is kept, for a person. */
import type { SecretKind } from '#contract/app/secretKind.ts';

export const keptWords: Record<SecretKind, string> = {
  keychain: "in the system's keychain",
  file: 'in the encrypted file',
  memory: 'in memory: it is gone when Hangar ends',
};
