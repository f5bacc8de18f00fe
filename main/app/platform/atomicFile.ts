/** Writes small files atomically and durably, readable by their owner only. */
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces the file in one step. The folder must exist. After an error of the system the old file is unchanged. */
export async function writeAtomicFile(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  // The part file of a crash may have other permissions.
  await rm(part, { force: true });
  const file = await open(part, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
  await syncNames(dirname(path));
}

/** Removes the file durably; does nothing if there is none. */
export async function removeAtomicFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncNames(dirname(path));
}

/** Windows has no such call and needs none, because its file system journals file names. */
async function syncNames(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle: FileHandle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
