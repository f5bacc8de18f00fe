/** Checks a folder that a person wants to serve: whether it exists, and what would run. */
import { readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FolderCheck } from '#contract/app/endpointReadModels.ts';
import type { FolderReading } from '#contract/local/folder.ts';
import { expandHome } from './wholePath.ts';

/** A longer readme is cut: a template needs no more. */
const README_LENGTH = 64 * 1024;

async function readmeOf(path: string, names: string[]): Promise<string | null> {
  const name = names.find((entry) => entry.toLowerCase() === 'readme.md');
  if (name === undefined) return null;
  const text = await readFile(join(path, name), 'utf8');
  return text.length > README_LENGTH ? null : text;
}

const refused = (problem: string): FolderCheck => ({
  imageName: null,
  handler: null,
  problem,
  readme: null,
  reading: null,
});

const reasons: Record<string, string> = {
  ENOENT: 'There is no such folder on this computer.',
  ENOTDIR: 'That is a file. Name the folder it is in.',
  EACCES: 'Hangar may not look into this folder.',
  EPERM: 'Hangar may not look into this folder.',
};

/** `~` is the person's home folder. `read`: requests the reading of the engine, which runs the folder. */
export async function checkFolder(
  input: string,
  read: (imageName: string) => Promise<FolderReading>,
): Promise<FolderCheck> {
  const path = expandHome(input);
  if (path === '') return refused('Name a folder of this computer.');
  if (!isAbsolute(path)) return refused('Write the whole path, from the root of the disk or from ~.');
  let readme: string | null;
  try {
    readme = await readmeOf(path, await readdir(path));
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    return refused(reasons[code] ?? `The folder cannot be read (${code}).`);
  }
  const imageName = pathToFileURL(path).href;
  const reading = await read(imageName);
  return { imageName, handler: reading.file, problem: reading.problem, readme, reading };
}
