/** Opens the ledger's file, and where that is damaged sets it aside and goes on with its newest sound copy, or with an empty one. */
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { copiesToRestore } from './backup.ts';
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

/** Throws what `openLedgerFile` throws, except for a damaged file. */
export function openOrRecover(path: string, version: string): OpenedLedger {
  try {
    return { db: openLedgerFile(path, version), notice: null };
  } catch (thrown) {
    if (!(thrown instanceof LedgerDamagedError)) throw thrown;
    const aside = `${path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    moveAside(path, aside);
    const told = `${thrown.message} It was set aside as ${basename(aside)}, in the same folder.`;
    for (const { file, at } of copiesToRestore(path)) {
      try {
        // Under its name at once or not at all.
        copyFileSync(file, `${path}.part`);
        renameSync(`${path}.part`, path);
        const db = openLedgerFile(path, version);
        return {
          db,
          notice: `${told} Its copy of ${at.toISOString()} was restored: what was sent since then is not listed.`,
        };
      } catch (failure) {
        if (!(failure instanceof LedgerDamagedError)) throw failure;
        for (const end of ENDS) rmSync(path + end, { force: true });
      }
    }
    const db = openLedgerFile(path, version);
    return {
      db,
      notice: `${told} There was no copy to restore: the list of what was sent starts empty. No job of a service is lost.`,
    };
  }
}
