/** Paths inside a volume, with `/` between names; an empty path is the volume itself. */
import { t } from '../../language/text.ts';

export const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** The folder that holds this one; the volume itself has none and is its own. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The folders from the volume to this one, each with its path. */
export function crumbsOf(path: string): { name: string; path: string }[] {
  const names = path === '' ? [] : path.split('/');
  return names.map((name, index) => ({ name, path: names.slice(0, index + 1).join('/') }));
}

/** Why a file cannot have this name; null if it can. */
export function nameProblem(name: string, others: readonly string[]): string | null {
  if (name === '') return t`Enter a name.`;
  if (name === '.' || name === '..' || name.includes('/') || name.includes('\0'))
    return t`"${name}" is not a valid file name.`;
  if (others.includes(name)) return t`"${name}" already exists in this folder.`;
  return null;
}
