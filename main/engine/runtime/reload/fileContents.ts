/** Compares the content of files with their last known content. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { systemCode } from '#contract/core/systemCode.ts';

/** Larger files are compared only by time and size, bytes. */
const READ_BYTES = 512 * 1024;

/** Errors for a missing file, or one that this user may not read. A handler cannot read it either. */
const UNREADABLE: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'EACCES',
  'EPERM',
]);

/**
 * A digest of a file; null where the file is missing or not readable. Rejects where the machine fails, for example
 * without free file handles.
 */
async function fingerprint(file: string): Promise<string | null> {
  try {
    const { size, mtimeMs, mode } = await stat(file);
    if (size > READ_BYTES) return `${size} ${mtimeMs}`;
    return `${mode} ${createHash('sha1')
      .update(await readFile(file))
      .digest('base64')}`;
  } catch (error) {
    if (UNREADABLE.has(systemCode(error))) return null;
    throw error;
  }
}

export interface FileContents {
  /** Forgets everything, then reads these files. */
  readAll(files: readonly string[]): Promise<void>;
  /** Reads a file again. Returns whether its content differs from the last known one. */
  hasChanged(file: string): Promise<boolean>;
}

export function createFileContents(): FileContents {
  let fingerprints = new Map<string, string>();
  return {
    async readAll(files) {
      const read = new Map<string, string>();
      for (const file of files) {
        const print = await fingerprint(file);
        if (print !== null) read.set(file, print);
      }
      fingerprints = read;
    },
    async hasChanged(file) {
      const print = await fingerprint(file);
      if (print === (fingerprints.get(file) ?? null)) return false;
      if (print === null) fingerprints.delete(file);
      else fingerprints.set(file, print);
      return true;
    },
  };
}
