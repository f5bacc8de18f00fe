/**
 * Encrypts secrets that the engine stores and reads again: storage credentials, environment variables, addresses of
 * webhooks.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** How many bytes longer the encrypted data is than its content. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES;
/** The size of the pieces in which files are encrypted and read, bytes. */
export const PIECE_BYTES = 256 * 1024;

export const piecePlace = (file: string, index: number): string => `${file}:${index}`;

export interface Sealing {
  seal(text: string): Uint8Array;
  /** Null when the text is encrypted with another key. */
  open(sealed: Uint8Array): string | null;
  /** Whether it is encrypted with the current key. */
  isCurrent(sealed: Uint8Array): boolean;
  /** `place` identifies the file and the piece, so that no other piece can replace it. */
  sealPiece(piece: Uint8Array, place: string): Uint8Array;
  /** Null when the piece is encrypted with another key, is damaged, or belongs to another place. */
  openPiece(sealed: Uint8Array, place: string): Uint8Array | null;
}

/** `key`: 32 bytes from the host. `older`: earlier keys, which can only decrypt. */
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
      // Decryption fails only for a wrong key or a wrong place. Null reports both.
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
