/** Jobs in memory share what they can; none of them may show. */
import { expect, test } from 'vitest';
import { fromKeys } from '#contract/core/keysOf.ts';
import { jobRecord } from '../../../../test/support/jobs/jobRecord.ts';
import { jobFieldNames, jobFields, type JobRecord } from './jobFields.ts';
import { createJob, restoreJob } from './jobEntity.ts';

const submitted = jobRecord();

/** Another value for a field. */
const differing = {
  number: (value: unknown) => Number(value) + 100,
  text: (value: unknown) => `${String(value)}, but another`,
  secret: (value: unknown) => `${String(value)}, but another`,
  flag: (value: unknown) => value !== true,
  status: () => 'FAILED' as const,
};
/** Differs from `submitted` in every field. */
const otherwise = fromKeys<JobRecord>(jobFieldNames, (name) => differing[jobFields[name].kind](submitted[name]));

test.each(jobFieldNames)('a row that differs in %s alone is in memory as it is on disk', (field) => {
  const row = { ...submitted, [field]: otherwise[field] };
  expect(restoreJob(row)).toMatchObject(row);
});

test('a job begins as one that waits and that nobody has had', () => {
  expect(createJob(submitted, '{}')).toMatchObject({ ...submitted, body: '{}', output: null, chunks: null });
});

test('what becomes of one job becomes of no other', () => {
  const [job, other] = [createJob(submitted, null), createJob(submitted, null)];
  Object.assign(job, otherwise, { output: '1', startedElapsed: 2, workerStartedAt: 3 });
  job.retries = otherwise.retries + 1;
  expect(job).toMatchObject({
    ...otherwise,
    retries: otherwise.retries + 1,
    output: '1',
    startedElapsed: 2,
    workerStartedAt: 3,
  });
  expect(other).toMatchObject({ ...submitted, output: null, startedElapsed: 0, workerStartedAt: null });
  expect(createJob(submitted, null)).toMatchObject(submitted);
});

test('a job that is queued again waits from then on', () => {
  const job = createJob(submitted, null);
  job.queuedAt = 50;
  expect([job.submittedAt, job.queuedAt]).toEqual([5, 50]);
});
