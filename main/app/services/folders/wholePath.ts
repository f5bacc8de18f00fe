/** Paths of this computer as a person types them. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import { errorCode } from '../../platform/systemError.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'is not there. Check its spelling, or choose another folder',
  ENOTDIR: 'is a file. Name the folder that it is in',
  EACCES: 'may not be used by Hangar. Change its permissions, or choose another folder',
  EPERM: 'may not be used by Hangar. Change its permissions, or choose another folder',
  EROFS: 'is on a disk that is read-only. Choose another folder',
  ENOSPC: 'is on a disk that is full. Free some space, or choose another folder',
};

/** `~` at the start is the home folder of the person. */
export function expandHome(text: string): string {
  const typed = text.trim();
  return typed === '~' || /^~[/\\]/.test(typed) ? join(homedir(), typed.slice(1)) : typed;
}

/**
 * The absolute path of `text`, where `~` is the home folder of the person. Throws BAD_REQUEST if it is not absolute.
 */
export function wholePath(text: string): string {
  const path = expandHome(text);
  if (!isAbsolute(path)) {
    throw new AppError('BAD_REQUEST', 'Write the whole path, from the root of the disk or from ~.');
  }
  return resolve(path);
}

/** The error of the system about a folder, for a person. */
export function folderError(path: string, thrown: unknown): AppError {
  const code = errorCode(thrown) ?? 'unknown error';
  const reason = reasons[code] ?? `cannot be used (${code})`;
  return new AppError(code === 'ENOENT' ? 'NOT_FOUND' : 'CONFLICT', `${path} ${reason}.`, { cause: thrown });
}
