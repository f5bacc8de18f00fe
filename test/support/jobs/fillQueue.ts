import { join } from 'node:path';
import { createJob } from '../../../main/engine/domain/jobs/jobEntity.ts';
import { createJobIds } from '../../../main/engine/domain/jobs/jobIds.ts';
import { systemClock, systemIds } from '../../../main/engine/runtime/host/systemClock.ts';
import { openDatabase } from '../../../main/engine/store/sqlite/database.ts';
import { createGroupCommit } from '../../../main/engine/store/sqlite/groupCommit.ts';
import { createJobStore } from '../../../main/engine/store/repositories/jobs.ts';
import { createSealing } from '../../../main/engine/store/encryption/encryption.ts';
import { createTextFiles } from '../../../main/engine/store/payloads/payloadFiles.ts';
import { createUnreadable } from '../../../main/engine/store/encryption/unreadable.ts';
import { limits } from '#contract/core/limits.ts';
import { silentLogger } from '../core/fakes.ts';
import { jobRecord } from './jobRecord.ts';

export interface Filling {
  endpointId: string;
  count: number;
  ttlMs: number;
}

/** Puts waiting jobs into the files of an engine that does not run: many more than could be submitted in a test. */
export function fillQueue(dataDir: string, { endpointId, count, ttlMs }: Filling): void {
  const database = openDatabase(dataDir);
  const commits = createGroupCommit(database, silentLogger);
  const sealing = createSealing(Buffer.alloc(32));
  const store = createJobStore(
    database,
    commits,
    { sealing, lasting: sealing, unreadable: createUnreadable() },
    createTextFiles(join(dataDir, 'blobs'), sealing, silentLogger),
  );
  const newId = createJobIds(systemClock, systemIds);
  for (let n = 0; n < count; n++) {
    const job = jobRecord({
      seq: store.nextSeq(),
      id: newId(false),
      endpointId,
      submittedAt: systemClock.now(),
      ttlMs,
      retentionMs: limits.retentionMs.run,
      executionTimeoutMs: limits.executionTimeoutMs.default,
    });
    store.insert(createJob(job, null), '{"input":{}}', false, () => undefined, 'soon');
    if (n % 5000 === 0) commits.flush();
  }
  commits.flush();
  database.close();
}
