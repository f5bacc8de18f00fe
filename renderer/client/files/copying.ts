/**
 * Copies and moves files between volumes, Pods and this computer. The app does it; the page says what, and shows how
 * far it is.
 */
import type { VolumeFile } from '#contract/local/files.ts';
import { api, errorText } from '../transport/orpc.ts';
import { isChanged, sendByApp } from './sending.ts';
import { TransferRefused } from './transferRefused.ts';
import { add, change, isTaken, noteDone, type FolderMaker, type Place, type Sending } from './transfers.ts';
import { t } from '../../language/text.ts';

type FileFacts = Pick<VolumeFile, 'sizeBytes' | 'modifiedAt'>;

async function copy(id: number, from: Place, to: Place, file: FileFacts, how: Sending, signal: AbortSignal) {
  const { sizeBytes, modifiedAt } = file;
  const begun = await api.files.beginUpload({ ...to, sizeBytes, modifiedAt: Date.parse(modifiedAt), ...how });
  const fill = () => api.files.fillUpload({ ...begun, from, sizeBytes });
  const shorter = () => new TransferRefused(t`The file ${from.path} became shorter while it was read. Try again.`);
  await sendByApp(begun, fill, shorter, signal, (doneBytes) => noteDone(id, doneBytes));
}

/** Copies a file of a volume, a Pod or this computer to a place in any of them. `makeFolders` as `upload` has it. */
export function copyFile(from: Place, to: Place, file: FileFacts, makeFolders: FolderMaker): void {
  add(to, 'copy', file.sizeBytes, (how) => async ({ id }, signal) => {
    await makeFolders(to);
    signal.throwIfAborted();
    await copy(id, from, to, file, how, signal);
  });
}

/** Rejects unless both files have the same bytes, and the first one is what it was when it was listed. */
async function compare(id: number, from: Place, to: Place, { sizeBytes, modifiedAt }: FileFacts, signal: AbortSignal) {
  try {
    const progress = await api.files.compare({ from, to, sizeBytes, modifiedAt }, { signal });
    for await (const { doneBytes } of progress) noteDone(id, doneBytes);
  } catch (error) {
    if (!isChanged(error)) throw error;
    throw new TransferRefused(
      t`One of the two files was changed in the meantime. Nothing was deleted: delete the copy, then move the file again.`,
    );
  }
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
    await compare(id, from, to, file, signal);
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
