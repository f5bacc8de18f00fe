/**
 * The format of the encrypted file of keys: scrypt derives a key from the passphrase, and AES-256-GCM encrypts the
 * entries.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto';
import * as z from 'zod';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const SALT_BYTES = 32;

/**
 * `N` is the cost, a power of two: memory is 128 · N · r bytes. It is limited, so that a file cannot request all
 * memory.
 */
const costSchema = z.object({
  N: z
    .int()
    .min(1024)
    .max(1 << 20),
  r: z.int().min(1).max(32),
  p: z.int().min(1).max(16),
});
export type ScryptCost = z.infer<typeof costSchema>;

/** The cost of one guess of the passphrase: 128 MB and some tenths of a second. */
export const usualCost: ScryptCost = { N: 1 << 17, r: 8, p: 1 };

const sealedSchema = z.object({
  version: z.literal(1),
  kdf: z.object({ name: z.literal('scrypt'), salt: z.base64(), ...costSchema.shape }),
  cipher: z.literal(ALGORITHM),
  nonce: z.base64(),
  tag: z.base64(),
  sealed: z.base64(),
  /** SHA-256 over all fields above. It separates a damaged file from a wrong passphrase. */
  digest: z.string(),
});
type SealedFile = z.infer<typeof sealedSchema>;
const entriesSchema = z.record(z.string(), z.string());

/** The derived key of one passphrase and salt; it stays in memory while the file is open. */
export interface VaultKey {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly bytes: Buffer;
}

export class WrongPassphrase extends Error {
  override readonly name = 'WrongPassphrase';
}
/** The file is damaged; a passphrase does not help. */
export class DamagedVault extends Error {
  override readonly name = 'DamagedVault';
}

function derive(passphrase: string, salt: Buffer, { N, r, p }: ScryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same characters can have several encodings.
    const text = passphrase.normalize('NFKC');
    scrypt(text, salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, bytes) =>
      error ? reject(error) : resolve(bytes),
    );
  });
}

export async function newVaultKey(passphrase: string, cost: ScryptCost): Promise<VaultKey> {
  const salt = randomBytes(SALT_BYTES);
  return { cost, salt, bytes: await derive(passphrase, salt, cost) };
}

/** The additional authenticated data: a change of these parameters makes the decryption fail. */
const headOf = ({ version, kdf, cipher }: Pick<SealedFile, 'version' | 'kdf' | 'cipher'>): string =>
  JSON.stringify([version, kdf.name, kdf.salt, kdf.N, kdf.r, kdf.p, cipher]);

const digestOf = (file: Omit<SealedFile, 'digest'>): string =>
  createHash('sha256')
    .update(JSON.stringify([headOf(file), file.nonce, file.tag, file.sealed]))
    .digest('hex');

export function sealVault(key: VaultKey, entries: ReadonlyMap<string, string>): string {
  const head = {
    version: 1 as const,
    kdf: { name: 'scrypt' as const, ...key.cost, salt: key.salt.toString('base64') },
    cipher: ALGORITHM,
  } as const;
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key.bytes, nonce).setAAD(Buffer.from(headOf(head)));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(Object.fromEntries(entries))), cipher.final()]);
  const file = {
    ...head,
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    sealed: sealed.toString('base64'),
  };
  return `${JSON.stringify({ ...file, digest: digestOf(file) }, null, 2)}\n`;
}

function readSealed(text: string): SealedFile {
  try {
    const file = sealedSchema.parse(JSON.parse(text));
    if (digestOf(file) === file.digest) return file;
  } catch (cause) {
    throw new DamagedVault('The file is not one of ours, or was cut off.', { cause });
  }
  throw new DamagedVault('The file was changed after it was written.');
}

/** Rejects with WrongPassphrase or DamagedVault. */
export async function openVault(
  text: string,
  passphrase: string,
): Promise<{ key: VaultKey; entries: Map<string, string> }> {
  const file = readSealed(text);
  const { N, r, p } = file.kdf;
  const salt = Buffer.from(file.kdf.salt, 'base64');
  const key = { cost: { N, r, p }, salt, bytes: await derive(passphrase, salt, { N, r, p }) };
  const decipher = createDecipheriv(ALGORITHM, key.bytes, Buffer.from(file.nonce, 'base64'), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(headOf(file))).setAuthTag(Buffer.from(file.tag, 'base64'));
  let opened: string;
  try {
    opened = Buffer.concat([decipher.update(Buffer.from(file.sealed, 'base64')), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new WrongPassphrase('The passphrase does not open the file.', { cause });
  }
  return { key, entries: new Map(Object.entries(entriesSchema.parse(JSON.parse(opened)))) };
}
