/** Copies a file from one place to another, and compares two files: their bytes pass the app, and never the page. */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { VolumeFile } from '#contract/local/files.ts';
import { pause, type Clock } from '../platform/clock.ts';
import type { FolderFiles } from '../platform/folders/folderFiles.ts';
import type { Uploads } from './uploads.ts';

/** A file, and the folder that has it. */
export interface FileAt {
  readonly folder: Pick<FolderFiles, 'read' | 'list'>;
  readonly path: string;
}

/** How far a copy or a comparison is. */
export interface Progress {
  readonly doneBytes: number;
}

/** A person reads no number that changes faster. */
const PROGRESS_MS = 200;

/**
 * CONFLICT, with `sourceChanged` in its details: the same call fails again, because the files are not what they were.
 */
const sourceChanged = (message: string): AppError =>
  new AppError('CONFLICT', message, { details: { sourceChanged: true } });

/** Up to one full piece from the byte `from` on; none behind the end of the file. */
async function readAt({ folder, path }: FileAt, from: number, most: number): Promise<Uint8Array> {
  try {
    return await folder.read(path, from, most);
  } catch (error) {
    // An engine answers with this status for a byte behind the end.
    if (error instanceof AppError && error.details?.['status'] === 416) return new Uint8Array();
    throw error;
  }
}

/** The bytes from `from` to `end`, of which a read may have fewer. Rejects if the file ends before. */
async function readPiece(file: FileAt, from: number, end: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let at = from; at < end;) {
    const bytes = await readAt(file, at, end - at);
    if (bytes.length === 0) throw sourceChanged(`The file ${file.path} became shorter while it was read.`);
    parts.push(bytes);
    at += bytes.length;
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

/**
 * The results of `read` for the pieces of a file with `sizeBytes` bytes, in order. The next piece is read while the
 * caller uses the one before.
 */
async function* piecesOf<Piece>(
  sizeBytes: number,
  read: (from: number, end: number) => Promise<Piece>,
): AsyncGenerator<Piece, void, void> {
  const { pieceBytes } = limits.page;
  const readFrom = (from: number): Promise<Piece> | null => {
    const piece = from < sizeBytes ? read(from, Math.min(from + pieceBytes, sizeBytes)) : null;
    // The caller gets the error, unless it stopped before.
    piece?.catch(() => undefined);
    return piece;
  };
  let from = 0;
  for (let next = readFrom(0); next !== null;) {
    const piece = await next;
    next = readFrom((from += pieceBytes));
    yield piece;
  }
}

/** Yields the progress of `work`, and ends or rejects with it. It is asked to end itself when the signal is aborted. */
async function* progressOf(
  work: (note: (doneBytes: number) => void) => Promise<void>,
  clock: Clock,
): AsyncGenerator<Progress, void, void> {
  let doneBytes = 0;
  const over = new AbortController();
  const working = work((bytes) => (doneBytes = bytes)).finally(() => over.abort());
  // Awaited below.
  working.catch(() => undefined);
  for (let sentBytes = 0; !over.signal.aborted; await pause(clock, PROGRESS_MS, over.signal)) {
    if (doneBytes !== sentBytes) yield { doneBytes };
    sentBytes = doneBytes;
  }
  await working;
}

export interface FillOptions {
  readonly uploads: Pick<Uploads, 'receive' | 'follow' | 'cancel'>;
  readonly uploadId: string;
  /** The whole file. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The size of the upload. */
  readonly sizeBytes: number;
  readonly clock: Clock;
  /** Aborts when nobody waits for the copy any more. It is then interrupted, and may continue later. */
  readonly signal: AbortSignal;
}

/**
 * The first `sizeBytes` bytes of a file, also of one that has grown. Rejects with `sourceChanged` in the details if the
 * file became shorter.
 */
export const bytesOf = (file: FileAt, sizeBytes: number): AsyncGenerator<Uint8Array, void, void> =>
  piecesOf(sizeBytes, (start, end) => readPiece(file, start, end));

/**
 * Fills an upload that has begun, and ends after the file is complete. Rejects with the error of the upload or of
 * `bytes`.
 */
export function fillUpload(options: FillOptions): AsyncGenerator<Progress, void, void> {
  const { uploads, uploadId, sizeBytes, clock, signal } = options;
  return progressOf(async (note) => {
    // An upload that has ended, or that gets its bytes elsewhere, rejects here.
    const followed = uploads.follow(uploadId);
    followed.catch(() => undefined);
    const interrupt = (): void => uploads.cancel(uploadId, true);
    signal.addEventListener('abort', interrupt);
    if (signal.aborted) interrupt();
    try {
      let doneBytes = 0;
      const bytes = async function* (): AsyncGenerator<Uint8Array, void, void> {
        for await (const piece of options.bytes) {
          // Whoever takes a piece may empty it.
          doneBytes += piece.length;
          yield piece;
          note(doneBytes);
        }
      };
      await uploads.receive(uploadId, sizeBytes, bytes());
      await followed;
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
  }, clock);
}

export interface CompareOptions {
  readonly from: FileAt;
  readonly to: FileAt;
  /** What a list said about `from` before it was copied. */
  readonly facts: Pick<VolumeFile, 'sizeBytes' | 'modifiedAt'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const differ = (): AppError => sourceChanged('One of the two files was changed in the meantime.');

/** Whether the file has a byte at this place. */
const hasByteAt = async (file: FileAt, at: number): Promise<boolean> => (await readAt(file, at, 1)).length > 0;

/** Rejects if a list of its folder says something else about the file. One that is beyond the list is not checked. */
async function refuseChanged({ folder, path }: FileAt, facts: CompareOptions['facts']): Promise<void> {
  const end = path.lastIndexOf('/');
  const { entries } = await folder.list(path.slice(0, Math.max(0, end)));
  const now = entries.find(({ name }) => name === path.slice(end + 1));
  if (now && (now.sizeBytes !== facts.sizeBytes || now.modifiedAt !== facts.modifiedAt)) throw differ();
}

/**
 * Compares two files byte by byte, and ends if they are equal and the first one still is what `facts` say. Otherwise it
 * rejects with CONFLICT and `sourceChanged` in its details.
 */
export function compareFiles({ from, to, facts, clock, signal }: CompareOptions): AsyncGenerator<Progress, void, void> {
  const { sizeBytes } = facts;
  return progressOf(async (note) => {
    const readBoth = (start: number, end: number): Promise<[Uint8Array, Uint8Array]> =>
      Promise.all([readPiece(from, start, end), readPiece(to, start, end)]);
    let doneBytes = 0;
    for await (const [one, other] of piecesOf(sizeBytes, readBoth)) {
      signal.throwIfAborted();
      if (Buffer.compare(one, other) !== 0) throw differ();
      note((doneBytes += one.length));
    }
    if ((await hasByteAt(from, sizeBytes)) || (await hasByteAt(to, sizeBytes))) throw differ();
    // While later pieces are compared, a program may write into the earlier ones.
    if (sizeBytes > limits.page.pieceBytes) await refuseChanged(from, facts);
    signal.throwIfAborted();
  }, clock);
}
