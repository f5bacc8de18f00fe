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
class Fate {
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
const NONE_YET = new Fate();

class JobInMemory implements Job {
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
  unsettled = 0;
  body: JsonText | null;
  output: JsonText | null = null;
  waiters: Set<() => void> | null = null;
  placed = false;
  removed = false;
  private fate = NONE_YET;

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

  private own(): Fate {
    if (this.fate === NONE_YET) this.fate = new Fate();
    return this.fate;
  }

  get queuedAt(): number {
    return this.fate.queuedAgainAt ?? this.submittedAt;
  }
  set queuedAt(at) {
    this.own().queuedAgainAt = at;
  }
  get workerId(): string | null {
    return this.fate.workerId;
  }
  set workerId(value) {
    this.own().workerId = value;
  }
  get ownWorker(): boolean {
    return this.fate.ownWorker;
  }
  set ownWorker(value) {
    this.own().ownWorker = value;
  }
  get startedAt(): number | null {
    return this.fate.startedAt;
  }
  set startedAt(value) {
    this.own().startedAt = value;
  }
  get finishedAt(): number | null {
    return this.fate.finishedAt;
  }
  set finishedAt(value) {
    this.own().finishedAt = value;
  }
  get delayTime(): number | null {
    return this.fate.delayTime;
  }
  set delayTime(value) {
    this.own().delayTime = value;
  }
  get executionTime(): number | null {
    return this.fate.executionTime;
  }
  set executionTime(value) {
    this.own().executionTime = value;
  }
  get error(): string | null {
    return this.fate.error;
  }
  set error(value) {
    this.own().error = value;
  }
  get hasOutput(): boolean {
    return this.fate.hasOutput;
  }
  set hasOutput(value) {
    this.own().hasOutput = value;
  }
  get retries(): number {
    return this.fate.retries;
  }
  set retries(value) {
    this.own().retries = value;
  }
  get lost(): number {
    return this.fate.lost;
  }
  set lost(value) {
    this.own().lost = value;
  }
  get chunksRead(): number {
    return this.fate.chunksRead;
  }
  set chunksRead(value) {
    this.own().chunksRead = value;
  }
  get crashes(): number {
    return this.fate.crashes;
  }
  set crashes(value) {
    this.own().crashes = value;
  }
  get rank(): number | null {
    return this.fate.rank;
  }
  set rank(value) {
    this.own().rank = value;
  }
  get chunks(): ChunkLog | null {
    return this.fate.chunks;
  }
  set chunks(value) {
    this.own().chunks = value;
  }
  get startedElapsed(): number {
    return this.fate.startedElapsed;
  }
  set startedElapsed(value) {
    this.own().startedElapsed = value;
  }
  get timeout(): RunTimeout | null {
    return this.fate.timeout;
  }
  set timeout(value) {
    this.own().timeout = value;
  }
  get workerStartedAt(): number | null {
    return this.fate.workerStartedAt;
  }
  set workerStartedAt(value) {
    this.own().workerStartedAt = value;
  }
}

/** A job that waits, and that nobody has had. */
export const createJob = (job: NewJob, body: JsonText | null): Job => new JobInMemory(job, body);

/** The job of a row. */
export function restoreJob(record: JobRecord): Job {
  const job = new JobInMemory(record, null);
  return hasFate(record) ? Object.assign(job, record) : job;
}

/** Whether anything of the record is otherwise than when it was submitted. */
function hasFate(record: JobRecord): boolean {
  return (
    record.status !== 'IN_QUEUE' ||
    record.queuedAt !== record.submittedAt ||
    record.workerId !== NONE_YET.workerId ||
    record.ownWorker !== NONE_YET.ownWorker ||
    record.startedAt !== NONE_YET.startedAt ||
    record.finishedAt !== NONE_YET.finishedAt ||
    record.delayTime !== NONE_YET.delayTime ||
    record.executionTime !== NONE_YET.executionTime ||
    record.error !== NONE_YET.error ||
    record.hasOutput !== NONE_YET.hasOutput ||
    record.retries !== NONE_YET.retries ||
    record.lost !== NONE_YET.lost ||
    record.chunksRead !== NONE_YET.chunksRead ||
    record.crashes !== NONE_YET.crashes ||
    record.rank !== NONE_YET.rank
  );
}
