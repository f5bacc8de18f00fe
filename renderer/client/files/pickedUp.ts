/** Files that a person picked up in one folder, to copy or move them into another: of any volume or Pod. */
import { create } from 'zustand';
import * as z from 'zod';
import { fileHolderSchema, volumeFileSchema, type VolumeFile } from '#contract/local/files.ts';
import { api, errorText, orpc, queryClient } from '../transport/orpc.ts';
import { copyFile, moveFile } from './copying.ts';
import { TransferRefused } from './transferRefused.ts';
import { createFolderMaker, type Place } from './transfers.ts';
import { below, filesBelow, type BelowEntry } from './tree.ts';
import { t } from '../../language/text.ts';

export interface PickedUp {
  /** The folder that they are in. */
  readonly folder: Place;
  /** The name of its volume or Pod. */
  readonly holderName: string;
  readonly entries: readonly VolumeFile[];
}

const pickedUpSchema: z.ZodType<PickedUp> = z.object({
  folder: z.object({ accountId: z.string(), holder: fileHolderSchema, path: z.string() }),
  holderName: z.string(),
  entries: z.array(volumeFileSchema),
});

const KEY = 'hangar.pickedUp';

/** What was picked up before this tab was loaded anew, which the page also does by itself (`lazyPart.ts`). */
function readKept(): PickedUp | null {
  try {
    return pickedUpSchema.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null')).data ?? null;
  } catch {
    // The browser has disabled its storage, or has another text there: nothing was picked up.
    return null;
  }
}

function keep(picked: PickedUp | null): void {
  try {
    sessionStorage.removeItem(KEY);
    if (picked !== null) sessionStorage.setItem(KEY, JSON.stringify(picked));
  } catch {
    // The storage is disabled or full: what was picked up lasts until the page is loaded anew.
  }
}

export const usePickedUp = create<{ picked: PickedUp | null }>(() => ({ picked: readKept() }));

/** Picks files up, instead of those before; null picks nothing up. They stay picked up over a reload of this tab. */
export function pickUp(picked: PickedUp | null): void {
  usePickedUp.setState({ picked });
  keep(picked);
}

/** Whether both are in the same volume or Pod, where a file moves by a new name. */
export const isSameHolder = (one: Omit<Place, 'path'>, other: Omit<Place, 'path'>): boolean =>
  one.accountId === other.accountId && one.holder.in === other.holder.in && one.holder.id === other.holder.id;

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

const words = (error: unknown): string => (error instanceof TransferRefused ? error.message : errorText(error));

/**
 * Copies what was picked up into the folder `to`, as transfers. Links out of their volume and what is no file are left
 * out. Resolves with why some could not be copied.
 */
export async function copyInto({ folder, entries }: PickedUp, to: Place): Promise<string[]> {
  const makeFolders = createFolderMaker(to.path);
  const problems: string[] = [];
  for (const entry of entries) {
    try {
      if (isSameHolder(folder, to) && entry.kind === 'folder' && isInside(to.path, below(folder.path, entry.name))) {
        throw new TransferRefused(t`The folder ${entry.name} cannot be copied into itself.`);
      }
      for (const { path, entry: one } of await filesBelow(folder, entry.name, entry)) {
        const target = { ...to, path: below(to.path, path) };
        if (one.kind === 'folder') await makeFolders({ ...to, path: `${target.path}/-` });
        else copyFile({ ...folder, path: below(folder.path, path) }, target, one, makeFolders);
      }
    } catch (error) {
      problems.push(words(error));
    }
  }
  await queryClient.invalidateQueries({ queryKey: orpc.files.list.key() });
  return problems;
}

/** Moves what was picked up within one volume or Pod, where each gets a new path. */
async function moveWithin({ folder, entries }: PickedUp, to: Place): Promise<string[]> {
  const problems: string[] = [];
  for (const { name } of entries) {
    try {
      await api.files.move({ ...folder, path: below(folder.path, name), to: below(to.path, name) });
    } catch (error) {
      problems.push(errorText(error));
    }
  }
  await queryClient.invalidateQueries({ queryKey: orpc.files.list.key() });
  return problems;
}

/** The paths of the folders above `path`, the nearest first. */
function foldersAbove(path: string): string[] {
  const end = path.lastIndexOf('/');
  return end === -1 ? [] : [path.slice(0, end), ...foldersAbove(path.slice(0, end))];
}

/**
 * Removes the folders that a move has emptied, each as soon as nothing of it is left to be moved. A folder that has an
 * entry which was not moved stays.
 */
function createFolderRemover(folder: Place, moved: readonly BelowEntry[]): (one: BelowEntry) => Promise<void> {
  const left = new Map<string, number>();
  const above = ({ path, entry }: BelowEntry): string[] =>
    entry.kind === 'folder' ? [path, ...foldersAbove(path)] : foldersAbove(path);
  for (const one of moved) for (const path of above(one)) left.set(path, (left.get(path) ?? 0) + 1);
  return async (one) => {
    for (const path of above(one)) {
      const count = (left.get(path) ?? 0) - 1;
      left.set(path, count);
      if (count > 0) continue;
      const place = { ...folder, path: below(folder.path, path) };
      // The folders above it are not empty then, either.
      if ((await api.files.list(place)).entries.length > 0) return;
      await api.files.remove({ ...place, onlyEmpty: true });
    }
  };
}

/** Moves what was picked up to another volume or Pod, as transfers that copy, compare and then delete. */
async function moveAcross({ folder, entries }: PickedUp, to: Place): Promise<string[]> {
  const makeFolders = createFolderMaker(to.path);
  const problems: string[] = [];
  for (const entry of entries) {
    try {
      if (entry.kind === 'folder' && entry.isLink === true) {
        throw new TransferRefused(
          t`${entry.name} is a link to a folder. Move the folder itself, or copy the link's files.`,
        );
      }
      const all = await filesBelow(folder, entry.name, entry);
      const removeFolders = createFolderRemover(folder, all);
      for (const one of all) {
        const { path } = one;
        const target = { ...to, path: below(to.path, path) };
        if (one.entry.kind === 'folder') {
          await makeFolders({ ...to, path: `${target.path}/-` });
          await removeFolders(one);
          continue;
        }
        const onMoved = (): Promise<void> => removeFolders(one);
        moveFile({ ...folder, path: below(folder.path, path) }, target, one.entry, { makeFolders, onMoved });
      }
    } catch (error) {
      problems.push(words(error));
    }
  }
  await queryClient.invalidateQueries({ queryKey: orpc.files.list.key() });
  return problems;
}

/** Moves what was picked up into the folder `to`. Resolves with why some could not be moved. */
export const moveInto = (picked: PickedUp, to: Place): Promise<string[]> =>
  isSameHolder(picked.folder, to) ? moveWithin(picked, to) : moveAcross(picked, to);
