/**
 * The engine's database with its services: recovery at the start, group commit, backups, disk reserve and maintenance.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { EngineFacts } from '#contract/local/engine.ts';
import type { Logger } from '../domain/core/ports.ts';
import { createBackups } from './sqlite/backups.ts';
import { databaseFile, openDatabase } from './sqlite/database.ts';
import { createDiskReserve } from './recovery/diskReserve.ts';
import { createGroupCommit, type GroupCommit } from './sqlite/groupCommit.ts';
import { noteSuspect, openOrRecover } from './recovery/recovery.ts';
import { createStoreCondition, resultCode, sqlite, watchStatements } from './sqlite/writeHealth.ts';
import { createUpkeep } from './sqlite/maintenance.ts';

export interface EngineStore {
  readonly database: DatabaseSync;
  readonly commits: GroupCommit;
  /** Notices for a person about a recovery of the file. */
  readonly notices: readonly string[];
  /** Call this once a person has seen the notices. */
  noticesShown(): void;
  facts(): Promise<Pick<EngineFacts, 'disk' | 'backup'>>;
  /** Commits the waiting writes, makes a last backup and closes the file. */
  stop(): Promise<void>;
  /** Closes the file without a backup, after a failed start. Does nothing after `stop`. */
  abandon(): Promise<void>;
}

/** How the file is opened and when writes are committed. The benchmark compares alternatives with the engine's own. */
export interface Storing {
  open: typeof openDatabase;
  commits: typeof createGroupCommit;
}
export const durably: Storing = { open: openDatabase, commits: createGroupCommit };

export interface EngineStoreOptions {
  dataDir: string;
  /** The version of this Hangar. The file is copied before the first start of a new version. */
  version: string;
  logger: Logger;
  now: () => number;
  storing: Storing;
  onRecovery?: (reason: string) => void;
  /** The file is unreliable from now on. End the process: the next start checks and recovers the file. */
  onFailure: (reason: string) => void;
}

/** Throws DataInUseError, DataUnreadableError or DataDamagedError when the file cannot be opened. */
export function openEngineStore(options: EngineStoreOptions): EngineStore {
  const { dataDir, version, logger, now, storing, onRecovery, onFailure } = options;
  const { database, notices, noticesShown } = openOrRecover(dataDir, {
    logger,
    now,
    open: storing.open,
    version,
    onUncopied: (error) =>
      logger.warn({ err: error, version }, 'the database could not be copied before the first start of this version'),
    ...(onRecovery ? { onRecovery } : {}),
  });
  for (const notice of notices) logger.error({ notice }, 'the database was recovered');
  const reserve = createDiskReserve(dataDir, logger);
  const condition = createStoreCondition({
    onFull: () => reserve.noteFull(),
    isFull: () => reserve.full,
    onFailure(failure) {
      const reason = failure instanceof Error ? failure.message : String(failure);
      logger.error(
        { err: failure },
        'the database failed; the engine goes down to start again with a check of the file',
      );
      noteSuspect(dataDir, reason);
      onFailure(`Its database failed: ${reason}.`);
    },
  });
  watchStatements(database, condition);
  const backups = createBackups({
    database,
    dataDir,
    file: databaseFile(dataDir),
    logger,
    now,
    onDamage: (error) => void condition.note(error),
  });
  const upkeep = createUpkeep({
    database,
    mustWait: () => backups.copying || condition.failure !== null || condition.full,
  });
  const commits = storing.commits(database, logger, condition, () => {
    upkeep.noteWrite();
    reserve.noteWrite();
  });

  function close(): void {
    database.close();
    backups.close();
  }

  return {
    database,
    commits,
    notices,
    noticesShown,
    facts: async () => ({ disk: await reserve.facts(), backup: backups.facts() }),
    async stop() {
      commits.flush();
      upkeep.stop();
      await reserve.stop();
      await backups.stop();
      try {
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch (error) {
        // The log remains, and the next start reads it.
        if (resultCode(error) !== sqlite.FULL) logger.warn({ err: error }, 'the log could not be emptied');
      }
      close();
    },
    async abandon() {
      if (!database.isOpen) return;
      upkeep.stop();
      await reserve.stop();
      await backups.abandon();
      close();
    },
  };
}
