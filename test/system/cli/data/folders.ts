/** Folders with many files for moves of data, and what is in them. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** A folder that goes with the scope that holds it. */
export async function newFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'hangar-data-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Makes `count` different files of `bytes` each. */
export async function fillFolder(folder: string, count: number, bytes: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let number = 0; number < count; number += 1) {
    await writeFile(join(folder, `file-${number}.bin`), Buffer.alloc(bytes, `content of file ${number} `));
  }
}

/** The digest of each file below the folder, by its path. */
export async function digestsOf(folder: string): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    digests[relative(folder, path)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return digests;
}

/** Variables of a person whose folders all lie below `home`, and who names no data folder. */
export const personOf = (home: string): Record<string, string | undefined> => ({
  HOME: home,
  HANGAR_HOME: undefined,
  XDG_STATE_HOME: undefined,
  XDG_CONFIG_HOME: undefined,
  XDG_CACHE_HOME: undefined,
});
