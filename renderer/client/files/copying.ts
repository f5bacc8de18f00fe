/** Copies and moves files between volumes and Pods, by way of this page. */
import type { VolumeFile } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import { api, errorText } from '../transport/orpc.ts';
import { readAt } from './reading.ts';
import { sendPieces, TransferRefused } from './sending.ts';
import { add, change, isTaken, noteDone, type FolderMaker, type Place, type Sending } from './transfers.ts';
import { t } from '../../language/text.ts';

/** One full piece of a file that had `sizeBytes` bytes, or fewer at its end. Rejects if the file became shorter. */
export async function pieceIn(place: Place, start: number, sizeBytes: number, signal: AbortSignal): Promise<Blob> {
  const end = Math.min(start + limits.page.pieceBytes, sizeBytes);
  const parts: Blob[] = [];
  for (let from = start; from < end;) {
    const bytes = await readAt({ ...place, sizeBytes }, from, signal);
    if (bytes.size === 0) {
      throw new TransferRefused(t`The file ${place.path} became shorter while it was read. Try again.`);
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

async function areSame(one: Blob, other: Blob): Promise<boolean> {
  if (one.size !== other.size) return false;
  const [a, b] = await Promise.all([one.arrayBuffer(), other.arrayBuffer()]);
  const [x, y] = [new Uint8Array(a), new Uint8Array(b)];
  return x.every((byte, at) => byte === y[at]);
}

/** Whether a file has a byte at this place. */
const hasByteAt = async (place: Place, at: number, signal: AbortSignal): Promise<boolean> =>
  (await readAt({ ...place, sizeBytes: at }, at, signal)).size > 0;

const changed = (): TransferRefused =>
  new TransferRefused(
    t`One of the two files was changed meanwhile. Nothing was deleted: delete the copy, then move the file again.`,
  );

/** Rejects unless both files have the same bytes. */
async function compare(id: number, from: Place, to: Place, sizeBytes: number, signal: AbortSignal): Promise<void> {
  const pieces = (start: number) =>
    Promise.all([pieceIn(from, start, sizeBytes, signal), pieceIn(to, start, sizeBytes, signal)]);
  for (let start = 0; start < sizeBytes; start += limits.page.pieceBytes) {
    signal.throwIfAborted();
    if (!(await areSame(...(await pieces(start))))) throw changed();
    noteDone(id, Math.min(start + limits.page.pieceBytes, sizeBytes));
  }
  if ((await hasByteAt(from, sizeBytes, signal)) || (await hasByteAt(to, sizeBytes, signal))) throw changed();
}

/** Rejects if a file has another size or time of change than `facts`. One that is beyond its list is not checked. */
async function refuseChanged(place: Place, facts: FileFacts, signal: AbortSignal): Promise<void> {
  const end = place.path.lastIndexOf('/');
  const { entries } = await api.files.list({ ...place, path: place.path.slice(0, Math.max(0, end)) }, { signal });
  const now = entries.find(({ name }) => name === place.path.slice(end + 1));
  if (now && (now.sizeBytes !== facts.sizeBytes || now.modifiedAt !== facts.modifiedAt)) throw changed();
}

/** Copies a file to a place that is free: the taken one may be the file itself, by the way of another holder. */
async function copyToFree(id: number, from: Place, to: Place, file: FileFacts, how: Sending, signal: AbortSignal) {
  try {
    await copy(id, from, to, file, { ...how, replaces: false }, signal);
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new TransferRefused(t`${errorText(error)} Moving never replaces a file. Rename one of them.`);
  }
}

/**
 * Moves a file to another volume or Pod: copies it, compares every byte, and only then deletes the original. Whatever
 * stops it before that leaves the original. It never replaces a file. Calls `onMoved` after that.
 */
export function moveFile(
  from: Place,
  to: Place,
  file: FileFacts,
  { makeFolders, onMoved }: { makeFolders: FolderMaker; onMoved: () => Promise<void> },
): void {
  let isCopied = false;
  add(to, 'move', file.sizeBytes, (how) => async ({ id }, signal) => {
    change(id, { stage: 'send' });
    if (!isCopied) {
      await makeFolders(to);
      signal.throwIfAborted();
      await copyToFree(id, from, to, file, how, signal);
      isCopied = true;
    }
    change(id, { stage: 'compare' });
    await compare(id, from, to, file.sizeBytes, signal);
    // While later pieces are compared, a program may write into the earlier ones.
    if (file.sizeBytes > limits.page.pieceBytes) await refuseChanged(from, file, signal);
    signal.throwIfAborted();
    try {
      await api.files.remove(from);
    } catch (error) {
      throw new TransferRefused(t`It was copied, but the original was not deleted: ${errorText(error)}`);
    }
    // A folder that cannot be removed stays, where the person sees it; the file has been moved.
    await onMoved().catch(() => undefined);
  });
}
