/** The folders of network volumes, in one parent folder of the engine's data. */
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { systemCode } from '#contract/core/systemCode.ts';
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
 * Every user of a container may write to its volume, as in the cloud: many images run as a user of their own. No other user of this
 * machine gets there, because the parent folder is private.
 */
const FOR_ALL = 0o777;

/** `mask`: permission bits that earlier versions took from the folder of a volume. */
export function createVolumeFolders(root: string, mask = 0o022): VolumeFolders {
  return {
    path: (folder) => path.join(root, folder),
    make(name, id) {
      const words = plain(name);
      const folder = words === '' ? id : `${words}-${id}`;
      try {
        const at = path.join(root, folder);
        const isNew = mkdirSync(at, { recursive: true }) !== undefined;
        // A container may have changed the permissions of its volume: these stay.
        if (isNew || (statSync(at).mode & 0o777) === (FOR_ALL & ~mask)) chmodSync(at, FOR_ALL);
      } catch (cause) {
        throw new AppError('STORAGE_FULL', `The folder of the volume cannot be made: ${messageOf(cause)}.`, {
          cause,
        });
      }
      return folder;
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
