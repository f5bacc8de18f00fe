/** Files that a person picked up in one folder, to copy or move them into another: of any volume or Pod. */
import { create } from 'zustand';
import type { VolumeFile } from '#contract/local/files.ts';
import { api, errorText, orpc, queryClient } from '../transport/orpc.ts';
import { copyFile } from './copying.ts';
import { TransferRefused } from './sending.ts';
import { createFolderMaker, type Place } from './transfers.ts';
import { below, filesBelow } from './tree.ts';
import { t } from '../../language/text.ts';

export interface PickedUp {
  /** The folder that they are in. */
  readonly folder: Place;
  /** The name of its volume or Pod. */
  readonly holderName: string;
  readonly entries: readonly VolumeFile[];
}

export const usePickedUp = create<{ picked: PickedUp | null }>(() => ({ picked: null }));

/** Picks files up, instead of those before; null picks nothing up. */
export const pickUp = (picked: PickedUp | null): void => usePickedUp.setState({ picked });

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

/** Moves what was picked up into another folder of the same volume or Pod. Resolves with why some could not be moved. */
export async function moveInto({ folder, entries }: PickedUp, to: Place): Promise<string[]> {
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
