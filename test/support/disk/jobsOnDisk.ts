/** The rules of jobs and their store together, on a disk that can be made to fail. */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Jobs } from '../../../main/engine/domain/jobs/jobs.ts';
import { createSealing } from '../../../main/engine/store/encryption/encryption.ts';
import { createUnreadable } from '../../../main/engine/store/encryption/unreadable.ts';
import { createTextFiles } from '../../../main/engine/store/payloads/payloadFiles.ts';
import { createJobStore } from '../../../main/engine/store/repositories/jobs.ts';
import { openDatabase } from '../../../main/engine/store/sqlite/database.ts';
import { createGroupCommit } from '../../../main/engine/store/sqlite/groupCommit.ts';
import { createStoreCondition, watchStatements } from '../../../main/engine/store/sqlite/writeHealth.ts';
import { createFakeIds, silentLogger, type createFakeClock } from '../core/fakes.ts';
import { createLoadedJobs } from '../jobs/loadedJobs.ts';
import { injectFaults, type Disk } from './failingStatements.ts';

/** The jobs with their store, on a folder that outlives them. */
export interface World {
  jobs: Jobs;
  database: DatabaseSync;
  /** Whether the store knows no more what the disk holds. */
  failed(): boolean;
  /** There is room on the disk again. */
  makeRoom(): void;
  flush(): void;
  end(): void;
}

/**
 * Answers a function that opens the jobs of a folder; all that it opens share one clock and one line of ids. `disk`
 * null: nothing fails.
 */
export function jobsOnDisk(clock: ReturnType<typeof createFakeClock>): (dir: string, disk: Disk | null) => World {
  const ids = createFakeIds();
  return (dir, disk) => {
    const database = openDatabase(dir);
    // The faults are made up, so nothing needs to reach a platter.
    database.exec('PRAGMA synchronous = OFF');
    if (disk) injectFaults(database, disk);
    let failed = false;
    let full = false;
    const condition = createStoreCondition({
      onFull: () => (full = true),
      isFull: () => full,
      onFailure: () => (failed = true),
    });
    watchStatements(database, condition);
    const commits = createGroupCommit(database, silentLogger, condition);
    const sealing = createSealing(Buffer.alloc(32));
    const files = createTextFiles(join(dir, 'blobs'), sealing, silentLogger);
    const jobs = createLoadedJobs({
      clock,
      ids,
      store: createJobStore(database, commits, { sealing, lasting: sealing, unreadable: createUnreadable() }, files),
    });
    commits.flush();
    return {
      jobs,
      database,
      failed: () => failed,
      makeRoom: () => (full = false),
      flush: () => commits.flush(),
      end() {
        jobs.stop();
        database.close();
      },
    };
  };
}
