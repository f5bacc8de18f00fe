/** What the beginning of a file in a Pod is, told by its SHA-256: worked out there where the Pod can, and here where it cannot. */
import { createHash } from 'node:crypto';
import { limits } from '#contract/core/limits.ts';
import type { Sftp } from './sftp.ts';

const DIGEST = /^([0-9a-f]{64})\b/;

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;

/** Of the first `bytes` of it; the digest of fewer where it ends before them. Rejects as `sftp` does. */
export async function partDigest(sftp: Sftp, path: string, bytes: number, signal: AbortSignal): Promise<string> {
  const output = await sftp.run(`head -c ${bytes} ${quoted(path)} | sha256sum`, signal);
  signal.throwIfAborted();
  const [, digest] = DIGEST.exec(output) ?? [];
  if (digest !== undefined) return digest;
  const hash = createHash('sha256');
  const handle = await sftp.open(path, 'r');
  try {
    for (let from = 0; from < bytes;) {
      signal.throwIfAborted();
      const piece = await sftp.read(handle, from, Math.min(limits.page.pieceBytes, bytes - from));
      if (piece.length === 0) break;
      hash.update(piece);
      from += piece.length;
    }
  } finally {
    await sftp.close(handle).catch(() => undefined);
  }
  return hash.digest('hex');
}
