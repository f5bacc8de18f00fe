/** Files whose names must survive a power cut: what is renamed or made is synced, and the folder that names it too. */
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

/** Makes the entries of a folder durable. Windows has no such call, and needs none: its file system journals names itself. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes a folder that is there after a power cut, with the folders above it that were missing too. */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; ; made = dirname(made)) {
    syncFolder(dirname(made));
    if (made === first || made === dirname(made)) return;
  }
}

/** Makes what was written to a file durable. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Gives a file its final name; it is whole and synced when it has that. */
export function moveIntoPlace(from: string, to: string): void {
  syncFile(from);
  renameSync(from, to);
  syncFolder(dirname(to));
}

/** A plain copy, synced. */
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

/** Removes a database with what SQLite keeps beside it. */
export function removeDatabaseFiles(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) rmSync(path, { force: true });
}

/** Moves a database together with its log. Whatever is not there is left out. */
export function moveDatabaseFiles(from: string, to: string): void {
  for (const end of ['-wal', '-journal', '']) if (existsSync(from + end)) renameSync(from + end, to + end);
  syncFolder(dirname(to));
}
