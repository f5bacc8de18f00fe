/** Submitting a job: it goes to a worker that waits for one, or into the queue. */
import type { LimitSettings } from '#contract/local/settings.ts';
import type { Job } from './jobRecord.ts';
import type { Dispatcher } from './dispatcher.ts';
import { createJob } from './jobEntity.ts';
import { createJobIds } from './jobIds.ts';
import type { JobRegistry } from './jobRegistry.ts';
import type { Clock, Ids } from '../core/ports.ts';
import type { PayloadCache } from './payload/payloadCache.ts';
import type { JsonText } from './payload/payloadRef.ts';
import type { JobTerms } from './payload/requestParser.ts';
import type { JobCounter, JobStore } from './ports.ts';

/** In a queue of at most this length a worker takes the job soon, so its body stays in memory until then. */
const SOON_TAKEN = 10_000;

export interface Submission {
  endpointId: string;
  request: JobTerms;
  /** The request as it was sent; the worker gets this very text. */
  body: JsonText;
  sync: boolean;
  /** As `senderOf` makes it; null: the host of this engine. */
  sender?: string | null;
  /** Only the caller's connection gets the result: the next start of the engine cancels the job. */
  cancelOnDisconnect?: boolean;
  retentionMs: number;
}

export interface SubmitOptions {
  clock: Clock;
  ids: Ids;
  store: JobStore;
  counter?: JobCounter;
  /** The limits in force. */
  limits(): LimitSettings;
  /** The endpoint's own execution time limit, milliseconds. */
  executionTimeoutMs(endpointId: string): number;
  /** The endpoint may need more or fewer workers. Called often: must be cheap. */
  onDemand(endpointId: string): void;
}

interface SubmitParts extends SubmitOptions {
  /** The job could not be stored and is removed. It counts as never sent. */
  onNotStored(job: Job): void;
}

/** Stores a new job. `settled` gets it once it is committed, or the error of the commit. */
export type Submit = (submission: Submission, settled: (error: unknown, job: Job) => void) => void;

export function createSubmit(
  options: SubmitParts,
  registry: JobRegistry,
  dispatcher: Dispatcher,
  bodies: PayloadCache,
): Submit {
  const { clock, store, counter, onDemand } = options;
  const newId = createJobIds(clock, options.ids);

  return function submit(submission, settled) {
    const { endpointId, request, body, sync, sender = null, cancelOnDisconnect = false, retentionMs } = submission;
    const now = clock.now();
    const { policy } = request;
    const terms = {
      seq: store.nextSeq(),
      id: newId(sync, cancelOnDisconnect),
      endpointId,
      submittedAt: now,
      retentionMs,
      executionTimeoutMs: policy?.executionTimeout ?? options.executionTimeoutMs(endpointId),
      lowPriority: policy?.lowPriority ?? false,
      sender,
      webhook: request.webhook ?? null,
      ttlMs: policy?.ttl ?? options.limits().ttlMs.default,
    };
    const job = createJob(terms, body);
    registry.add(job);
    const queue = registry.queueOf(endpointId);
    const immediate = queue.counters.inQueue - queue.counters.quarantined === 1 ? dispatcher.dispatchNow(job) : null;
    if (!immediate) queue.push(job);
    const stored = registry.trackWrite(job, (error) => {
      if (!error) counter?.accepted(endpointId);
      settled(error, job);
      immediate?.stored(error);
      if (error) options.onNotStored(job);
      // The worker that takes the job needs its body next, unless many others go first.
      if (job.status === 'IN_QUEUE' && !job.removed && queue.counters.inQueue <= SOON_TAKEN) bodies.stored(job);
      else job.body = null;
    });
    // The caller of /runsync learns of the job by its result, so the job may share a commit with its result.
    const urgency = sync && (immediate?.early ?? !cancelOnDisconnect) ? 'soon' : 'now';
    store.insert(job, body, request.s3Config !== undefined, stored, urgency);
    immediate?.written();
    onDemand(endpointId);
  };
}
