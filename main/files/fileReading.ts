/** Opens a file of a volume for reading. */
import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { AppError } from '#contract/core/errors.ts';
import type { OpenedFile } from './ports.ts';

// Some systems lack these flags.
const optionalFlags: Partial<typeof constants> = constants;
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = optionalFlags;
const PIECE_BYTES = 256 * 1024;

/**
 * Opens a file. The caller closes it.
 *
 * @param path The path in the volume, for messages.
 * @param openPath The path to open.
 * @throws {AppError} BAD_REQUEST for anything but a file.
 */
export async function openFile(path: string, openPath: string, facts: Stats): Promise<OpenedFile> {
  const notOne = new AppError('BAD_REQUEST', `${JSON.stringify(path)} is no file that could be read.`);
  if (!facts.isFile()) throw notOne;
  const handle = await open(openPath, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const close = (): Promise<void> => handle.close();
  try {
    const now = await handle.stat();
    // Another kind of entry has replaced the file.
    if (!now.isFile()) throw notOne;
    return {
      sizeBytes: now.size,
      modifiedAt: now.mtimeMs,
      async *read(start, end) {
        for (let from = start; from < end;) {
          const length = Math.min(PIECE_BYTES, end - from);
          const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, from);
          if (bytesRead === 0) throw new Error('The file became shorter while it was read.');
          from += bytesRead;
          yield buffer.subarray(0, bytesRead);
        }
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
