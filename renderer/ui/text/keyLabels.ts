/** Labels of the stores of keys. */
import type { SecretKind } from '#contract/app/secretKind.ts';
import { t } from '../../language/text.ts';

export const keyPlaces: Record<SecretKind, string> = {
  keychain: t`in the system's keychain`,
  file: t`in the encrypted file`,
  memory: t`in memory, until Hangar quits`,
};
