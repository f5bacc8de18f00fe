/**
 * Sends files of this computer to uploads that have begun. A browser sends one in one request, which it reads from the
 * disk as fast as the other side takes it. In a desktop window, the app reads the file itself, by a grant. A file
 * without a path, such as a pasted picture, goes over the bridge in pieces there.
 */
import { ORPCError } from '@orpc/client';
import * as z from 'zod';
import { PAGE_TOKEN_HEADER, UPLOAD_PATH } from '#contract/app/pageSession.ts';
import { limits } from '#contract/core/limits.ts';
import { t } from '../../language/text.ts';
import { api } from '../transport/orpc.ts';
import { pageToken } from '../transport/pageToken.ts';
import { TransferRefused } from './transferRefused.ts';

export interface Begun {
  uploadId: string;
}

/** A file that the app reads itself. `path` as `fillFromGrant` has it. */
export interface GrantedFile extends Pick<File, 'size' | 'lastModified'> {
  readonly grantId: string;
  readonly path: string;
}

type OnProgress = (doneBytes: number) => void;

/** A browser no longer reads a file that was changed after it was chosen. */
const sourceGone = (): TransferRefused =>
  new TransferRefused(t`The file was changed or removed after it was chosen. Choose it again.`);

async function pieceOf(file: File, from: number): Promise<Blob> {
  try {
    return new Blob([await file.slice(from, from + limits.page.pieceBytes).arrayBuffer()]);
  } catch {
    // A browser rejects only for a file that it can no longer read as it was chosen.
    throw sourceGone();
  }
}

/** Ends an upload that did not succeed: a cancelled one is removed, any other can continue where it may. */
const breakOff = (begun: Begun, signal: AbortSignal): Promise<void> =>
  api.files.cancelUpload({ ...begun, keeps: !signal.aborted }).catch(() => undefined);

/** Sends a file in pieces. While one is sent, the next one is read. */
export async function sendPieces(begun: Begun, file: File, signal: AbortSignal, onProgress: OnProgress): Promise<void> {
  const { pieceBytes } = limits.page;
  const read = (from: number): Promise<Blob> | null => {
    const piece = from < file.size ? pieceOf(file, from) : null;
    // The loop gets the error, unless the piece before it failed.
    piece?.catch(() => undefined);
    return piece;
  };
  try {
    let from = 0;
    for (let next = read(0); next !== null;) {
      signal.throwIfAborted();
      const bytes = await next;
      next = read(from + pieceBytes);
      await api.files.putPiece({ ...begun, from, bytes }, { signal });
      from += pieceBytes;
      onProgress(Math.min(from, file.size));
    }
    signal.throwIfAborted();
    await api.files.endUpload(begun, { signal });
  } catch (error) {
    await breakOff(begun, signal);
    throw error;
  }
}

/** A browser tells the progress of a request up to 20 times a second, more often than a person reads it. */
const PROGRESS_MS = 200;

/** `over` resolves with the status of the answer; 0 if there is none. */
function put({ uploadId }: Begun, file: File, onProgress: OnProgress): { over: Promise<number>; abort: () => void } {
  // `fetch` does not tell how much was sent.
  const request = new XMLHttpRequest();
  request.open('PUT', `${UPLOAD_PATH}${uploadId}`);
  request.setRequestHeader(PAGE_TOKEN_HEADER, pageToken());
  request.setRequestHeader('content-type', 'application/octet-stream');
  let toldAt = 0;
  request.upload.addEventListener('progress', ({ loaded, timeStamp }) => {
    if (timeStamp - toldAt < PROGRESS_MS) return;
    toldAt = timeStamp;
    onProgress(loaded);
  });
  const over = new Promise<number>((resolve) => request.addEventListener('loadend', () => resolve(request.status)));
  request.send(file);
  return { over, abort: () => request.abort() };
}

/** Sends the file in one request, and rejects with the reason that the app gives for a failure. */
async function sendRequest(begun: Begun, file: File, signal: AbortSignal, onProgress: OnProgress): Promise<void> {
  const followed = api.files.followUpload(begun, { signal });
  // Awaited below in every case.
  followed.catch(() => undefined);
  const request = put(begun, file, onProgress);
  try {
    const isTaken = request.over.then((status) => status === 204);
    if (await Promise.race([followed.then(() => true), isTaken])) return await followed;
    // The request broke off: of a file that cannot be read, or the app stopped reading it.
    await pieceOf(file, 0);
    await breakOff(begun, signal);
    return await followed;
  } catch (error) {
    request.abort();
    await breakOff(begun, signal);
    throw error;
  }
}

/** The details of an error, beside the app's message. */
const changedSchema = z.object({ sourceChanged: z.literal(true) });

/** Whether the files are no longer what they were when they were listed, so that the same transfer would fail again. */
export const isChanged = (error: unknown): boolean =>
  error instanceof ORPCError && changedSchema.safeParse(error.data).success;

/**
 * Waits for an upload that the app fills itself. An abort removes what was uploaded. Rejects with `changed()` for a file
 * that was changed meanwhile.
 */
export async function sendByApp(
  begun: Begun,
  fill: () => Promise<AsyncIterable<{ doneBytes: number }>>,
  changed: () => TransferRefused,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> {
  // An interrupted upload into a Pod may continue. Only this removes it.
  const cancel = () => void api.files.cancelUpload({ ...begun, keeps: false }).catch(() => undefined);
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  try {
    for await (const { doneBytes } of await fill()) onProgress(doneBytes);
  } catch (error) {
    throw isChanged(error) ? changed() : error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function sendGranted(begun: Begun, file: GrantedFile, signal: AbortSignal, onProgress: OnProgress): Promise<void> {
  const { grantId, path, size: sizeBytes, lastModified: modifiedAt } = file;
  const fill = () => api.files.fillFromGrant({ ...begun, grantId, path, sizeBytes, modifiedAt });
  return sendByApp(begun, fill, sourceGone, signal, onProgress);
}

async function sendFromWindow(
  grantFile: HangarHost['grantFile'],
  begun: Begun,
  file: File,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> {
  const { size, lastModified } = file;
  const grantId = await grantFile(file).catch(async (error: unknown) => {
    await breakOff(begun, signal);
    throw error;
  });
  if (grantId === null) return sendPieces(begun, file, signal, onProgress);
  return sendGranted(begun, { grantId, path: '', size, lastModified }, signal, onProgress);
}

/** Sends a file of this computer. */
export function sendFile(
  begun: Begun,
  file: File | GrantedFile,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> {
  if (!(file instanceof File)) return sendGranted(begun, file, signal, onProgress);
  const host = window.hangarHost;
  return host === undefined
    ? sendRequest(begun, file, signal, onProgress)
    : sendFromWindow(host.grantFile, begun, file, signal, onProgress);
}
