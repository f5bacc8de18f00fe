/**
 * How a job lies in memory. A queue may hold a million that wait, and of those all that can differ is what they were submitted
 * with: whatever becomes of a job from there on is in an object of its own, which it gets with the first of it.
 */
import type { JobStatus } from '#contract/api/job.ts';
import type { ChunkLog, Job, JobRecord, RunTimeout } from './jobRecord.ts';
import type { JsonText } from './payload/payloadRef.ts';

/** What is known of a job when it is submitted. */
export type NewJob = Pick<
  JobRecord,
  | ('seq' | 'id' | 'endpointId' | 'submittedAt')
  | ('retentionMs' | 'executionTimeoutMs' | 'lowPriority' | 'webhook' | 'ttlMs')
>;

/** What becomes of a job. As it is made, it is that of every job that was submitted and no more. */
class JobLifecycle {
  /** When it was queued again; null for one that was queued once. */
  queuedAgainAt: number | null = null;
  workerId: string | null = null;
  ownWorker = false;
  startedAt: number | null = null;
  finishedAt: number | null = null;
  delayTime: number | null = null;
  executionTime: number | null = null;
  error: string | null = null;
  hasOutput = false;
  retries = 0;
  lost = 0;
  chunksRead = 0;
  crashes = 0;
  rank: number | null = null;
  chunks: ChunkLog | null = null;
  startedElapsed = 0;
  timeout: RunTimeout | null = null;
  workerStartedAt: number | null = null;
}

/** Shared by all that wait for the first time, and so never written. */
const PRISTINE = new JobLifecycle();

class JobEntity implements Job {
  readonly seq: number;
  readonly id: string;
  readonly endpointId: string;
  readonly submittedAt: number;
  readonly retentionMs: number;
  readonly executionTimeoutMs: number;
  readonly lowPriority: boolean;
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
  private lifecycle = PRISTINE;

  constructor(job: NewJob, body: JsonText | null) {
    this.seq = job.seq;
    this.id = job.id;
    this.endpointId = job.endpointId;
    this.submittedAt = job.submittedAt;
    this.retentionMs = job.retentionMs;
    this.executionTimeoutMs = job.executionTimeoutMs;
    this.lowPriority = job.lowPriority;
    this.webhook = job.webhook;
    this.ttlMs = job.ttlMs;
    this.body = body;
  }

  private ownLifecycle(): JobLifecycle {
    if (this.lifecycle === PRISTINE) this.lifecycle = new JobLifecycle();
    return this.lifecycle;
  }

  get queuedAt(): number {
    return this.lifecycle.queuedAgainAt ?? this.submittedAt;
  }
  set queuedAt(at) {
    this.ownLifecycle().queuedAgainAt = at;
  }
  get workerId(): string | null {
    return this.lifecycle.workerId;
  }
  set workerId(value) {
    this.ownLifecycle().workerId = value;
  }
  get ownWorker(): boolean {
    return this.lifecycle.ownWorker;
  }
  set ownWorker(value) {
    this.ownLifecycle().ownWorker = value;
  }
  get startedAt(): number | null {
    return this.lifecycle.startedAt;
  }
  set startedAt(value) {
    this.ownLifecycle().startedAt = value;
  }
  get finishedAt(): number | null {
    return this.lifecycle.finishedAt;
  }
  set finishedAt(value) {
    this.ownLifecycle().finishedAt = value;
  }
  get delayTime(): number | null {
    return this.lifecycle.delayTime;
  }
  set delayTime(value) {
    this.ownLifecycle().delayTime = value;
  }
  get executionTime(): number | null {
    return this.lifecycle.executionTime;
  }
  set executionTime(value) {
    this.ownLifecycle().executionTime = value;
  }
  get error(): string | null {
    return this.lifecycle.error;
  }
  set error(value) {
    this.ownLifecycle().error = value;
  }
  get hasOutput(): boolean {
    return this.lifecycle.hasOutput;
  }
  set hasOutput(value) {
    this.ownLifecycle().hasOutput = value;
  }
  get retries(): number {
    return this.lifecycle.retries;
  }
  set retries(value) {
    this.ownLifecycle().retries = value;
  }
  get lost(): number {
    return this.lifecycle.lost;
  }
  set lost(value) {
    this.ownLifecycle().lost = value;
  }
  get chunksRead(): number {
    return this.lifecycle.chunksRead;
  }
  set chunksRead(value) {
    this.ownLifecycle().chunksRead = value;
  }
  get crashes(): number {
    return this.lifecycle.crashes;
  }
  set crashes(value) {
    this.ownLifecycle().crashes = value;
  }
  get rank(): number | null {
    return this.lifecycle.rank;
  }
  set rank(value) {
    this.ownLifecycle().rank = value;
  }
  get chunks(): ChunkLog | null {
    return this.lifecycle.chunks;
  }
  set chunks(value) {
    this.ownLifecycle().chunks = value;
  }
  get startedElapsed(): number {
    return this.lifecycle.startedElapsed;
  }
  set startedElapsed(value) {
    this.ownLifecycle().startedElapsed = value;
  }
  get timeout(): RunTimeout | null {
    return this.lifecycle.timeout;
  }
  set timeout(value) {
    this.ownLifecycle().timeout = value;
  }
  get workerStartedAt(): number | null {
    return this.lifecycle.workerStartedAt;
  }
  set workerStartedAt(value) {
    this.ownLifecycle().workerStartedAt = value;
  }
}

/** A job that waits, and that nobody has had. */
export const createJob = (job: NewJob, body: JsonText | null): Job => new JobEntity(job, body);

/** The job of a row. */
export function restoreJob(record: JobRecord): Job {
  const job = new JobEntity(record, null);
  return wasTouched(record) ? Object.assign(job, record) : job;
}

/** Whether anything of the record is otherwise than when it was submitted. */
function wasTouched(record: JobRecord): boolean {
  return (
    record.status !== 'IN_QUEUE' ||
    record.queuedAt !== record.submittedAt ||
    record.workerId !== PRISTINE.workerId ||
    record.ownWorker !== PRISTINE.ownWorker ||
    record.startedAt !== PRISTINE.startedAt ||
    record.finishedAt !== PRISTINE.finishedAt ||
    record.delayTime !== PRISTINE.delayTime ||
    record.executionTime !== PRISTINE.executionTime ||
    record.error !== PRISTINE.error ||
    record.hasOutput !== PRISTINE.hasOutput ||
    record.retries !== PRISTINE.retries ||
    record.lost !== PRISTINE.lost ||
    record.chunksRead !== PRISTINE.chunksRead ||
    record.crashes !== PRISTINE.crashes ||
    record.rank !== PRISTINE.rank
  );
}
