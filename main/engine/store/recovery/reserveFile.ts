/** A file that occupies disk space, which is freed when the disk is full. */
import { randomFillSync } from 'node:crypto';
import { statSync, unlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { isMissingFile } from '#contract/core/systemCode.ts';
import type { Logger } from '../../domain/core/ports.ts';

/** The size of one write, bytes. */
const PART_BYTES = 1024 * 1024;

export interface ReserveFile {
  /** The current size, bytes; 0 without a file. */
  readonly bytes: number;
  /** The size when the file was last complete, bytes; 0 where it never was. */
  readonly fullBytes: number;
  /** Writes the file with `bytes` bytes. On failure it removes the file and logs the reason; it never rejects. */
  fill(bytes: number): Promise<void>;
  /** Removes the file, even during a write. Returns whether there was one. */
  drop(): boolean;
  /** Stops a running write. A complete file stays. */
  stop(): Promise<void>;
}

export function createReserveFile(path: string, logger: Logger): ReserveFile {
  let bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let fullBytes = bytes;
  let filling: Promise<void> | null = null;
  let isCancelled = false;

  /** Returns whether the file was written completely. */
  async function write(size: number): Promise<boolean> {
    // Random bytes: some file systems store zeros without using disk space.
    const part = randomFillSync(Buffer.allocUnsafe(PART_BYTES));
    const handle = await open(path, 'w', 0o600);
    try {
      for (let at = 0; at < size; at += PART_BYTES) {
        if (isCancelled) return false;
        await handle.write(part, 0, PART_BYTES, at);
      }
      return !isCancelled;
    } finally {
      await handle.close();
    }
  }

  async function make(size: number): Promise<void> {
    isCancelled = false;
    try {
      if (await write(size)) {
        bytes = fullBytes = size;
        return;
      }
    } catch (error) {
      logger.warn({ err: error }, 'the disk reserve could not be written');
    }
    remove();
  }

  function remove(): boolean {
    bytes = 0;
    try {
      unlinkSync(path);
      return true;
    } catch (error) {
      if (!isMissingFile(error)) logger.warn({ err: error }, 'the disk reserve could not be removed');
      return false;
    }
  }

  return {
    get bytes() {
      return bytes;
    },
    get fullBytes() {
      return fullBytes;
    },
    fill(size) {
      filling ??= make(size).finally(() => {
        filling = null;
      });
      return filling;
    },
    drop() {
      isCancelled = true;
      return remove();
    },
    async stop() {
      isCancelled = true;
      await filling;
    },
  };
}
