/** Copies files between volumes and Pods, by way of this page. */
import { ORPCError } from '@orpc/client';
import * as z from 'zod';
import type { VolumeFile } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import { api } from '../transport/orpc.ts';
import { sendPieces, TransferRefused } from './sending.ts';
import { add, noteDone, type FolderMaker, type Place, type Sending } from './transfers.ts';
import { t } from '../../language/text.ts';

/** The details of a refused read, beside the app's message. */
const refusalSchema = z.object({ status: z.number().optional() });

/** Whether a read was refused because the file has no byte at that place. */
export const isEmptyRange = (error: unknown): boolean =>
  error instanceof ORPCError && refusalSchema.safeParse(error.data).data?.status === 416;

/** Bytes of a file from a place on; none at or behind its end. */
async function readAt(place: Place, from: number, sizeBytes: number, signal: AbortSignal): Promise<Blob> {
  try {
    return (await api.files.read({ ...place, from, sizeBytes }, { signal })).bytes;
  } catch (error) {
    if (isEmptyRange(error)) return new Blob();
    throw error;
  }
}

/** One full piece of a file that had `sizeBytes` bytes, or fewer at its end. Rejects if the file became shorter. */
export async function pieceIn(place: Place, start: number, sizeBytes: number, signal: AbortSignal): Promise<Blob> {
  const end = Math.min(start + limits.page.pieceBytes, sizeBytes);
  const parts: Blob[] = [];
  for (let from = start; from < end;) {
    const bytes = await readAt(place, from, sizeBytes, signal);
    if (bytes.size === 0) {
      throw new TransferRefused(t`The file ${place.path} became shorter while it was read. Try it again.`);
    }
    parts.push(bytes);
    from += bytes.size;
  }
  // A file that grew meanwhile is read as large as it was.
  return new Blob(parts).slice(0, end - start);
}

type FileFacts = Pick<VolumeFile, 'sizeBytes' | 'modifiedAt'>;

async function copy(id: number, from: Place, to: Place, file: FileFacts, how: Sending, signal: AbortSignal) {
  const { sizeBytes, modifiedAt } = file;
  const begun = await api.files.beginUpload({ ...to, sizeBytes, modifiedAt: Date.parse(modifiedAt), ...how });
  const source = { size: sizeBytes, pieceAt: (start: number) => pieceIn(from, start, sizeBytes, signal) };
  await sendPieces(begun, source, signal, (doneBytes) => noteDone(id, doneBytes));
}

/** Copies a file of a volume or a Pod to a place in any of them. `makeFolders` as `upload` has it. */
export function copyFile(from: Place, to: Place, file: FileFacts, makeFolders: FolderMaker): void {
  add(to, 'copy', file.sizeBytes, (how) => async ({ id }, signal) => {
    await makeFolders(to);
    signal.throwIfAborted();
    await copy(id, from, to, file, how, signal);
  });
}
