/** Deletes a folder with all its content and nothing else, even while other programs move entries in it. */
import { randomBytes } from 'node:crypto';
import { readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { holdFolder, isMissing, type Folder } from './resolveWithin.ts';

/** The maximum number of open folders. Deeper folders are first moved up. */
const DEEPEST = 64;

// A name may be invalid text, so it is handled as bytes.
const below = (folder: Folder, name: Buffer): Buffer => Buffer.concat([Buffer.from(`${folder.path}/`), name]);

const unlessMissing = (error: unknown): void => {
  if (!isMissing(error)) throw error;
};

async function empty(folder: Folder, top: Folder, depth: number): Promise<void> {
  // Repeat until the folder is empty: entries may have been moved up or written meanwhile.
  for (;;) {
    const entries = await readdir(folder.path, { withFileTypes: true, encoding: 'buffer' });
    if (entries.length === 0) return;
    for (const entry of entries) {
      const at = below(folder, entry.name);
      if (!entry.isDirectory()) await unlink(at).catch(unlessMissing);
      else if (depth < DEEPEST) await removeFolder(at, top, depth + 1);
      else await rename(at, below(top, Buffer.from(`.hangar-deep-${randomBytes(8).toString('hex')}`)));
    }
  }
}

/** Deletes the folder at `at`, which must not be a link. Removes links without following them. */
export async function removeFolder(at: string | Buffer, top: Folder | null = null, depth = 0): Promise<void> {
  const folder = await holdFolder(at);
  try {
    await empty(folder, top ?? folder, depth);
  } finally {
    await folder.close();
  }
  await rmdir(at);
}
