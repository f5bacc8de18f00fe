/** SHA-256 of the first part of a file in a Pod. The Pod computes it if it can; otherwise the app reads the part. */
import { createHash } from 'node:crypto';
import { limits } from '#contract/core/limits.ts';
import type { Sftp } from './sftp.ts';

const DIGEST = /^([0-9a-f]{64})\b/;

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;

/** Digest of the first `bytes` bytes, or of the whole file if it is shorter. Rejects as `sftp` does. */
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
