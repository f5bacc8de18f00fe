/** Reads files of volumes, Pods and this computer in pieces. */
import { ORPCError } from '@orpc/client';
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import { t } from '../../language/text.ts';
import { api } from '../transport/orpc.ts';
import { TransferRefused } from './transferRefused.ts';

type ReadInput = Parameters<typeof api.files.read>[0];
/** A file; `sizeBytes`: its size when it was listed. */
export type ListedFile = Omit<ReadInput, 'from'>;

/** The details of a refused read, beside the app's message. */
const refusalSchema = z.object({ status: z.number().optional() });

/** Whether a read was refused because the file has no byte at that place. */
const isEmptyRange = (error: unknown): boolean =>
  error instanceof ORPCError && refusalSchema.safeParse(error.data).data?.status === 416;

/** One full piece (`limits.page.pieceBytes`) from a place on, or fewer bytes at the end; none at or behind the end. */
export async function readAt(file: ListedFile, from: number, signal?: AbortSignal): Promise<Blob> {
  const { accountId, holder, path, sizeBytes } = file;
  try {
    return (await api.files.read({ accountId, holder, path, from, sizeBytes }, signal && { signal })).bytes;
  } catch (error) {
    if (isEmptyRange(error)) return new Blob();
    throw error;
  }
}

/** One full piece of a file that had `sizeBytes` bytes, or fewer at its end. Rejects if the file became shorter. */
export async function pieceIn(file: ListedFile, start: number, signal: AbortSignal): Promise<Blob> {
  const end = Math.min(start + limits.page.pieceBytes, file.sizeBytes);
  const parts: Blob[] = [];
  for (let from = start; from < end;) {
    const bytes = await readAt(file, from, signal);
    if (bytes.size === 0) {
      throw new TransferRefused(t`The file ${file.path} became shorter while it was read. Try again.`);
    }
    parts.push(bytes);
    from += bytes.size;
  }
  // A file that grew meanwhile is read as large as it was.
  return new Blob(parts).slice(0, end - start);
}

/**
 * The pieces from a place to the end of the file, which is read as large as it is then: it may have grown since it was
 * listed. The caller sees by the sum of the pieces if it became shorter.
 */
export async function* piecesFrom(file: ListedFile, from: number, signal: AbortSignal): AsyncGenerator<Blob> {
  for (let at = from; ;) {
    signal.throwIfAborted();
    const piece = await readAt(file, at, signal);
    if (piece.size === 0) return;
    yield piece;
    at += piece.size;
    if (piece.size < limits.page.pieceBytes && at >= file.sizeBytes) return;
  }
}
