/** Creates folders of the person on this computer, with the permissions that the person's own programs give. */
import { chmod, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import { errorCode } from '../../platform/systemError.ts';
import { folderError, wholePath } from './wholePath.ts';

/** `mask`: the umask of the person; that of Hangar denies access to other users. Rejects with the error of the system. */
export async function newFolder(path: string, mask: number): Promise<void> {
  await mkdir(path);
  await chmod(path, 0o777 & ~mask);
}

/**
 * Creates the folder `text` of this computer; `~` is the home folder. The folder that it is in must exist. Rejects with
 * a sentence for a person: CONFLICT if something of this name is there.
 */
export async function makeFolder(text: string, mask: number): Promise<void> {
  const path = wholePath(text);
  try {
    await newFolder(path, mask);
  } catch (thrown) {
    if (errorCode(thrown) !== 'EEXIST') throw folderError(dirname(path), thrown);
    throw new AppError('CONFLICT', `${path} is there already. Choose another name.`);
  }
}
