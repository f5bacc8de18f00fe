/** Paths in a Pod, as the page asks for them: names from the root of its file system on, without a way round. */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';

/** The name of an unfinished upload beside its final path. */
const PART = /^\.hangar-part-[0-9a-f]{16}$/;

export const isPart = (name: string): boolean => PART.test(name);
export const partName = (random: string): string => `.hangar-part-${random}`;

/** What a server may call a file: a name that leads elsewhere is not shown, and never asked for. */
export const isName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name) && name.isWellFormed();

/** From the root on; `''` is the root itself. BAD_REQUEST where a name of it is none. */
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
