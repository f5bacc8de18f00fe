/** File operations that survive a power failure: they sync the file, and also the folder that contains its name. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

const PART_BYTES = 1024 * 1024;

/** Makes the entries of a folder durable. Does nothing on Windows, whose file system journals names itself. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Creates a folder and its missing parents durably. */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; ; made = dirname(made)) {
    syncFolder(dirname(made));
    if (made === first || made === dirname(made)) return;
  }
}

/** Makes the content of a file durable. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Syncs a file and renames it, so that a file with the final name is always complete. */
export function moveIntoPlace(from: string, to: string): void {
  syncFile(from);
  renameSync(from, to);
  syncFolder(dirname(to));
}

/** Copies a file and syncs the copy. */
export function copyFile(from: string, to: string): void {
  const source = openSync(from, 'r');
  try {
    const target = openSync(to, 'w');
    try {
      const part = Buffer.allocUnsafe(PART_BYTES);
      for (let at = 0; ;) {
        const length = readSync(source, part, 0, part.length, at);
        if (length === 0) break;
        for (let done = 0; done < length;) done += writeSync(target, part, done, length - done, at + done);
        at += length;
      }
      fsyncSync(target);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** Removes a database and the other files of SQLite for it. */
export function removeDatabaseFiles(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) rmSync(path, { force: true });
}

/** Moves a database and its log. Skips missing files. */
export function moveDatabaseFiles(from: string, to: string): void {
  for (const end of ['-wal', '-journal', '']) if (existsSync(from + end)) renameSync(from + end, to + end);
  syncFolder(dirname(to));
}
