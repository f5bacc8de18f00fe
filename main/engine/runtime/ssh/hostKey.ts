/** The host key of the SSH server: made once, in the file `ssh-host-key` of the data folder, for its owner only. */
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { utils } from 'ssh2';
import { isMissingFile } from '#contract/core/systemCode.ts';
import { fingerprintOf } from './authorizedKeys.ts';

export interface HostKey {
  /** The private key, in the format of OpenSSH. */
  secret: string;
  /** Of the public key, as OpenSSH prints it. */
  fingerprint: string;
}

/**
 * A new private key, in the format of OpenSSH. ssh2 leaves out zero bytes at the start of a public key, and nothing
 * reads such a key, one of 256, again: its lib/keygen.js. Another one is drawn then.
 */
export function newKey({ generateKeyPairSync, parseKey }: typeof utils): string {
  for (;;) {
    const key = generateKeyPairSync('ed25519', { comment: 'Hangar' }).private;
    if (!(parseKey(key) instanceof Error)) return key;
  }
}

async function readOrMake(file: string, make: () => string): Promise<string> {
  try {
    const text = await readFile(file, 'utf8');
    await chmod(file, 0o600);
    return text;
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
  const text = make();
  await writeFile(`${file}.part`, text, { mode: 0o600 });
  await rename(`${file}.part`, file);
  return text;
}

/** Rejects if the file cannot be read or written, or holds no key. */
export async function hostKey(dataDir: string): Promise<HostKey> {
  const { utils } = (await import('ssh2')).default;
  const file = join(dataDir, 'ssh-host-key');
  const secret = await readOrMake(file, () => newKey(utils));
  const key = utils.parseKey(secret);
  if (key instanceof Error) throw new Error(`${file} holds no private key (${key.message}): delete it`);
  return { secret, fingerprint: fingerprintOf(key.getPublicSSH()) };
}
