/**
 * The stored fields of a job, each described once. The type of the record, the columns and the codec of its row, the
 * entity in memory, what queuing again resets, and the fake store of the tests come from this table.
 *
 * Times are wall-clock milliseconds since the epoch, durations milliseconds.
 */
import { fromKeys, keysOf } from '#contract/core/keysOf.ts';
import type { JobStatus } from '#contract/api/job.ts';

interface Values {
  number: number;
  text: string;
  flag: boolean;
  status: JobStatus;
  /** Text that is encrypted at rest. */
  secret: string;
}

export interface JobField {
  /** Its column in the table `job`. */
  readonly column: string;
  readonly kind: keyof Values;
  readonly nullable?: true;
  /** Set when the job is submitted, and never changed. */
  readonly fixed?: true;
  /** Its value in a job that no worker has taken yet. Without it, the submission sets the field. */
  readonly initial?: string | number | boolean | null;
  /** Queuing the job again sets it to `initial`. */
  readonly reset?: true;
}

export const jobFields = {
  seq: { column: 'seq', kind: 'number', fixed: true },
  id: { column: 'id', kind: 'text', fixed: true },
  endpointId: { column: 'endpoint', kind: 'text', fixed: true },
  submittedAt: { column: 'submitted_at', kind: 'number', fixed: true },
  /** How long the record is kept after its end. */
  retentionMs: { column: 'retention', kind: 'number', fixed: true },
  executionTimeoutMs: { column: 'timeout', kind: 'number', fixed: true },
  lowPriority: { column: 'low_priority', kind: 'flag', fixed: true },
  /** Who sent it, as `readSender` of feed/sender.ts reads it; null: the host of this engine. */
  sender: { column: 'sender', kind: 'text', nullable: true, fixed: true },
  /** The address that is called at its end; null for none. It may carry a password. */
  webhook: { column: 'webhook', kind: 'secret', nullable: true, fixed: true },
  ttlMs: { column: 'ttl', kind: 'number' },
  status: { column: 'status', kind: 'status', initial: 'IN_QUEUE' },
  /** When it last entered the queue; `delayTime` counts from here. */
  queuedAt: { column: 'queued_at', kind: 'number' },
  /** The worker that has it, or had it last. */
  workerId: { column: 'worker', kind: 'text', nullable: true, initial: null, reset: true },
  /** Whether that worker is a process of this engine, and so ends with the engine. */
  ownWorker: { column: 'own_worker', kind: 'flag', initial: false, reset: true },
  startedAt: { column: 'started_at', kind: 'number', nullable: true, initial: null, reset: true },
  finishedAt: { column: 'finished_at', kind: 'number', nullable: true, initial: null, reset: true },
  delayTime: { column: 'delay', kind: 'number', nullable: true, initial: null, reset: true },
  executionTime: { column: 'execution', kind: 'number', nullable: true, initial: null, reset: true },
  error: { column: 'error', kind: 'text', nullable: true, initial: null, reset: true },
  hasOutput: { column: 'has_output', kind: 'flag', initial: false, reset: true },
  /** How often it was queued again: because its worker was lost, or because a client retried it. */
  retries: { column: 'retries', kind: 'number', initial: 0 },
  /** How many of those count against the worker, and so against the job. */
  lost: { column: 'lost', kind: 'number', initial: 0 },
  /** How many of its chunks a reader of /stream has had. */
  chunksRead: { column: 'chunks_read', kind: 'number', initial: 0, reset: true },
  /** How often a worker of this engine ran it when the engine crashed. */
  crashes: { column: 'crashes', kind: 'number', initial: 0 },
  /** Its rank in the queue, where a person has moved it: among the `seq` of the others. */
  rank: { column: 'rank', kind: 'number', nullable: true, initial: null },
} as const satisfies Record<string, JobField>;

type Table = typeof jobFields;
export type JobFieldName = keyof Table;
type ValueOf<F extends JobField> = Values[F['kind']] | (F extends { nullable: true } ? null : never);
type NamesWith<Trait> = { [N in JobFieldName]: Table[N] extends Trait ? N : never }[JobFieldName];
type FixedName = NamesWith<{ fixed: true }>;
type InitialName = NamesWith<{ initial: unknown }>;
type ResetName = NamesWith<{ reset: true }> & InitialName;

/** The stored part of a job. */
export type JobRecord = { readonly [N in FixedName]: ValueOf<Table[N]> } & {
  -readonly [N in Exclude<JobFieldName, FixedName>]: ValueOf<Table[N]>;
};
/** The fields that are the same in every job that was just submitted. */
export type InitialFields = { -readonly [N in InitialName]: ValueOf<Table[N]> };

/** In the order of the columns. */
export const jobFieldNames = keysOf(jobFields);
export const isFixed = (name: JobFieldName): name is FixedName => 'fixed' in jobFields[name];

const isInitial = (name: JobFieldName): name is InitialName => 'initial' in jobFields[name];
const isReset = (name: InitialName): name is ResetName => 'reset' in jobFields[name];
const initialNames = jobFieldNames.filter(isInitial);
const initialOf = (name: InitialName): InitialFields[InitialName] => jobFields[name].initial;
/** What a job that was just submitted has in the fields that say what became of it. */
export const initialFields = fromKeys<InitialFields>(initialNames, initialOf);
/** What queuing a job again resets. */
export const resetFields: Readonly<Pick<InitialFields, ResetName>> = fromKeys<InitialFields, ResetName>(
  initialNames.filter(isReset),
  initialOf,
);

/** The stored fields of a job, without what only lives in memory. */
export const recordOf = (job: JobRecord): JobRecord => fromKeys<JobRecord>(jobFieldNames, (name) => job[name]);
