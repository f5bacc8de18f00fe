/** Reserves a data folder that no Hangar uses for work on its files, such as a move, an export or its removal. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as later } from 'node:timers/promises';
import { AppError } from '#contract/core/errors.ts';
import { removeAtomicFile, writeAtomicFile } from '../platform/atomicFile.ts';
import { MAINTENANCE, maintenanceOf } from '../platform/folders/movedFolder.ts';
import { instanceOf } from '../platform/instanceFile.ts';

/** An engine whose host was killed ends by itself within this time. */
const LEFTOVER_MS = 12_000;
const RETRY_MS = 200;
const SQLITE_BUSY = 5;

/**
 * Takes the lock of a database for a moment, and writes its log into the file. False if another process has the lock. A
 * damaged file has no lock: it is copied as it is.
 */
function settle(file: string): boolean {
  if (!existsSync(file)) return true;
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    return true;
  } catch (thrown) {
    const code = thrown instanceof Error && 'errcode' in thrown ? Number(thrown.errcode) & 0xff : null;
    return code !== SQLITE_BUSY;
  } finally {
    database?.close();
  }
}

const isUnused = (dataDir: string): boolean => ['ledger.db', 'engine.db'].every((name) => settle(join(dataDir, name)));

/**
 * Reserves the folder, and returns the function that releases it. `work`: what is done, for a Hangar that is started
 * meanwhile. Rejects with CONFLICT if a Hangar, or other work, uses the folder.
 */
export async function holdFolder(dataDir: string, work: string): Promise<() => Promise<void>> {
  const other = maintenanceOf(dataDir);
  if (other !== null) {
    throw new AppError('CONFLICT', `Process ${other.pid} is already at work on ${dataDir}: ${other.work}.`);
  }
  const giveUpAt = performance.now() + LEFTOVER_MS;
  while (!isUnused(dataDir)) {
    if (performance.now() > giveUpAt) {
      const pid = instanceOf(dataDir);
      const holder = pid === null ? 'a running Hangar' : `a running Hangar (process ${pid})`;
      throw new AppError('CONFLICT', `The data folder ${dataDir} is in use by ${holder}. Stop it first.`);
    }
    await later(RETRY_MS);
  }
  const note = join(dataDir, MAINTENANCE);
  await writeAtomicFile(note, `${JSON.stringify({ pid: process.pid, work })}\n`);
  return () => removeAtomicFile(note);
}
