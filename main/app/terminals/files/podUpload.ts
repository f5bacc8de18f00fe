/**
 * A file on its way up into a Pod: under a name of its own until all of it is there, and known again after a restart, so that it goes on
 * where it was.
 */
import { createHash, randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { UploadAborted } from '../../services/uploads.ts';
import { partDigest } from './partDigest.ts';
import { partName, placeOf } from './podPaths.ts';
import { isMissing, type Sftp } from './sftp.ts';
import type { Begun, UnfinishedUploads } from './resumableUploads.ts';

export interface NewFile {
  /** From the first byte on, also where it goes on. */
  body: AsyncIterable<Uint8Array>;
  lengthBytes: number;
  /** When the source was changed last, in milliseconds since the epoch. */
  modifiedAt: number;
  /** Whether what has its name already may be replaced. */
  replaces: boolean;
  /** Whether what is there of an upload that was broken off is left; otherwise the file must be the same one. */
  startsOver: boolean;
  signal: AbortSignal;
}

export interface PodUploads {
  /** Goes on where it was when a connection breaks. What came there stays when it fails, unless the person gave it up. */
  write(to: PodReach, path: string, file: NewFile): Promise<void>;
  /** Those that nothing is sent of at the moment, each with how much of it is there. */
  unfinished(to: PodReach): Promise<(Begun & { doneBytes: number })[]>;
  /** Leaves nothing of it. */
  discard(to: PodReach, path: string): Promise<void>;
}

/** A Pod, and how work is done in it. */
export interface PodReach {
  accountId: string;
  podId: string;
  once<T>(work: (sftp: Sftp) => Promise<T>): Promise<T>;
  /** Over a new connection where the one before broke: the work may be begun more than once. */
  steadily<T>(signal: AbortSignal, work: (sftp: Sftp) => Promise<T>): Promise<T>;
}

const PERMISSIONS = 0o7777;

/** A connection may break in the middle of a piece, of which any part can have arrived: all before it has. */
const soundBytes = (partBytes: number): number => Math.max(0, partBytes - limits.page.pieceBytes);

const anotherFile = (reason: string): AppError =>
  new AppError('CONFLICT', `${reason} Choose the same file to go on, or start over.`, {
    details: { startsOver: true },
  });

const partAt = ({ path, part }: Begun): string => posix.join(posix.dirname(placeOf(path)), part);

/** Null where there is none; a link is none. */
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

/** Pieces until the signal is aborted, also while the next one is waited for. */
async function* piecesUntil(signal: AbortSignal, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const abort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', abort);
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await Promise.race([pieces.next(), aborted.promise]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

export function createPodUploads(notes: UnfinishedUploads, now: () => number): PodUploads {
  const running = new Map<string, { abort: AbortController; over: Promise<unknown> }>();
  const keyOf = ({ accountId, podId }: Pick<PodReach, 'accountId' | 'podId'>, path: string): string =>
    JSON.stringify([accountId, podId, path]);

  async function remove(to: PodReach, begun: Begun): Promise<void> {
    await to.once((sftp) => removeAt(sftp, partAt(begun)));
    await notes.forget(begun);
  }

  /** The one that was broken off, if it is of the same file. */
  async function formerOf(to: PodReach, path: string, file: NewFile): Promise<Begun | null> {
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

  async function send(to: PodReach, path: string, file: NewFile, signal: AbortSignal): Promise<void> {
    const place = placeOf(path);
    const former = await formerOf(to, path, file);
    const { lengthBytes, modifiedAt } = file;
    const replaces = file.replaces || former?.replaces === true;
    const part = former?.part ?? partName(randomBytes(8).toString('hex'));
    const begun: Begun = {
      accountId: to.accountId,
      podId: to.podId,
      path,
      part,
      sizeBytes: lengthBytes,
      modifiedAt,
      replaces,
      begunAt: former?.begunAt ?? now(),
    };
    const at = partAt(begun);
    const steady = <T>(work: (sftp: Sftp) => Promise<T>): Promise<T> => to.steadily(signal, work);
    let handle: { of: Sftp; at: Buffer } | null = null;
    const handleOf = async (sftp: Sftp): Promise<Buffer> => {
      // What the connection before has opened is gone with it.
      if (handle?.of !== sftp) handle = { of: sftp, at: await sftp.open(at, 'r+') };
      return handle.at;
    };
    let isNoted = former !== null;
    let hasBytes = former !== null;
    try {
      const uploaded = await steady(async (sftp) => {
        if (!replaces) await refuseTaken(sftp, place);
        // Before there is anything of it, so that a crash leaves nothing that nobody knows of.
        isNoted = true;
        await notes.note(begun);
        const sound = former === null ? 0 : soundBytes((await sizeOf(sftp, at)) ?? 0);
        if (sound > 0) return { bytes: sound, digest: await partDigest(sftp, at, sound, signal) };
        // It may be there from a try before, or be no file any more.
        await removeAt(sftp, at);
        handle = { of: sftp, at: await sftp.open(at, 'wx') };
        return { bytes: 0, digest: '' };
      });
      const hash = createHash('sha256');
      let readBytes = 0;
      for await (const bytes of piecesUntil(signal, file.body)) {
        const there = Math.min(bytes.length, Math.max(0, uploaded.bytes - readBytes));
        if (there > 0) {
          hash.update(bytes.subarray(0, there));
          if (readBytes + there === uploaded.bytes && hash.digest('hex') !== uploaded.digest) {
            throw anotherFile(`What is in the Pod of ${place} is not the beginning of this file.`);
          }
        }
        if (there < bytes.length) {
          hasBytes = true;
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
    } catch (error) {
      // Where the Pod is not reached, the note stays, so that what is left there can be removed later.
      const isWanted = hasBytes && !(signal.reason instanceof UploadAborted);
      if (isNoted && !isWanted) await remove(to, begun).catch(() => undefined);
      throw error;
    } finally {
      const open = handle as { of: Sftp; at: Buffer } | null;
      open?.of.close(open.at).catch(() => undefined);
    }
    await notes.forget(begun);
  }

  async function finish(sftp: Sftp, at: string, place: string, { sizeBytes, replaces }: Begun): Promise<void> {
    const partBytes = await sizeOf(sftp, at);
    // A try before this one may have come as far as that, and nobody heard of it.
    if (partBytes === null && (await sizeOf(sftp, place)) === sizeBytes) return;
    if (partBytes !== sizeBytes) {
      throw anotherFile(`All of ${place} was sent, and the Pod has ${partBytes ?? 0} of ${sizeBytes} bytes of it.`);
    }
    const before = replaces ? await sftp.stat(place).catch(() => null) : null;
    if (before) await sftp.chmod(at, before.mode & PERMISSIONS);
    if (replaces) await sftp.replace(at, place);
    else await sftp.rename(at, place);
  }

  return {
    async write(to, path, file) {
      const key = keyOf(to, path);
      const abort = new AbortController();
      const before = running.get(key);
      const work = async (): Promise<void> => {
        before?.abort.abort(new AppError('CONFLICT', 'This file was sent once more: that goes on, and this does not.'));
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
