/**
 * Uploads to a volume, a Pod or this computer. Each is one open request to the other side. Its body comes in pieces
 * over the bridge, with one piece in memory, as the body of one request of the browser, or from another place
 * (`fileCopies.ts`).
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Clock } from '../platform/clock.ts';
import type { Upload } from '../compute/http/outbound.ts';

/** One file. `doneBytes` is at most `totalBytes`. */
export interface TransferProgress {
  readonly doneBytes: number;
  readonly totalBytes: number;
}

export interface Uploads {
  /** The running uploads. `doneBytes`: what the page has sent. */
  list(): readonly TransferProgress[];
  /**
   * `write` begins immediately and reads the pieces as they arrive. Rejects with TOO_MANY_REQUESTS if too many uploads
   * are running.
   */
  begin(sizeBytes: number, write: (file: Pick<Upload, 'body' | 'lengthBytes' | 'signal'>) => Promise<void>): string;
  /** Resolves after the other side accepted the piece; rejects with the error of the write. */
  put(uploadId: string, from: number, bytes: Uint8Array): Promise<void>;
  /** Resolves after the file is complete. */
  end(uploadId: string): Promise<void>;
  /**
   * Takes the whole file from `body`, at the speed of the other side, instead of pieces. `lengthBytes`: what the
   * request announces. Resolves after the upload is over with whether the file is complete; `follow` says why it is
   * not: with the error of `body`, if that is an AppError. Rejects before anything is read: NOT_FOUND for an unknown
   * upload, BAD_REQUEST for another length than that of `begin`, and CONFLICT for an upload that has a body or pieces
   * already.
   */
  receive(uploadId: string, lengthBytes: number, body: AsyncIterable<Uint8Array>): Promise<boolean>;
  /** Resolves after the file that `receive` takes is complete; rejects with the error of the write. */
  follow(uploadId: string): Promise<void>;
  /** `keeps`: whether the uploaded part stays, so that the upload can resume. */
  cancel(uploadId: string, keeps: boolean): void;
}

/** A person cancelled the upload: nothing of it may stay. */
export class UploadAborted extends AppError {
  constructor() {
    super('BAD_REQUEST', 'The upload was cancelled.');
  }
}

/** A part of the file, or all of it. */
interface Piece {
  bytes: Uint8Array | AsyncIterable<Uint8Array>;
  taken: () => void;
}

interface Session {
  sizeBytes: number;
  sentBytes: number;
  /** Whether `receive` brings the file. */
  isReceiving: boolean;
  give: (piece: Piece | null) => void;
  /** Settles with the request and never rejects: null if the file is complete. */
  done: Promise<{ failure: unknown } | null>;
  /** Restarts the idle timer after something arrived. */
  alive: (forMs: number) => void;
  close: (reason: Error) => void;
}

/** A queue of pieces; the next one is accepted after the last one was passed on. */
function pieces(): { body: AsyncIterable<Uint8Array>; give: (piece: Piece | null) => void } {
  let waiting: (Piece | null)[] = [];
  let wake = (): void => undefined;
  async function* body(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const [piece = null] = waiting;
      waiting = waiting.slice(1);
      if (piece === null) return;
      if (piece.bytes instanceof Uint8Array) yield piece.bytes;
      else yield* piece.bytes;
      piece.taken();
    }
  }
  return {
    body: body(),
    give(piece) {
      waiting.push(piece);
      wake();
    },
  };
}

/** Passes `body` on, counts it and restarts the idle timer. If it breaks off, the upload ends. */
async function* received(session: Session, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  const { idleMs, takenMs } = limits.page.uploads;
  session.alive(idleMs);
  try {
    for await (const bytes of body) {
      session.sentBytes += bytes.length;
      session.alive(takenMs);
      yield bytes;
      session.alive(idleMs);
    }
  } catch (thrown) {
    // A request that breaks off has no words for a person; a file of another place that cannot be read has.
    session.close(
      thrown instanceof AppError
        ? thrown
        : new AppError('BAD_REQUEST', 'The file was not sent to its end.', { cause: thrown }),
    );
    throw thrown;
  }
  session.alive(takenMs);
}

