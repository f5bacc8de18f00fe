/** Writes the folder of a new handler and creates an endpoint of it. Never changes what is there. */
import { access, chmod, readdir, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { aboutField, AppError } from '#contract/core/errors.ts';
import { countsAsEmpty, type NewEndpoint, type NewHandler } from '#contract/app/endpointReadModels.ts';
import { NODE_HANDLERS, PYTHON_HANDLERS } from '#contract/local/folder.ts';
import { afterChange } from '../../platform/partialChange.ts';
import { errorCode } from '../../platform/systemError.ts';
import { handlerFileOf, handlerFiles } from './handlerFiles.ts';
import { newFolder } from './newFolder.ts';
import { folderError, wholePath } from './wholePath.ts';

/** As many workers as an example of Hangar has. */
const scale = { workersMin: 0, workersMax: 3, idleTimeout: 60 };

interface MadeHandler {
  endpointId: string;
  folder: string;
  /** The absolute path of the handler's file. */
  file: string;
}

export interface HandlerTarget {
  create: (endpoint: NewEndpoint) => Promise<{ endpointId: string }>;
  /** The names of all templates: each handler needs one of its own. */
  names: () => Promise<string[]>;
  /** The folder of the files that come with Hangar. */
  resourcesDir: string;
  /** The umask of the person, whose files these are: that of Hangar denies access to other users. */
  mask: number;
}

/**
 * Writes the files of the kind and language into the folder `name` in `parent`, which is created or is empty, then creates an
 * endpoint of the same name. With `into`, `parent` is the folder itself: its own files stay, and missing ones are added.
 * Rejects with CONFLICT if the name is taken by a template, a file, or a folder with other files, or if the folder of
 * `into` already has a handler; rejects with the reason if a file cannot be written: then no file remains. If only the
 * endpoint fails, the folder stays and the error says so.
 */
export async function newHandler(
  { parent, name, kind, language, into = false }: NewHandler,
  { create, names, resourcesDir, mask }: HandlerTarget,
): Promise<MadeHandler> {
  if ((await names()).includes(name)) {
    throw new AppError(
      'CONFLICT',
      `The name "${name}" is taken by another endpoint or template. Choose another name.`,
      {
        details: { field: 'name' },
      },
    );
  }
  const all = await handlerFiles({ language, kind, name }, resourcesDir);
  const folder = await writeFolder({ parent, name, into, all }, mask).catch((thrown: unknown) => {
    throw aboutField('parent', thrown);
  });
  const imageName = pathToFileURL(folder).href;
  const template = { name, imageName, readme: all['README.md'] ?? '', isServerless: true };
  const { endpointId } = await afterChange(
    `The folder ${folder} is written. Create an endpoint from this folder.`,
    () => create({ template, endpoint: { name, ...scale } }),
  );
  return { endpointId, folder, file: join(folder, handlerFileOf(language)) };
}

/** Writes the files of a handler, of which `all` is the list. Returns their folder. */
async function writeFolder(
  { parent, name, into, all }: Required<Pick<NewHandler, 'parent' | 'name' | 'into'>> & { all: Record<string, string> },
  mask: number,
): Promise<string> {
  const above = wholePath(parent);
  const folder = into ? above : join(above, name);
  const isNew = !into && (await makeFolder(above, folder, name, mask));
  await writeAll(folder, into ? await missingFiles(folder, all) : all, isNew, mask);
  return folder;
}

/** Returns whether the folder is new; false for one that is empty. */
async function makeFolder(above: string, folder: string, name: string, mask: number): Promise<boolean> {
  try {
    await newFolder(folder, mask);
    return true;
  } catch (thrown) {
    if (errorCode(thrown) !== 'EEXIST') throw folderError(above, thrown);
  }
  if (await isEmpty(folder)) return false;
  throw new AppError('CONFLICT', `${above} already contains ${name}. Choose another name or an empty folder.`, {
    details: { field: 'name' },
  });
}

/** The files that the folder lacks. A folder with a handler is refused: it would run in place of the new one. */
async function missingFiles(
  folder: string,
  all: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  for (const name of [...NODE_HANDLERS, ...PYTHON_HANDLERS]) {
    if (!(await exists(join(folder, name)))) continue;
    throw new AppError(
      'CONFLICT',
      `${folder} already has the handler ${name}. Create an endpoint from this folder, or give the new handler a folder of its own.`,
    );
  }
  try {
    const names = new Set(await readdir(folder));
    return Object.fromEntries(Object.entries(all).filter(([name]) => !names.has(name)));
  } catch (thrown) {
    throw folderError(folder, thrown);
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function isEmpty(folder: string): Promise<boolean> {
  try {
    return countsAsEmpty(await readdir(folder));
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOTDIR') return false;
    throw folderError(folder, thrown);
  }
}

async function writeAll(
  folder: string,
  files: Readonly<Record<string, string>>,
  isNew: boolean,
  mask: number,
): Promise<void> {
  const written: string[] = [];
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      // `wx` fails where a file exists.
      await writeFile(path, text, { flag: 'wx' });
      written.push(path);
      await chmod(path, 0o666 & ~mask);
    }
  } catch (thrown) {
    // The folder stays only if somebody else has put something into it.
    for (const path of written) await unlink(path).catch(() => undefined);
    if (isNew) await rmdir(folder).catch(() => undefined);
    throw folderError(folder, thrown);
  }
}
