/** What is known about each job from what was acknowledged: the little that the engine must never contradict. */
import { expect } from 'vitest';
import { isTerminal, type JobStatus } from '#contract/api/job.ts';
import type { JobRecord } from '../../main/engine/domain/jobs/jobFields.ts';
import type { Job } from '../../main/engine/domain/jobs/jobRecord.ts';
import type { Clock } from '../../main/engine/domain/core/ports.ts';

interface End {
  readonly status: JobStatus;
  readonly output: unknown;
  readonly finishedAt: number;
}

export interface Known {
  readonly id: string;
  readonly submittedAt: number;
  readonly retentionMs: number;
  ttlMs: number;
  end: End | null;
  /** Asked for since the last comparison: where nobody was told, it has happened or not. */
  asked: { retry: boolean; end: boolean; ttlMs: number[] };
  /** How many chunks the reader has had of each attempt. A crash may take back that a new one has begun. */
  readonly heard: Map<number, number>;
}

export interface Model {
  readonly known: Map<string, Known>;
  submitted(job: Job): void;
  ended(id: string, status: JobStatus, output: unknown, finishedAt: number): void;
  /** An engine was started on what the disk holds: what was asked for and not answered is settled now. */
  restarted(rows: Iterable<JobRecord>): void;
  /** What must be there, and what must be gone. */
  alive(known: Known, now: number): boolean;
  /** Compares all that is known with the jobs and their rows. Nothing may wait for a commit. */
  check(
    clock: Pick<Clock, 'now' | 'elapsed'>,
    jobOf: (id: string) => Job | undefined,
    outputOf: (job: Job) => unknown,
  ): void;
}

export function createModel(): Model {
  const known = new Map<string, Known>();
  let comparedAt = 0;

  const alive = ({ submittedAt, ttlMs, retentionMs, end }: Known, now: number): boolean =>
    now < submittedAt + ttlMs && (end === null || now < end.finishedAt + retentionMs);

  return {
    known,
    alive,
    submitted({ id, submittedAt, retentionMs, ttlMs }) {
      known.set(id, {
        id,
        submittedAt,
        retentionMs,
        ttlMs,
        end: null,
        // It may have been purged before its submitter was told of it.
        asked: { retry: false, end: true, ttlMs: [] },
        heard: new Map(),
      });
    },
    ended(id, status, output, finishedAt) {
      const job = known.get(id);
      if (!job) return;
      expect(job.end, `${id} ended once`).toBeNull();
      job.end = { status, output, finishedAt };
    },
    restarted(rows) {
      const byId = new Map([...rows].map((row) => [row.id, row]));
      for (const job of known.values()) {
        const row = byId.get(job.id);
        if (!row) continue;
        if (job.asked.ttlMs.includes(row.ttlMs)) job.ttlMs = row.ttlMs;
        if (job.end === null || (row.status === job.end.status && row.finishedAt === job.end.finishedAt)) continue;
        // It was taken up again, and has perhaps ended again since.
        expect(job.asked.retry, `${job.id} was ${job.end.status} and is ${row.status}`).toBe(true);
        job.end = null;
      }
    },
    check(clock, jobOf, outputOf) {
      const now = clock.now();
      for (const one of [...known.values()]) {
        const job = jobOf(one.id);
        if (!job) {
          // Lost or out of time since the last comparison, and kept for as long as that has to be.
          const unseenEnd = one.end === null && clock.elapsed() - comparedAt >= one.retentionMs;
          if (!unseenEnd)
            expect(alive(one, now), `${one.id} is gone before its time: ${JSON.stringify(one)}`).toBe(false);
          known.delete(one.id);
          continue;
        }
        if (one.end) {
          const { status, finishedAt } = job;
          expect({ status, output: outputOf(job), finishedAt }, one.id).toEqual(one.end);
        } else if (isTerminal(job.status)) {
          // Timed out, or failed with its workers: nobody asked for it, so nobody was told.
          if (!one.asked.end) expect(['TIMED_OUT', 'FAILED'], one.id).toContain(job.status);
          one.end = { status: job.status, output: outputOf(job), finishedAt: job.finishedAt! };
        }
        one.asked = { retry: false, end: false, ttlMs: [] };
        expect(alive(one, now), `${one.id} (${job.status}) is kept beyond its time`).toBe(true);
        expect(job.ttlMs, `${one.id}: ttl`).toBe(one.ttlMs);
      }
      comparedAt = clock.elapsed();
    },
  };
}
