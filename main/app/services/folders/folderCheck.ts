/** Checks a folder that a person wants to serve: whether it exists, and what would run. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { countsAsEmpty, type FolderCheck } from '#contract/app/endpointReadModels.ts';
import { NODE_HANDLERS, PYTHON_HANDLERS, type FolderReading } from '#contract/local/folder.ts';
import { expandHome } from './wholePath.ts';

/** A longer readme is cut: a template needs no more. */
const README_LENGTH = 64 * 1024;

async function readmeOf(path: string, names: string[]): Promise<string | null> {
  const name = names.find((entry) => entry.toLowerCase() === 'readme.md');
  if (name === undefined) return null;
  const text = await readFile(join(path, name), 'utf8');
  return text.length > README_LENGTH ? null : text;
}

const refused = (problem: string, folderOfFile: string | null = null): FolderCheck => ({
  imageName: null,
  handler: null,
  problem,
  isEmpty: false,
  folderOfFile,
  readme: null,
  reading: null,
});

const reasons: Record<string, string> = {
  ENOENT: 'There is no such folder on this computer.',
  ENOTDIR: 'A part of this path is a file, not a folder.',
  EACCES: 'Hangar may not look into this folder.',
  EPERM: 'Hangar may not look into this folder.',
};

/** Says of a file that only its folder can be served, and whether the file is one that would run there. */
function refusedFile(path: string): FolderCheck {
  const name = basename(path);
  const isHandler = [...NODE_HANDLERS, ...PYTHON_HANDLERS].some((one) => basename(one) === name);
  const problem = isHandler
    ? `${name} is a file. Choose the folder that it is in: Hangar finds the handler there.`
    : `${name} is a file, and not one that Hangar runs as a handler (${NODE_HANDLERS.join(', ')}, ${PYTHON_HANDLERS[0]}). Choose the folder that it is in, then write a handler there that uses the file, or enter a command.`;
  return refused(problem, dirname(path));
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );

/** `~` is the person's home folder. `read`: requests the reading of the engine, which runs the folder. */
export async function checkFolder(
  input: string,
  read: (imageName: string) => Promise<FolderReading>,
): Promise<FolderCheck> {
  const path = expandHome(input);
  if (path === '') return refused('Name a folder of this computer.');
  if (!isAbsolute(path)) return refused('Write the whole path, from the root of the disk or from ~.');
  let names: string[];
  let readme: string | null;
  try {
    names = await readdir(path);
    readme = await readmeOf(path, names);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    if (code === 'ENOTDIR' && (await isFile(path))) return refusedFile(path);
    return refused(reasons[code] ?? `The folder cannot be read (${code}).`);
  }
  const imageName = pathToFileURL(path).href;
  const reading = await read(imageName);
  return {
    imageName,
    handler: reading.file,
    problem: reading.problem,
    isEmpty: countsAsEmpty(names),
    folderOfFile: null,
    readme,
    reading,
  };
}
