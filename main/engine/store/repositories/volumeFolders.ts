/** The folders of network volumes, in one parent folder of the engine's data. */
import { chmodSync, mkdirSync } from 'node:fs';
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
 * `mask`: permission bits that the folder of a volume does not get. It takes less than the mask of the engine's own files, because
 * containers run as other users.
 */
export function createVolumeFolders(root: string, mask = 0o022): VolumeFolders {
  return {
    path: (folder) => path.join(root, folder),
    make(name, id) {
      const words = plain(name);
      const folder = words === '' ? id : `${words}-${id}`;
      try {
        mkdirSync(path.join(root, folder), { recursive: true });
        chmodSync(path.join(root, folder), 0o777 & ~mask);
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
