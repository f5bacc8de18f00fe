/** A note about a job as the feed of an engine has it. */
import type { JobNote } from '#contract/local/jobFeed.ts';

/** A job of a script that waits in its queue, unless `fields` say otherwise. */
export const noteOf = (fields: Partial<JobNote> = {}): JobNote => ({
  id: 'job-1',
  endpointId: 'e',
  endpointName: 'words',
  sync: false,
  sender: { own: false, keyName: null, client: null },
  status: 'IN_QUEUE',
  removed: false,
  submittedAt: 1,
  queuedAt: 1,
  workerStartedAt: null,
  pricePerHour: null,
  startedAt: null,
  finishedAt: null,
  delayTime: null,
  executionTime: null,
  workerId: null,
  retries: 0,
  error: null,
  waiting: null,
  body: '{}',
  bodyBytes: 2,
  output: null,
  outputBytes: null,
  chunks: [],
  chunkTotal: 0,
  ...fields,
});
