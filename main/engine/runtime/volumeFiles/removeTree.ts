/** Deletes a folder with everything in it, and nothing but that, while others may be moving things about in it. */
import { randomBytes } from 'node:crypto';
import { readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { holdFolder, isMissing, type Folder } from './resolveWithin.ts';

/** So many folders are held open at once; what lies deeper is brought up first. */
const DEEPEST = 64;

// Names that are no text are names as well.
const below = (folder: Folder, name: Buffer): Buffer => Buffer.concat([Buffer.from(`${folder.path}/`), name]);

const unlessMissing = (error: unknown): void => {
  if (!isMissing(error)) throw error;
};

async function empty(folder: Folder, top: Folder, depth: number): Promise<void> {
  // Again until nothing is found: something may have been brought up, or written, meanwhile.
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

/** `at` must be a folder itself; links are removed and never followed. */
export async function removeFolder(at: string | Buffer, top: Folder | null = null, depth = 0): Promise<void> {
  const folder = await holdFolder(at);
  try {
    await empty(folder, top ?? folder, depth);
  } finally {
    await folder.close();
  }
  await rmdir(at);
}
