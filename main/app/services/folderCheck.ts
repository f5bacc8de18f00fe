/** Looks into a folder that a person wants to serve: whether it is there, and what would be run. */
import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FolderCheck } from '#contract/app/endpointReadModels.ts';
import type { FolderReading } from '#contract/local/folder.ts';

/** Longer ones say more than a template needs. */
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

/** `~` is the person's own folder. `read`: asks the engine, which is to run it. */
export async function checkFolder(
  input: string,
  read: (imageName: string) => Promise<FolderReading>,
): Promise<FolderCheck> {
  const text = input.trim();
  const path = text === '~' || /^~[/\\]/.test(text) ? join(homedir(), text.slice(1)) : text;
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
