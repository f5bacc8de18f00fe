/** Texts that are too large for a row, each in a file of its own: written whole by the thread, read as streams, removed once no row refers to them. */
import { randomBytes } from 'node:crypto';
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import type { Logger } from '../../domain/core/ports.ts';
import type { StoredText } from '../../domain/jobs/payload/payloadRef.ts';
import { PIECE_BYTES, piecePlace, SEAL_BYTES, type Sealing } from '../encryption/encryption.ts';

export interface TextFiles {
  /** A name that no file has; it is spared by `sweep` until it is removed. */
  newName(): string;
  pathOf(file: string): string;
  /** One more row refers to this file. A new file counts as referred to by whoever made it. */
  addReference(file: string): void;
  /** One row less, or its maker, refers to this file: after the last of them it goes. */
  remove(file: string): void;
  /** Throws what `read` would, before anything was promised to a reader. */
  probe(text: StoredText): Promise<void>;
  /**
   * The text's bytes. Throws INTERNAL or FORBIDDEN, in a person's words, when the file is missing, damaged, or sealed with a key
   * that is gone. `over`: memory that each piece is read into, over the one before.
   */
  read(text: StoredText, over?: Uint8Array): AsyncIterable<Uint8Array>;
  /** Removes what a killed engine left behind: files that no row refers to. Settles when it is done. */
  sweep(): Promise<void>;
  /** Settles once everything that was to be removed is gone. */
  settled(): Promise<void>;
}

const unreadable = (reason: string): AppError =>
  new AppError('INTERNAL', `This job's data can no longer be read: its file ${reason}. Submit the job again.`);

const keyGone = (): AppError =>
  new AppError(
    'FORBIDDEN',
    'The request of this job was kept encrypted for an earlier run of Hangar, and that key is gone. Submit the job again.',
  );

export function createTextFiles(folder: string, sealing: Sealing, logger: Logger): TextFiles {
  /** The number of references to each file. */
  const references = new Map<string, number>();
  const removals = new Set<Promise<void>>();
  const pathOf = (file: string): string => join(folder, file);

  const diskBytes = ({ bytes, sealed }: StoredText): number =>
    sealed ? bytes + Math.ceil(bytes / PIECE_BYTES) * SEAL_BYTES : bytes;

  async function opened(text: StoredText): Promise<FileHandle> {
    let handle: FileHandle;
    try {
      handle = await open(pathOf(text.file), 'r');
    } catch (cause) {
      logger.error({ err: cause, file: text.file }, "a job's data cannot be opened");
      throw unreadable((cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'is missing' : 'cannot be opened');
    }
    const { size } = await handle.stat();
    if (size === diskBytes(text)) return handle;
    await handle.close();
    logger.error({ file: text.file, size, expected: diskBytes(text) }, "a job's data is damaged");
    throw unreadable('is damaged');
  }

  async function fill(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, position + filled);
      if (bytesRead === 0) throw unreadable('is damaged');
      filled += bytesRead;
    }
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
