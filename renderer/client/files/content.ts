/** The content of one file of a volume or a Pod, for a page that shows or changes it. */
import { ORPCError } from '@orpc/client';
import { api } from '../transport/orpc.ts';
import { piecesFrom, readAt } from './reading.ts';
import { sendPieces } from './sending.ts';
import type { Place } from './transfers.ts';

/** Reads at most one piece (`limits.page.pieceBytes`) from the beginning of the file, as it is now. */
export const readBeginning = (place: Place, sizeBytes: number, signal?: AbortSignal): Promise<Blob> =>
  readAt({ ...place, sizeBytes }, 0, signal);

/**
 * Reads the whole file after its `beginning`, as large as it is when its end is reached. `onProgress` is called with
 * the bytes that are there.
 */
export async function readRest(
  place: Place,
  sizeBytes: number,
  beginning: Blob,
  signal: AbortSignal,
  onProgress: (doneBytes: number) => void,
): Promise<Blob> {
  const parts = [beginning];
  let doneBytes = beginning.size;
  for await (const piece of piecesFrom({ ...place, sizeBytes }, doneBytes, signal)) {
    parts.push(piece);
    onProgress((doneBytes += piece.size));
  }
  return new Blob(parts);
}

/** Writes the file anew: it has its old content until all of the new one is there. */
export async function writeText(place: Place, text: string): Promise<void> {
  const file = new File([text], 'text');
  const source = { sizeBytes: file.size, modifiedAt: file.lastModified };
  const begun = await api.files.beginUpload({ ...place, ...source, replaces: true, startsOver: true });
  await sendPieces(begun, file, new AbortController().signal, () => undefined);
}

/** Whether there is no such file any more. */
export const isGone = (error: unknown): boolean => error instanceof ORPCError && error.code === 'NOT_FOUND';
