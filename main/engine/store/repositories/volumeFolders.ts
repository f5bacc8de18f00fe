/** The folders of network volumes, in one parent folder of the engine's data. */
import { chmodSync, closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { systemCode } from '#contract/core/systemCode.ts';
import type { Logger } from '../../domain/core/ports.ts';
import type { VolumeFolders } from '../../domain/resources/ports.ts';

/** Replaces the characters that some file system does not accept in a name. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 60)
    .toLowerCase();

/**
 * Every user of a container may write to its volume, as in the cloud: many images run as a user of their own. No other
 * user of this machine gets there, because the parent folder is private.
 */
const FOR_ALL = 0o777;

/** The folder itself: a link is not followed. */
const FOLDER_ITSELF = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Earlier versions made folders with 777 less the mask of the person, which is 022 on most machines. */
const isOfEarlierVersion = (permissions: number, mask: number): boolean =>
  permissions === 0o755 || permissions === (FOR_ALL & ~mask);

/** Throws where there is no such folder, where it is a link, and where it belongs to another user. */
function openFolderToAll(at: string, mask: number): void {
  // Windows has no such permissions.
  if (process.platform === 'win32') return;
  const folder = openSync(at, FOLDER_ITSELF);
  try {
    const { mode } = fstatSync(folder);
    if (isOfEarlierVersion(mode & 0o777, mask)) fchmodSync(folder, (mode & 0o7777) | FOR_ALL);
  } finally {
    closeSync(folder);
  }
}

/** `mask`: permission bits that earlier versions took from the folder of a volume. */
export function createVolumeFolders(root: string, logger: Logger, mask = 0o022): VolumeFolders {
  return {
    path: (folder) => path.join(root, folder),
    make(name, id) {
      const words = plain(name);
      const folder = words === '' ? id : `${words}-${id}`;
      try {
        const at = path.join(root, folder);
        const isNew = mkdirSync(at, { recursive: true }) !== undefined;
        if (isNew) chmodSync(at, FOR_ALL);
        // A container may have changed the permissions of its volume: these stay.
        else openFolderToAll(at, mask);
      } catch (cause) {
        throw new AppError('STORAGE_FULL', `The folder of the volume cannot be made: ${messageOf(cause)}.`, {
          cause,
        });
      }
      return folder;
    },
    openToAll(folder) {
      try {
        openFolderToAll(path.join(root, folder), mask);
        return true;
      } catch (error) {
        const problem = messageOf(error);
        logger.warn({ folder, problem }, 'The folder of a volume could not be opened to every user of a container.');
        return false;
      }
    },
    async remove(folder) {
      // Rename it first, so that it is gone at once: the deletion may take long.
      const deletedPath = path.join(root, `.deleted-${folder}`);
      await rename(path.join(root, folder), deletedPath).catch((error: unknown) => {
        if (systemCode(error) !== 'ENOENT') throw error;
      });
      await rm(deletedPath, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
