/** Paths inside a volume, with `/` between names; empty is the volume itself. */

export const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** The folders from the volume down to this one, each with its path. */
export function crumbsOf(path: string): { name: string; path: string }[] {
  const names = path === '' ? [] : path.split('/');
  return names.map((name, index) => ({ name, path: names.slice(0, index + 1).join('/') }));
}

/** Why a name cannot be given to a file; null where it can. */
export function nameProblem(name: string, others: readonly string[]): string | null {
  if (name === '') return 'Give it a name.';
  if (name === '.' || name === '..' || name.includes('/') || name.includes('\0'))
    return `"${name}" is no name of a file.`;
  if (others.includes(name)) return `There is "${name}" in this folder already.`;
  return null;
}
