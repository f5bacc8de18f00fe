/** The options for keys in the environment: the store to use, and the passphrase of the encrypted file. */
import { readFileSync } from 'node:fs';
import { secretKindSchema, secretKinds, type SecretKind } from '#contract/app/secretKind.ts';

export interface KeyOptions {
  kind: SecretKind | null;
  passphrase: string | null;
}

/** The message is one line for a person. */
export class KeyOptionsError extends Error {
  override readonly name = 'KeyOptionsError';
}

const KIND = 'HANGAR_KEYS';
const PASSPHRASE = 'HANGAR_PASSPHRASE';
/** Any file that can be read once: a secret file of the system, a named pipe, or /dev/fd/3. */
const PASSPHRASE_FILE = 'HANGAR_PASSPHRASE_FILE';

function passphraseOf(env: NodeJS.ProcessEnv): string | null {
  const path = env[PASSPHRASE_FILE];
  if (!path) return env[PASSPHRASE] || null;
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '') || null;
  } catch (cause) {
    throw new KeyOptionsError(`${path}, which ${PASSPHRASE_FILE} names, cannot be read.`, { cause });
  }
}

/** Removes the options from the environment: no child process inherits the passphrase. Throws KeyOptionsError. */
export function takeKeyOptions(env: NodeJS.ProcessEnv): KeyOptions {
  const passphrase = passphraseOf(env);
  delete env['HANGAR_PASSPHRASE'];
  const named = env[KIND];
  const kind = secretKindSchema.optional().safeParse(named || undefined);
  if (!kind.success) throw new KeyOptionsError(`${KIND} must be one of ${secretKinds.join(', ')}, not "${named}".`);
  if (kind.data === 'file' && passphrase === null) {
    throw new KeyOptionsError(`${KIND}=file needs a passphrase: give it by ${PASSPHRASE_FILE} or ${PASSPHRASE}.`);
  }
  return { kind: kind.data ?? null, passphrase };
}
