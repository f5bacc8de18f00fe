/**
 * How a job lies in memory. A queue may hold a million jobs that wait, and those differ only in what they were
 * submitted with. So the fields that say what became of a job are in an object of their own, which the job gets with
 * the first change of one of them.
 */
import type { JobStatus } from '#contract/api/job.ts';
import { compile } from '../core/compile.ts';
import { initialFields, type InitialFields, type JobRecord } from './jobFields.ts';
import type { ChunkLog, Job, RunTimeout } from './jobRecord.ts';
import type { JsonText } from './payload/payloadRef.ts';

/** What is known of a job when it is submitted. */
export type NewJob = Omit<JobRecord, 'queuedAt' | keyof InitialFields>;

/** What became of a job: its stored fields, and what only lives in memory. */
interface JobLifecycle extends Omit<InitialFields, 'status'> {
  /** When it was queued again; null for a job that was queued once. */
  queuedAgainAt: number | null;
  chunks: ChunkLog | null;
  startedElapsed: number;
  endedFromOutside: number;
  timeout: RunTimeout | null;
  workerStartedAt: number | null;
  pricePerHour: number | null;
}

const { status: _status, ...initial } = initialFields;
/**
 * A fresh instance equals the state of a job that was just submitted. All such jobs share this one, so it is never
 * written.
 */
const PRISTINE: Readonly<JobLifecycle> = {
  ...initial,
  queuedAgainAt: null,
  chunks: null,
  startedElapsed: 0,
  endedFromOutside: 0,
  timeout: null,
  workerStartedAt: null,
  pricePerHour: null,
};

class JobEntity {
  readonly seq: number;
  readonly id: string;
  readonly endpointId: string;
  readonly submittedAt: number;
  readonly retentionMs: number;
  readonly executionTimeoutMs: number;
  readonly lowPriority: boolean;
  readonly sender: string | null;
  readonly webhook: string | null;
  ttlMs: number;
  status: JobStatus = 'IN_QUEUE';
  slot = -1;
  pendingWrites = 0;
  body: JsonText | null;
  output: JsonText | null = null;
  waiters: Set<() => void> | null = null;
  isEnqueued = false;
  removed = false;
  lifecycle: JobLifecycle = PRISTINE;

  constructor(job: NewJob, body: JsonText | null) {
    this.seq = job.seq;
    this.id = job.id;
    this.endpointId = job.endpointId;
    this.submittedAt = job.submittedAt;
    this.retentionMs = job.retentionMs;
    this.executionTimeoutMs = job.executionTimeoutMs;
    this.lowPriority = job.lowPriority;
    this.sender = job.sender;
    this.webhook = job.webhook;
    this.ttlMs = job.ttlMs;
    this.body = body;
  }

  /** The lifecycle of this job alone, for a change. */
  ownLifecycle(): JobLifecycle {
    if (this.lifecycle === PRISTINE) this.lifecycle = { ...PRISTINE };
    return this.lifecycle;
  }

  get queuedAt(): number {
    return this.lifecycle.queuedAgainAt ?? this.submittedAt;
  }
  set queuedAt(at) {
    this.ownLifecycle().queuedAgainAt = at;
  }
}

const lifecycleNames = Object.keys(PRISTINE).filter((name) => name !== 'queuedAgainAt');
for (const name of lifecycleNames) {
  Object.defineProperty(JobEntity.prototype, name, {
    get: compile([], `return this.lifecycle.${name};`),
    set: compile(['value'], `this.ownLifecycle().${name} = value;`),
  });
}

const newEntity = (job: NewJob, body: JsonText | null): Job =>
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the type checker does not see the accessors above
  new JobEntity(job, body) as unknown as Job;

/** A job that waits, and that no worker has had. */
export const createJob = newEntity;

/** The job of a row. */
export function restoreJob(record: JobRecord): Job {
  const job = newEntity(record, null);
  return wasTouched(record) ? Object.assign(job, record) : job;
}

/** Whether anything of the record is otherwise than when it was submitted. */
const wasTouched = compile<(record: JobRecord) => boolean>(
  ['record'],
  `return record.queuedAt !== record.submittedAt || ${Object.entries(initialFields)
    .map(([name, value]) => `record.${name} !== ${JSON.stringify(value)}`)
    .join(' || ')};`,
);
