/** Copies one file so that a copy that was cut off goes on: equal parts of the target are not written again. */
import { open, rename, type FileHandle } from 'node:fs/promises';
import type { Stats } from 'node:fs';

const PIECE_BYTES = 4 * 1024 * 1024;
/** The end of the name of an incomplete copy. */
export const PARTIAL = '.hangar-part';

async function fill(file: FileHandle, buffer: Buffer, at: number): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, at + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let length = 0; length < bytes.length;) {
    length += (await file.write(bytes, length, bytes.length - length, at + length)).bytesWritten;
  }
}

/**
 * Makes `target` the same file as `source`, with its permissions and its time of change, and writes it to the disk
 * before it gets its name. `onBytes` is called after each piece. Rejects with errors of the system, and with the reason
 * of `signal`; the incomplete copy then stays for the next try.
 */
export async function copyFileFurther(
  source: string,
  target: string,
  facts: Stats,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const part = `${target}${PARTIAL}`;
  const from = await open(source, 'r');
  try {
    // `a+` cannot write at a place, and `r+` needs the file.
    const to = await open(part, 'r+').catch(() => open(part, 'wx+', 0o600));
    try {
      let size = (await to.stat()).size;
      // Most files are small, and there may be millions.
      const pieceBytes = Math.min(PIECE_BYTES, facts.size + 1);
      const wanted = Buffer.allocUnsafe(pieceBytes);
      const present = Buffer.allocUnsafe(size === 0 ? 0 : pieceBytes);
      let at = 0;
      for (;;) {
        signal.throwIfAborted();
        const length = await fill(from, wanted, at);
        if (length === 0) break;
        const piece = wanted.subarray(0, length);
        const mayBeThere = at + length <= size && length <= present.length;
        const isThere = mayBeThere && (await fill(to, present.subarray(0, length), at)) === length;
        if (!isThere || !present.subarray(0, length).equals(piece)) {
          await writeAll(to, piece, at);
          size = Math.max(size, at + length);
        }
        at += length;
        onBytes(length);
      }
      await to.truncate(at);
      await to.chmod(facts.mode & 0o7777);
      await to.utimes(facts.atimeMs / 1000, facts.mtimeMs / 1000);
      await to.sync();
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
  await rename(part, target);
}
