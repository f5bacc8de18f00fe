/** A lock between processes that ends with the process that holds it. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

const SQLITE_BUSY = 5;
/** Between two attempts to take the lock, in milliseconds. */
const PAUSE_MS = 100;

/**
 * Runs `work` while no other process that names the same file runs its own. The file stays, and is empty: the lock is
 * SQLite's, which the system releases when a process dies. Throws what SQLite throws for a file that cannot be opened,
 * and what `work` throws.
 */
export async function withProcessLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const database = new DatabaseSync(path);
  try {
    while (!locks(database)) await delay(PAUSE_MS);
    return await work();
  } finally {
    database.close();
  }
}

function locks(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
