/** The record of a job that was just submitted, for specs and for the files of an engine. */
import { initialFields, type JobRecord } from '../../../main/engine/domain/jobs/jobFields.ts';

export const jobRecord = (changes: Partial<JobRecord> = {}): JobRecord => ({
  ...initialFields,
  seq: 1,
  id: 'job-1',
  endpointId: 'ep',
  submittedAt: 5,
  queuedAt: 5,
  retentionMs: 6,
  executionTimeoutMs: 7,
  lowPriority: false,
  sender: null,
  webhook: null,
  ttlMs: 8,
  ...changes,
});
