/** Compares paths of this computer by where they really lead. */
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { errorCode } from '../../platform/systemError.ts';

/** The real path, also of what is not there yet: then from the closest folder that is. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = errorCode(error);
    if ((code !== 'ENOENT' && code !== 'ENOTDIR') || dirname(path) === path) return path;
    return join(await realPath(dirname(path)), relative(dirname(path), path));
  }
}

/** Whether `path` is `folder` or in it. Both are real paths. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}
