/**
 * The key that seals what must outlive a run where no keychain keeps a key: a file of the data folder that only its owner may read. It
 * keeps secrets out of databases, their copies and what is set aside of them, but not from somebody who may read the whole folder.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, moveIntoPlace } from '../sqlite/fsync.ts';

const KEY_BYTES = 32;

/** Null where there is none, and where the file holds no key. */
export function readFolderKey(dataDir: string): Buffer | null {
  try {
    const key = readFileSync(join(dataDir, 'folder-key'));
    return key.length === KEY_BYTES ? key : null;
  } catch {
    // Never made, or taken away: what it sealed is told of where it is needed.
    return null;
  }
}

/** The key of the folder, made where there is none. */
export function folderKey(dataDir: string): Buffer {
  const there = readFolderKey(dataDir);
  if (there !== null) return there;
  makeFolder(dataDir);
  const file = join(dataDir, 'folder-key');
  const key = randomBytes(KEY_BYTES);
  writeFileSync(`${file}.part`, key, { mode: 0o600 });
  moveIntoPlace(`${file}.part`, file);
  return key;
}
