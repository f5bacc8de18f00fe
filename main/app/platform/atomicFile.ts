/** A small file that is there whole or as it was before, also after a power cut, and that only its owner may read. */
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The folder must be there. Rejects with the system's error, and leaves what was there before. */
export async function writeKeptFile(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  // One that a crash has left may have other rights.
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

export async function removeKeptFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncNames(dirname(path));
}

/** Windows has no such call, and needs none: its file system journals names itself. */
async function syncNames(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle: FileHandle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
