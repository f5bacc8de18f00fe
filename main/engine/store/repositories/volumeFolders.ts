/** The folders of network volumes, below one folder of the engine's data. */
import { chmodSync, mkdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import type { VolumeFolders } from '../../domain/resources/ports.ts';

/** What every file system takes in a name. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 60)
    .toLowerCase();

/** `mask`: the permissions that a volume is not given. Containers run as users of their own, so that it is none of the engine's own files. */
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
        throw new AppError('STORAGE_FULL', `The folder of the volume cannot be made: ${(cause as Error).message}.`, {
          cause,
        });
      }
      return folder;
    },
    async remove(folder) {
      // Out of the way at once, and then as long as it takes.
      const going = path.join(root, `.deleted-${folder}`);
      await rename(path.join(root, folder), going).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      });
      await rm(going, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
