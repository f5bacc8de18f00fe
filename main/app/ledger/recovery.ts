/**
 * Opens the ledger's file. Sets a damaged file aside, and continues with its newest valid copy, or with an empty file.
 */
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { newestSoundCopy } from './backup.ts';
import { LedgerDamagedError, openLedgerFile } from './database.ts';

export interface OpenedLedger {
  db: DatabaseSync;
  /** A message for a person about the state of the file; null if there was no fault. */
  notice: string | null;
}

/**
 * Suffixes of the files that SQLite keeps beside a database. The file itself is last, so that the next start repeats an
 * interrupted move.
 */
const ENDS = ['-wal', '-shm', '-journal', ''];

function moveAside(path: string, aside: string): void {
  for (const end of ENDS) if (existsSync(path + end)) renameSync(path + end, aside + end);
}

/**
 * The path of the restored copy while the damaged file is still in its place. The next start completes an interrupted
 * restore.
 */
const restoredFile = (path: string): string => `${path}.restored`;

function finishRestoring(path: string): void {
  const restored = restoredFile(path);
  if (!existsSync(restored)) return;
  if (existsSync(path)) rmSync(restored);
  else renameSync(restored, path);
}

/** Throws the errors of `openLedgerFile`, except for a damaged file. */
export function openOrRecover(path: string, version: string, onUncopied?: (error: unknown) => void): OpenedLedger {
  finishRestoring(path);
  try {
    return { db: openLedgerFile(path, version, onUncopied), notice: null };
  } catch (thrown) {
    if (!(thrown instanceof LedgerDamagedError)) throw thrown;
    const aside = `${path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    const copy = newestSoundCopy(path);
    if (copy !== null) {
      copyFileSync(copy.file, `${path}.part`);
      renameSync(`${path}.part`, restoredFile(path));
    }
    moveAside(path, aside);
    finishRestoring(path);
    const outcome =
      copy === null
        ? 'There was no copy to restore: the list of what was sent starts empty. No job of a service is lost.'
        : `Its copy of ${copy.at.toISOString()} was restored: what was sent since then is not listed.`;
    const notice = `${thrown.message} It was set aside as ${basename(aside)}, in the same folder. ${outcome}`;
    return { db: openLedgerFile(path, version), notice };
  }
}
