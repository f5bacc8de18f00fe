/** Jobs in memory share what they can; none of them may show. */
import { expect, test } from 'vitest';
import type { JobRecord } from './jobFields.ts';
import { createJob, restoreJob } from './jobEntity.ts';

const submitted: JobRecord = {
  seq: 1,
  id: 'job',
  endpointId: 'e',
  submittedAt: 5,
  retentionMs: 6,
  executionTimeoutMs: 7,
  lowPriority: false,
  webhook: null,
  ttlMs: 8,
  status: 'IN_QUEUE',
  queuedAt: 5,
  workerId: null,
  ownWorker: false,
  startedAt: null,
  finishedAt: null,
  delayTime: null,
  executionTime: null,
  error: null,
  hasOutput: false,
  retries: 0,
  lost: 0,
  chunksRead: 0,
  crashes: 0,
  rank: null,
};
const otherwise: JobRecord = {
  seq: 2,
  id: 'other',
  endpointId: 'f',
  submittedAt: 9,
  retentionMs: 10,
  executionTimeoutMs: 11,
  lowPriority: true,
  webhook: 'http://w',
  ttlMs: 12,
  status: 'FAILED',
  queuedAt: 13,
  workerId: 'w',
  ownWorker: true,
  startedAt: 14,
  finishedAt: 15,
  delayTime: 0,
  executionTime: 16,
  error: 'e',
  hasOutput: true,
  retries: 1,
  lost: 2,
  chunksRead: 3,
  crashes: 4,
  rank: 0,
};
const fields = Object.keys(submitted) as (keyof JobRecord)[];

test.each(fields)('a row that differs in %s alone is in memory as it is on disk', (field) => {
  const row = { ...submitted, [field]: otherwise[field] };
  expect(restoreJob(row)).toMatchObject(row);
});

test('a job begins as one that waits and that nobody has had', () => {
  expect(createJob(submitted, '{}')).toMatchObject({ ...submitted, body: '{}', output: null, chunks: null });
});

test('what becomes of one job becomes of no other', () => {
  const [job, other] = [createJob(submitted, null), createJob(submitted, null)];
  Object.assign(job, otherwise, { output: '1', startedElapsed: 2, workerStartedAt: 3 });
  job.retries++;
  expect(job).toMatchObject({ ...otherwise, retries: 2, output: '1', startedElapsed: 2, workerStartedAt: 3 });
  expect(other).toMatchObject({ ...submitted, output: null, startedElapsed: 0, workerStartedAt: null });
  expect(createJob(submitted, null)).toMatchObject(submitted);
});

test('a job that is queued again waits from then on', () => {
  const job = createJob(submitted, null);
  job.queuedAt = 50;
  expect([job.submittedAt, job.queuedAt]).toEqual([5, 50]);
});
