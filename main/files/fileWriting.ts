/** Writes a file of a volume: first to a temporary part in the same folder, so that the file is complete or missing. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { AppError } from '#contract/core/errors.ts';
import type { VolumeFile } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import { systemCode } from '#contract/core/systemCode.ts';
import { toFile } from './listing.ts';
import { isMissing, type NamedSpot } from './resolveWithin.ts';
import { fileError, partName } from './pathRules.ts';
import { releaseBytes } from './releaseBytes.ts';

// Some systems lack this flag.
const optionalFlags: Partial<typeof constants> = constants;
const { O_NOFOLLOW = 0 } = optionalFlags;
const { O_WRONLY, O_CREAT, O_EXCL } = constants;

/** Renames `from` to `to`. Rejects with EEXIST where `to` exists. */
export async function moveTo(from: string, to: string, isFile: boolean): Promise<void> {
  if (!isFile) return rename(from, to);
  try {
    // A hard link fails where the target exists. A rename would silently replace it.
    await link(from, to);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST' || code === 'ENOENT' || code === 'ENOSPC') throw error;
    // The disk does not support hard links.
    if (await isThere(to)) throw fileError('EEXIST', 'It is there');
    return rename(from, to);
  }
  await unlink(from);
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );

/** Passes `body` on. Throws TOO_LARGE once it exceeds the limit of an upload. */
export async function* limitUpload(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const most = limits.volumeFiles.uploadBytes;
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > most)
      throw new AppError('TOO_LARGE', `The file is too large: at most ${most} bytes are taken at once.`);
    yield piece;
  }
}

/** So much of a file is gathered for one write. */
const GATHERED_BYTES = 1024 * 1024;

/**
 * Writes `parts`, which have `bytes` bytes, in one call of the system, unless that writes only some of them. Then frees their
 * memory.
 */
async function writeWhole(file: FileHandle, parts: readonly Uint8Array[], bytes: number): Promise<void> {
  if (bytes === 0) return;
  const { bytesWritten } = await file.writev(parts);
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(parts, bytes).subarray(bytesWritten));
  for (const part of parts) releaseBytes(part);
}

/** Writes `body` from the position of the file on. During each write, the bytes of the next one are gathered. */
async function writeAll(file: FileHandle, body: AsyncIterable<Uint8Array>): Promise<void> {
  let gathered: Uint8Array[] = [];
  let bytes = 0;
  let writing = Promise.resolve();
  try {
    for await (const piece of body) {
      gathered.push(piece);
      bytes += piece.length;
      if (bytes < GATHERED_BYTES) continue;
      await writing;
      writing = writeWhole(file, gathered, bytes);
      // Awaited before the next write, or below.
      writing.catch(() => undefined);
      gathered = [];
      bytes = 0;
    }
    await writing;
    await writeWhole(file, gathered, bytes);
  } finally {
    // The file stays open until nothing writes any more.
    await writing.catch(() => undefined);
  }
}

/** Writes files, and knows which parts it is writing. */
export interface FileWriter {
  /** Whether the part `name` is being written. Other parts are of a killed engine. */
  isWriting(name: string): boolean;
  /** Writes a file. `mode`: its permissions. Rejects with EEXIST where it exists and `mayReplace` is false. */
  write(spot: NamedSpot, mode: number, body: AsyncIterable<Uint8Array>, mayReplace: boolean): Promise<VolumeFile>;
}

export function createFileWriter(): FileWriter {
  const parts = new Set<string>();
  return {
    isWriting: (name) => parts.has(name),
    async write({ folder, name, path: target }, mode, body, mayReplace) {
      const part = partName(randomBytes(8).toString('hex'));
      const partPath = `${folder.path}/${part}`;
      parts.add(part);
      try {
        const handle = await open(partPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
        try {
          // The engine's own umask denies access to other users.
          await handle.chmod(mode);
          await writeAll(handle, limitUpload(body));
          await handle.sync();
        } finally {
          await handle.close();
        }
        if (mayReplace) await rename(partPath, target);
        else await moveTo(partPath, target, true);
        await folder.sync();
        return toFile(name, await lstat(target));
      } catch (error) {
        // The next listing of the folder removes a remaining part.
        await unlink(partPath).catch(() => undefined);
        throw error;
      } finally {
        parts.delete(part);
      }
    },
  };
}
