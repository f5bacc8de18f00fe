/** Paths in a Pod from the page: names from the root of its file system, without `.` or `..`. */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';

/** The name of an unfinished upload beside its final path. */
const PART = /^\.hangar-part-[0-9a-f]{16}$/;

export const isPart = (name: string): boolean => PART.test(name);
export const partName = (random: string): string => `.hangar-part-${random}`;

/** Whether a server's file name is valid. An invalid one is neither shown nor requested. */
export const isName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name) && name.isWellFormed();

/** The path from the root; `''` is the root itself. BAD_REQUEST if one of the names is invalid. */
export function placeOf(path: string): string {
  if (path === '') return '/';
  const names = path.split('/');
  const { depth } = limits.volumeFiles;
  const shown = JSON.stringify(path.slice(0, 200));
  if (!names.every(isName)) {
    throw new AppError(
      'BAD_REQUEST',
      `The path ${shown} holds an empty name, "." or "..": name the folders themselves.`,
    );
  }
  if (names.length > depth) {
    throw new AppError(
      'BAD_REQUEST',
      `The path ${shown} is ${names.length} folders deep; at most ${depth} are reached.`,
    );
  }
  if (names.some(isPart)) {
    throw new AppError(
      'BAD_REQUEST',
      `The path ${shown} has a name that Hangar keeps for files that are being written.`,
    );
  }
  return `/${path}`;
}
