/** What memory and disk must agree on with nothing left to commit: the rows, the counters, the places in the queue. */
import { expect } from 'vitest';
import type { JobRecord } from '../../main/engine/domain/jobs/jobFields.ts';
import type { Jobs } from '../../main/engine/domain/jobs/jobs.ts';
import type { Clock } from '../../main/engine/domain/core/ports.ts';

export interface Compared {
  readonly jobs: Jobs;
  readonly rows: ReadonlyMap<number, JobRecord>;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  /** Rows that are to go as soon as that can be stored, even if the clock is set back meanwhile; added to here. */
  readonly overdue: Set<number>;
  readonly endpointId: string;
}

/** Memory says what the rows say, the counters what the jobs are, and nobody waits in vain. */
export function expectConsistent({ jobs, rows, clock, overdue, endpointId }: Compared): void {
  const { counters: tally, parkedWorkers: takers, parked } = jobs.queueOf(endpointId);
  let inQueue = 0;
  let inProgress = 0;
  let lowInProgress = 0;
  for (const row of rows.values()) {
    const job = jobs.get(row.id);
    if (!job) {
      // Its removal could not be stored, and is tried again.
      const goesAt = Math.min(row.submittedAt + row.ttlMs, (row.finishedAt ?? Infinity) + row.retentionMs);
      if (clock.now() >= goesAt) overdue.add(row.seq);
      expect(overdue.has(row.seq), `${row.id} is on disk and not in memory, and its time has not come`).toBe(true);
      continue;
    }
    // Who of our own has a job need not be on disk: with the engine they go as well.
    if (job.status !== 'IN_PROGRESS' || !job.ownWorker) {
      const { crashes, rank } = row;
      expect({ crashes: job.crashes, rank: job.rank }, row.id).toEqual({ crashes, rank });
      expect({ status: job.status, worker: job.workerId, retries: job.retries }, row.id).toEqual({
        status: row.status,
        worker: row.workerId,
        retries: row.retries,
      });
    }
    if (job.status === 'IN_QUEUE') inQueue++;
    if (job.status !== 'IN_PROGRESS') continue;
    inProgress++;
    if (job.lowPriority) lowInProgress++;
    expect(jobs.workers.get(job.workerId!)?.jobs.has(job), `${row.id} is with its worker`).toBe(true);
    expect(clock.elapsed() - job.startedElapsed, `${row.id} runs too long`).toBeLessThan(job.executionTimeoutMs);
  }
  expect(tally, 'the counters').toMatchObject({ inQueue, inProgress, lowInProgress });
  const waits = [...takers()].some(({ workerId }) => jobs.workers.get(workerId)?.retired === false);
  expect(tally.quarantined, 'jobs that are set aside').toBe(jobs.quarantined().length);
  expect(tally.calling, 'jobs that may call for a worker').toBe(
    jobs.first(endpointId, Infinity).filter(({ lowPriority }) => !lowPriority).length,
  );
  expect(jobs.first(endpointId, Infinity).length, 'each job that waits has one place').toBe(
    inQueue - tally.quarantined,
  );
  expect(inQueue > tally.quarantined && waits && parked() > 0, 'a job and a worker wait for each other').toBe(false);
}