export function createUploads({ clock, stopping }: { clock: Clock; stopping: AbortSignal }): Uploads {
  const sessions = new Map<string, Session>();

  function sessionOf(uploadId: string): Session {
    const session = sessions.get(uploadId);
    if (session) return session;
    throw new AppError(
      'NOT_FOUND',
      'This upload has ended: it was cancelled, or no data arrived for a while. Start it again.',
    );
  }

  async function settled(uploadId: string, { done, close }: Session): Promise<void> {
    const end = await done;
    sessions.delete(uploadId);
    close(new Error('The upload is over.'));
    if (end !== null) throw end.failure;
  }

  return {
    list: () =>
      [...sessions.values()].map(({ sentBytes, sizeBytes }) => ({ doneBytes: sentBytes, totalBytes: sizeBytes })),
    begin(sizeBytes, write) {
      const { most, idleMs } = limits.page.uploads;
      if (sessions.size >= most) {
        throw new AppError('TOO_MANY_REQUESTS', `${most} files are being uploaded already. Wait for one of them.`);
      }
      const uploadId = randomUUID();
      const abort = new AbortController();
      const { body, give } = pieces();
      let forget = (): void => undefined;
      const alive = (forMs: number): void => {
        forget();
        if (!sessions.has(uploadId)) return;
        const message =
          forMs === idleMs ? 'The rest of the file did not arrive.' : 'The other side stopped accepting the file.';
        forget = clock.after(forMs, () => close(new AppError('BAD_REQUEST', message)));
      };
      const close = (reason: Error): void => {
        forget();
        sessions.delete(uploadId);
        stopping.removeEventListener('abort', stop);
        abort.abort(reason);
      };
      const stop = (): void => close(new Error('Hangar is stopping.'));
      stopping.addEventListener('abort', stop);
      const done = write({ body, lengthBytes: sizeBytes, signal: abort.signal }).then(
        () => null,
        (failure: unknown) => ({ failure }),
      );
      sessions.set(uploadId, { sizeBytes, sentBytes: 0, isReceiving: false, give, done, alive, close });
      alive(idleMs);
      return uploadId;
    },

    async put(uploadId, from, bytes) {
      const session = sessionOf(uploadId);
      if (from !== session.sentBytes || from + bytes.length > session.sizeBytes) {
        throw new AppError(
          'CONFLICT',
          `The upload goes on at byte ${session.sentBytes} of ${session.sizeBytes}; got ${bytes.length} bytes for byte ${from}.`,
        );
      }
      session.alive(limits.page.uploads.takenMs);
      session.sentBytes += bytes.length;
      const taken = new Promise<'taken'>((resolve) => session.give({ bytes, taken: () => resolve('taken') }));
      const first = await Promise.race([taken, session.done]);
      if (first !== 'taken') await settled(uploadId, session);
      session.alive(limits.page.uploads.idleMs);
    },

    async end(uploadId) {
      const session = sessionOf(uploadId);
      session.alive(limits.page.uploads.takenMs);
      session.give(null);
      await settled(uploadId, session);
    },

    async receive(uploadId, lengthBytes, body) {
      const session = sessionOf(uploadId);
      if (lengthBytes !== session.sizeBytes) {
        throw new AppError(
          'BAD_REQUEST',
          `The upload has ${session.sizeBytes} bytes; the request announces ${lengthBytes}.`,
        );
      }
      if (session.isReceiving || session.sentBytes > 0) {
        throw new AppError('CONFLICT', 'The file of this upload is being sent already.');
      }
      session.isReceiving = true;
      session.give({ bytes: received(session, body), taken: () => undefined });
      session.give(null);
      return (await session.done) === null;
    },

    follow: (uploadId) => settled(uploadId, sessionOf(uploadId)),

    cancel(uploadId, keeps) {
      const reason = keeps ? new AppError('BAD_REQUEST', 'The upload was interrupted.') : new UploadAborted();
      sessions.get(uploadId)?.close(reason);
    },
  };
}
