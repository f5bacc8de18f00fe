/** Opens the ledger's file, and where that is damaged sets it aside and goes on with its newest sound copy, or with an empty one. */
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { newestSoundCopy } from './backup.ts';
import { LedgerDamagedError, openLedgerFile } from './database.ts';

export interface OpenedLedger {
  db: DatabaseSync;
  /** What a person must be told about how the file was found; null when all was well. */
  notice: string | null;
}

/** SQLite keeps these beside a database; the file itself comes last, so that an interrupted move is made again by the next start. */
const ENDS = ['-wal', '-shm', '-journal', ''];

function moveAside(path: string, aside: string): void {
  for (const end of ENDS) if (existsSync(path + end)) renameSync(path + end, aside + end);
}

/** Where the restored copy lies until the damaged file is out of its place: a start that was cut off then is finished by the next one. */
const restoredFile = (path: string): string => `${path}.restored`;

function finishRestoring(path: string): void {
  const restored = restoredFile(path);
  if (!existsSync(restored)) return;
  if (existsSync(path)) rmSync(restored);
  else renameSync(restored, path);
}

/** Throws what `openLedgerFile` throws, except for a damaged file. */
export function openOrRecover(path: string, version: string): OpenedLedger {
  finishRestoring(path);
  try {
    return { db: openLedgerFile(path, version), notice: null };
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
