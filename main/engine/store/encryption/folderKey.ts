/**
 * The key for secrets that outlive a run, on machines without a keychain. It is a file of the data folder that only its
 * owner may read. It protects databases and their copies, but not from a reader of the whole folder.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '#contract/core/errors.ts';
import { isMissingFile, readProblem } from '#contract/core/systemCode.ts';
import { DataUnreadableError } from '../sqlite/database.ts';
import { makeFolder, moveIntoPlace } from '../sqlite/fsync.ts';

const KEY_BYTES = 32;

const folderKeyPath = (dataDir: string): string => join(dataDir, 'folder-key');

/**
 * Null where the file is missing or contains no valid key. Throws where it cannot be read: a new key would replace it.
 */
export function readFolderKey(dataDir: string): Buffer | null {
  const file = folderKeyPath(dataDir);
  try {
    const key = readFileSync(file);
    return key.length === KEY_BYTES ? key : null;
  } catch (error) {
    // The file was never created or was removed. The users of the key report the consequence.
    if (isMissingFile(error)) return null;
    const reason = readProblem(error) ?? messageOf(error);
    throw new DataUnreadableError(`${file} cannot be read: ${reason}.`, { cause: error });
  }
}

/** Returns the key of the folder. Creates it where it is missing. */
export function folderKey(dataDir: string): Buffer {
  const existing = readFolderKey(dataDir);
  if (existing !== null) return existing;
  makeFolder(dataDir);
  const file = folderKeyPath(dataDir);
  const key = randomBytes(KEY_BYTES);
  writeFileSync(`${file}.part`, key, { mode: 0o600 });
  moveIntoPlace(`${file}.part`, file);
  return key;
}
