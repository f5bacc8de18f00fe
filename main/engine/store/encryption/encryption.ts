/** Encrypts what must be used again and must not lie on disk in plain text: storage credentials, variables, addresses of webhooks. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** How much longer sealed bytes are than what they hold. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES;
/** Files are sealed, and read, this much at a time. */
export const PIECE_BYTES = 256 * 1024;

export const piecePlace = (file: string, index: number): string => `${file}:${index}`;

export interface Sealing {
  seal(text: string): Uint8Array;
  /** Null when it was sealed with another key. */
  open(sealed: Uint8Array): string | null;
  /** Whether it was sealed with the key that is sealed with now. */
  isCurrent(sealed: Uint8Array): boolean;
  /** `place` says which piece of which file this is, so that no other can stand in for it. */
  sealPiece(piece: Uint8Array, place: string): Uint8Array;
  /** Null when it was sealed with another key, is damaged, or belongs elsewhere. */
  openPiece(sealed: Uint8Array, place: string): Uint8Array | null;
}

/** `key`: 32 bytes, handed over by the host at start. `older`: what was sealed with these can be opened, too. */
export function createSealing(key: Uint8Array, older: readonly Uint8Array[] = []): Sealing {
  function seal(bytes: Uint8Array, place: string): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(place));
    const sealed = [cipher.update(bytes), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
  }

  function open(sealed: Uint8Array, place: string): Buffer | null {
    for (const one of [key, ...older]) {
      const opened = openWith(one, sealed, place);
      if (opened !== null) return opened;
    }
    return null;
  }

  function openWith(one: Uint8Array, sealed: Uint8Array, place: string): Buffer | null {
    const decipher = createDecipheriv(ALGORITHM, one, sealed.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(place));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, SEAL_BYTES));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(SEAL_BYTES)), decipher.final()]);
    } catch {
      // The only way this fails is a key or a place that does not fit, which is an answer here.
      return null;
    }
  }

  return {
    seal: (text) => seal(Buffer.from(text), ''),
    open: (sealed) => open(sealed, '')?.toString('utf8') ?? null,
    isCurrent: (sealed) => openWith(key, sealed, '') !== null,
    sealPiece: seal,
    openPiece: open,
  };
}
