/** Encrypts what must be used again and must not lie on disk in plain text: bodies with storage credentials. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealing {
  seal(text: string): Uint8Array;
  /** Null when it was sealed with another key. */
  open(sealed: Uint8Array): string | null;
}

/** `key`: 32 bytes, handed over by the host at start. */
export function createSealing(key: Uint8Array): Sealing {
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed) {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        // The only way this fails is a key that does not fit, which is an answer here.
        return null;
      }
    },
  };
}
