/** The engine's database with all that keeps it: recovery at the start, group commit, backups, the disk's reserve, upkeep. */
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
  /** Notices for a person about the recovery of the file. */
  readonly notices: readonly string[];
  /** Call it once a person has seen the notices. */
  noticesShown(): void;
  facts(): Promise<Pick<EngineFacts, 'disk' | 'backup'>>;
  /** Commits what waits, makes a last backup and closes the file. */
  stop(): Promise<void>;
  /** Closes the file as it is, for a start that failed. Does nothing after `stop`. */
  abandon(): Promise<void>;
}

/** How the file is opened and when it is committed. The benchmark compares the engine's own ways with others. */
export interface Storing {
  open: typeof openDatabase;
  commits: typeof createGroupCommit;
}
export const durably: Storing = { open: openDatabase, commits: createGroupCommit };

export interface EngineStoreOptions {
  dataDir: string;
  logger: Logger;
  now: () => number;
  storing: Storing;
  onRecovery?: (reason: string) => void;
  /** The file can no longer be relied on. End the process: the next start checks and recovers it. */
  onFailure: (reason: string) => void;
}

/** Throws DataInUseError or DataUnreadableError where that is the reason. */
export function openEngineStore(options: EngineStoreOptions): EngineStore {
  const { dataDir, logger, now, storing, onRecovery, onFailure } = options;
  const { database, notices, noticesShown } = openOrRecover(dataDir, {
    logger,
    now,
    open: storing.open,
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
        // The log stays, and the next start reads it.
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
