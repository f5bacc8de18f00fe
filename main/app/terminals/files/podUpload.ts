/**
 * An upload into a Pod. The file has a temporary name until it is complete. A note about it survives a restart, so that
 * the upload can resume.
 */
import { createHash, randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { piecesUntil } from '../../../files/piecesUntil.ts';
import { UploadAborted } from '../../services/uploads.ts';
import { partDigest } from './partDigest.ts';
import { partName, placeOf } from './podPaths.ts';
import { isMissing, type Sftp } from './sftp.ts';
import { createUploadState } from './uploadState.ts';
import type { Begun, UnfinishedUploads } from './resumableUploads.ts';

export interface NewFile {
  /** All bytes from the first one, also for a resumed upload. */
  body: AsyncIterable<Uint8Array>;
  lengthBytes: number;
  /** The last change of the source, in milliseconds since the epoch. */
  modifiedAt: number;
  /** Whether the upload may replace an existing file of the same name. */
  replaces: boolean;
  /** Whether the part of an interrupted upload is discarded; otherwise the file must be the same. */
  startsOver: boolean;
  signal: AbortSignal;
}

export interface PodUploads {
  /** Resumes after a broken connection. If the upload fails, its part stays, unless the person cancelled it. */
  write(to: PodConnection, path: string, file: NewFile): Promise<void>;
  /** Interrupted uploads that are not running, each with its uploaded size. */
  unfinished(to: PodConnection): Promise<(Begun & { doneBytes: number })[]>;
  /** Removes the upload completely. */
  discard(to: PodConnection, path: string): Promise<void>;
}

/** Access to a Pod. */
export interface PodConnection {
  accountId: string;
  podId: string;
  once<T>(work: (sftp: Sftp) => Promise<T>): Promise<T>;
  /** Runs `work`, with a new connection if the old one breaks: it may run more than once. */
  steadily<T>(signal: AbortSignal, work: (sftp: Sftp) => Promise<T>): Promise<T>;
}

const PERMISSIONS = 0o7777;

/** If a connection breaks, any part of the last piece may have arrived; all earlier pieces have. */
const soundBytes = (partBytes: number): number => Math.max(0, partBytes - limits.page.pieceBytes);

const anotherFile = (reason: string): AppError =>
  new AppError('CONFLICT', `${reason} Choose the same file to go on, or start over.`, {
    details: { startsOver: true },
  });

const partAt = ({ path, part }: Begun): string => posix.join(posix.dirname(placeOf(path)), part);

/** Null if there is no such file; a link does not count. */
async function sizeOf(sftp: Sftp, path: string): Promise<number | null> {
  try {
    const stats = await sftp.lstat(path);
    return stats.isFile() ? stats.size : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function removeAt(sftp: Sftp, path: string): Promise<void> {
  try {
    await sftp.unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

export async function refuseTaken(sftp: Sftp, place: string): Promise<void> {
  const there = await sftp.lstat(place).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (there) {
    throw new AppError('CONFLICT', `There is a ${place} already. Choose another name, or delete that one first.`);
  }
}

/**
 * Joins bytes to full pieces, because the Pod answers each write: small ones would take one round trip each. No piece
 * that is passed on is larger than `limits.page.pieceBytes`, as `soundBytes` needs it.
 */
async function* fullPieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { pieceBytes } = limits.page;
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const joined = (): Buffer => {
    const piece = Buffer.concat(parts, bytes);
    parts = [];
    bytes = 0;
    return piece;
  };
  for await (const part of body) {
    if (bytes > 0 && bytes + part.length > pieceBytes) yield joined();
    parts.push(part);
    bytes += part.length;
    if (bytes >= pieceBytes) yield joined();
  }
  if (bytes > 0) yield joined();
}

/** Renames the part to its final name. Rejects with CONFLICT if it is not complete. */
async function finish(sftp: Sftp, at: string, place: string, { sizeBytes, replaces }: Begun): Promise<void> {
  const partBytes = await sizeOf(sftp, at);
  // An earlier try may have succeeded without an answer.
  if (partBytes === null && (await sizeOf(sftp, place)) === sizeBytes) return;
  if (partBytes !== sizeBytes) {
    throw anotherFile(`All of ${place} was sent, and the Pod has ${partBytes ?? 0} of ${sizeBytes} bytes of it.`);
  }
  const before = replaces ? await sftp.stat(place).catch(() => null) : null;
  if (before) await sftp.chmod(at, before.mode & PERMISSIONS);
  if (replaces) await sftp.replace(at, place);
  else await sftp.rename(at, place);
}

/** The note of an upload; it continues `former`, if there is one. */
const noteOf = (to: PodConnection, path: string, file: NewFile, former: Begun | null, now: number): Begun => ({
  accountId: to.accountId,
  podId: to.podId,
  path,
  part: former?.part ?? partName(randomBytes(8).toString('hex')),
  sizeBytes: file.lengthBytes,
  modifiedAt: file.modifiedAt,
  replaces: file.replaces || former?.replaces === true,
  begunAt: former?.begunAt ?? now,
});

const keyOf = ({ accountId, podId }: Pick<PodConnection, 'accountId' | 'podId'>, path: string): string =>
  JSON.stringify([accountId, podId, path]);

export function createPodUploads(notes: UnfinishedUploads, now: () => number): PodUploads {
  const running = new Map<string, { abort: AbortController; over: Promise<unknown> }>();

  async function remove(to: PodConnection, begun: Begun): Promise<void> {
    await to.once((sftp) => removeAt(sftp, partAt(begun)));
    await notes.forget(begun);
  }

  /** The interrupted upload, if it is of the same file. */
  async function formerOf(to: PodConnection, path: string, file: NewFile): Promise<Begun | null> {
    const begun = notes.find({ ...to, path });
    if (begun === null) return null;
    if (file.startsOver) {
      await remove(to, begun);
      return null;
    }
    if (begun.sizeBytes === file.lengthBytes && begun.modifiedAt === file.modifiedAt) return begun;
    throw anotherFile(
      `Of ${placeOf(path)}, ${begun.sizeBytes} bytes that were changed last at ${new Date(begun.modifiedAt).toISOString()} were on their way; this file has ${file.lengthBytes}, changed at ${new Date(file.modifiedAt).toISOString()}.`,
    );
  }

  async function send(to: PodConnection, path: string, file: NewFile, signal: AbortSignal): Promise<void> {
    const place = placeOf(path);
    const former = await formerOf(to, path, file);
    const { lengthBytes } = file;
    const begun = noteOf(to, path, file, former, now());
    const { replaces } = begun;
    const at = partAt(begun);
    const steady = <T>(work: (sftp: Sftp) => Promise<T>): Promise<T> => to.steadily(signal, work);
    /** The part, opened on one connection. */
    const part: { open: { of: Sftp; at: Buffer } | null } = { open: null };
    const handleOf = async (sftp: Sftp): Promise<Buffer> => {
      // A handle ends with its connection.
      if (part.open?.of !== sftp) part.open = { of: sftp, at: await sftp.open(at, 'r+') };
      return part.open.at;
    };
    const state = createUploadState(former !== null);
    try {
      const uploaded = await steady(async (sftp) => {
        if (!replaces) await refuseTaken(sftp, place);
        // Before the part exists, so that a crash leaves no unknown part.
        state.take('note');
        await notes.note(begun);
        const sound = former === null ? 0 : soundBytes((await sizeOf(sftp, at)) ?? 0);
        if (sound > 0) return { bytes: sound, digest: await partDigest(sftp, at, sound, signal) };
        // The part of an earlier try may exist, or may not be a file.
        await removeAt(sftp, at);
        part.open = { of: sftp, at: await sftp.open(at, 'wx') };
        return { bytes: 0, digest: '' };
      });
      const hash = createHash('sha256');
      let readBytes = 0;
      for await (const bytes of piecesUntil(signal, fullPieces(file.body))) {
        const there = Math.min(bytes.length, Math.max(0, uploaded.bytes - readBytes));
        if (there > 0) {
          hash.update(bytes.subarray(0, there));
          if (readBytes + there === uploaded.bytes && hash.digest('hex') !== uploaded.digest) {
            throw anotherFile(`What is in the Pod of ${place} is not the beginning of this file.`);
          }
        }
        if (there < bytes.length) {
          state.take('write');
          const from = readBytes + there;
          await steady(async (sftp) => sftp.write(await handleOf(sftp), from, bytes.subarray(there)));
        }
        readBytes += bytes.length;
      }
      signal.throwIfAborted();
      if (readBytes !== lengthBytes) {
        throw new AppError('BAD_REQUEST', `The file ended after ${readBytes} of ${lengthBytes} bytes.`);
      }
      await steady((sftp) => finish(sftp, at, place, begun));
      state.take('finish');
    } catch (error) {
      state.take(signal.reason instanceof UploadAborted ? 'abandon' : 'fail');
      // If the Pod is not reachable, the note stays, so that the part can be removed later.
      if (state.now === 'unwanted') await remove(to, begun).catch(() => undefined);
      throw error;
    } finally {
      part.open?.of.close(part.open.at).catch(() => undefined);
    }
    await notes.forget(begun);
  }

  return {
    async write(to, path, file) {
      const key = keyOf(to, path);
      const abort = new AbortController();
      const before = running.get(key);
      const work = async (): Promise<void> => {
        before?.abort.abort(new AppError('CONFLICT', 'The same file is being uploaded again, so this upload stopped.'));
        await before?.over;
        await send(to, path, file, AbortSignal.any([file.signal, abort.signal]));
      };
      const sending = work();
      const now = { abort, over: sending.catch(() => undefined) };
      running.set(key, now);
      try {
        await sending;
      } finally {
        if (running.get(key) === now) running.delete(key);
      }
    },
    async unfinished(to) {
      const idle = notes.of(to.accountId, to.podId).filter(({ path }) => !running.has(keyOf(to, path)));
      if (idle.length === 0) return [];
      return to.once((sftp) =>
        Promise.all(
          idle.map(async (begun) => ({ ...begun, doneBytes: soundBytes((await sizeOf(sftp, partAt(begun))) ?? 0) })),
        ),
      );
    },
    async discard(to, path) {
      const begun = notes.find({ accountId: to.accountId, podId: to.podId, path });
      if (begun !== null && !running.has(keyOf(to, path))) await remove(to, begun);
    },
  };
}
