/**
 * Files for texts that are too large for a row. The body thread writes them and readers stream them. A file without a
 * reference is removed.
 */
import { randomBytes } from 'node:crypto';
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import type { Logger } from '../../domain/core/ports.ts';
import type { StoredText } from '../../domain/jobs/payload/payloadRef.ts';
import { PIECE_BYTES, piecePlace, SEAL_BYTES, type Sealing } from '../encryption/encryption.ts';

export interface TextFiles {
  /** Returns a name that no file has. `sweep` keeps the file until `remove` is called. */
  newName(): string;
  pathOf(file: string): string;
  /** Adds a reference of a row to this file. A new file has one reference, that of its maker. */
  addReference(file: string): void;
  /** Removes one reference; the file is deleted with the last one. */
  remove(file: string): void;
  /** Throws what `read` would throw, before an answer to a reader begins. */
  probe(text: StoredText): Promise<void>;
  /**
   * Yields the bytes of the text. Throws INTERNAL or FORBIDDEN with a sentence for a person when the file is missing,
   * damaged, or sealed with a lost key. `over`: memory that every piece reuses.
   */
  read(text: StoredText, over?: Uint8Array): AsyncIterable<Uint8Array>;
  /** Removes files without a reference, which a killed engine leaves behind. Resolves when all are removed. */
  sweep(): Promise<void>;
  /** Resolves once every requested removal is done. */
  settled(): Promise<void>;
}

const unreadable = (reason: string): AppError =>
  new AppError('INTERNAL', `This job's data can no longer be read: its file ${reason}. Submit the job again.`);

const keyGone = (): AppError =>
  new AppError(
    'FORBIDDEN',
    'The request of this job was kept encrypted for an earlier run of Hangar, and that key is gone. Submit the job again.',
  );

/** Bytes of the file that holds the text. */
const diskBytes = ({ bytes, sealed }: StoredText): number =>
  sealed ? bytes + Math.ceil(bytes / PIECE_BYTES) * SEAL_BYTES : bytes;

/** Fills `bytes` from `position` on. @throws {AppError} When the file is too short. */
async function fill(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, position + filled);
    if (bytesRead === 0) throw unreadable('is damaged');
    filled += bytesRead;
  }
}

export function createTextFiles(folder: string, sealing: Sealing, logger: Logger): TextFiles {
  /** The number of references to each file. */
  const references = new Map<string, number>();
  const removals = new Set<Promise<void>>();
  const pathOf = (file: string): string => join(folder, file);

  async function opened(text: StoredText): Promise<FileHandle> {
    let handle: FileHandle;
    try {
      handle = await open(pathOf(text.file), 'r');
    } catch (cause) {
      logger.error({ err: cause, file: text.file }, "a job's data cannot be opened");
      throw unreadable(
        cause instanceof Error && 'code' in cause && cause.code === 'ENOENT' ? 'is missing' : 'cannot be opened',
      );
    }
    const { size } = await handle.stat();
    if (size === diskBytes(text)) return handle;
    await handle.close();
    logger.error({ file: text.file, size, expected: diskBytes(text) }, "a job's data is damaged");
    throw unreadable('is damaged');
  }

  async function sealedPiece(handle: FileHandle, text: StoredText, index: number): Promise<Uint8Array> {
    const length = Math.min(PIECE_BYTES, text.bytes - index * PIECE_BYTES);
    const sealed = Buffer.allocUnsafeSlow(length + SEAL_BYTES);
    await fill(handle, sealed, index * (PIECE_BYTES + SEAL_BYTES));
    const piece = sealing.openPiece(sealed, piecePlace(text.file, index));
    if (piece === null) throw index === 0 ? keyGone() : unreadable('is damaged');
    return piece;
  }

  async function* read(text: StoredText, over?: Uint8Array): AsyncGenerator<Uint8Array> {
    const { start, end } = text.part;
    const handle = await opened(text);
    try {
      for (let at = start; at < end;) {
        if (text.sealed) {
          const index = Math.floor(at / PIECE_BYTES);
          const piece = await sealedPiece(handle, text, index);
          const from = index * PIECE_BYTES;
          yield piece.subarray(at - from, end - from);
          at = from + piece.length;
        } else {
          const piece = (over ?? Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, end - at))).subarray(0, end - at);
          await fill(handle, piece, at);
          yield piece;
          at += piece.length;
        }
      }
    } finally {
      await handle.close();
    }
  }

  function remove(file: string): void {
    const others = (references.get(file) ?? 1) - 1;
    if (others > 0) {
      references.set(file, others);
      return;
    }
    const removal = rm(pathOf(file), { force: true }).then(
      () => void references.delete(file),
      (err: unknown) => logger.warn({ err, file }, "a job's data could not be removed; the next start tries again"),
    );
    removals.add(removal);
    void removal.finally(() => removals.delete(removal));
  }

  async function sweepFolder(name: string): Promise<number> {
    let swept = 0;
    for (const entry of await readdir(join(folder, name))) {
      const file = `${name}/${entry}`;
      if (references.has(file)) continue;
      await rm(pathOf(file), { force: true, recursive: true });
      swept++;
    }
    return swept;
  }

  return {
    newName() {
      const name = randomBytes(8).toString('hex');
      const file = `${name.slice(0, 2)}/${name}`;
      references.set(file, 1);
      return file;
    },
    pathOf,
    addReference: (file) => void references.set(file, (references.get(file) ?? 0) + 1),
    remove,
    async probe(text) {
      const handle = await opened(text);
      try {
        if (text.sealed) await sealedPiece(handle, text, 0);
      } finally {
        await handle.close();
      }
    },
    read,
    async sweep() {
      try {
        if (!(await stat(folder).catch(() => null))) return;
        let swept = 0;
        for (const name of await readdir(folder)) swept += await sweepFolder(name);
        if (swept > 0) logger.info({ swept }, 'removed data that no job refers to');
      } catch (err) {
        logger.warn({ err }, 'could not look for data that no job refers to');
      }
    },
    async settled() {
      while (removals.size > 0) await Promise.all(removals);
    },
  };
}
