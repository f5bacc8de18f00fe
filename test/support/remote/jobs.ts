/** Jobs at the fake of the remote service: their lives, what came of them, how long it is kept, and who does them. */
import { randomUUID } from 'node:crypto';
import { limits } from '#contract/core/limits.ts';
import { notFound, Refusal } from './wire.ts';

/** JSON text that is passed on as it is, such as numbers that JavaScript cannot hold. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
const toText = (value: unknown): string => (value instanceof RawJson ? value.text : (JSON.stringify(value) ?? 'null'));

export interface RemoteWork {
  readonly id: string;
  readonly endpointId: string;
  readonly input: unknown;
  /** As it was sent. */
  readonly inputText: string;
  /** Fires when the job is cancelled, or out of time. */
  readonly signal: AbortSignal;
  chunk(value: unknown): void;
  progress(value: unknown): void;
}
/** Does a job: what it returns is the output; what it throws fails the job. */
export type RemoteHandler = (work: RemoteWork) => unknown;

export type RemoteJobStatus = 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';

export interface RemoteJob {
  readonly id: string;
  readonly endpointId: string;
  readonly inputText: string;
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly retentionMs: number;
  readonly submittedAt: number;
  queuedAt: number;
  ttlMs: number;
  status: RemoteJobStatus;
  unread: string[];
  output: string | null;
  error: string | null;
  delayMs: number | null;
  startedAt: number | null;
  endedAt: number | null;
  workerId: string | null;
  retries: number;
  attempt: AbortController | null;
}

export const hasEnded = ({ status }: RemoteJob): boolean => status !== 'IN_QUEUE' && status !== 'IN_PROGRESS';

interface Endpoint {
  handler: RemoteHandler | null;
  counts: { completed: number; failed: number; retried: number };
}

export interface RemoteJobs {
  /** Sets who does the jobs of an endpoint; null: nobody, so that they wait. */
  serve(endpointId: string, handler: RemoteHandler | null): void;
  /** Who does the jobs of endpoints of which nothing else is said. */
  serveNew(handler: RemoteHandler): void;
  submit(
    endpointId: string,
    kind: 'run' | 'runsync',
    fields: Pick<RemoteJob, 'inputText' | 'envelope'>,
    hasWait: boolean,
  ): RemoteJob;
  /** Refuses with 404 what is not there, or not any more. */
  get(endpointId: string, id: string): RemoteJob;
  cancel(job: RemoteJob): void;
  retry(job: RemoteJob): void;
  purge(endpointId: string): number;
  health(endpointId: string): Record<'jobs' | 'workers', Record<string, number>>;
  /** The worker of a job is lost: it is queued again, once. */
  loseWorker(id: string): void;
  /** Resolves once `until` holds, the time is up, or `gone` fires. */
  wait(job: RemoteJob, until: (job: RemoteJob) => boolean, ms: number, gone: AbortSignal): Promise<void>;
  all(): RemoteJob[];
  stop(): void;
}

/** The image of an endpoint that nobody said more of. */
const echo: RemoteHandler = ({ input }) => ({ echo: input });

interface Submission extends Pick<RemoteJob, 'endpointId' | 'inputText' | 'envelope' | 'submittedAt'> {
  kind: 'run' | 'runsync';
  hasWait: boolean;
}

function newJob({ endpointId, kind, inputText, envelope, hasWait, submittedAt }: Submission): RemoteJob {
  const policy = (envelope['policy'] ?? {}) as { ttl?: number };
  const { run, runsync, runsyncWithWait } = limits.retentionMs;
  return {
    id: `${kind === 'run' ? '' : 'sync-'}${randomUUID()}-u1`,
    endpointId,
    inputText,
    envelope,
    submittedAt,
    queuedAt: submittedAt,
    retentionMs: kind === 'run' ? run : hasWait ? runsyncWithWait : runsync,
    ttlMs: policy.ttl ?? limits.ttlMs.default,
    status: 'IN_QUEUE',
    unread: [],
    output: null,
    error: null,
    delayMs: null,
    startedAt: null,
    endedAt: null,
    workerId: null,
    retries: 0,
    attempt: null,
  };
}

interface Wait {
  job: RemoteJob;
  until: (job: RemoteJob) => boolean;
  ms: number;
  gone: AbortSignal;
}

function waitFor(waiters: Set<() => void>, { job, until, ms, gone }: Wait): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      waiters.delete(check);
      gone.removeEventListener('abort', done);
      clearTimeout(timer);
      resolve();
    };
    const check = (): void => {
      if (until(job)) done();
    };
    const timer = setTimeout(done, ms);
    waiters.add(check);
    gone.addEventListener('abort', done);
    if (gone.aborted) done();
    else check();
  });
}

interface Attempts {
  end(job: RemoteJob, status: RemoteJobStatus, result?: { output?: string; error?: string }): void;
  /** Starts jobs that wait, as far as there are free workers. */
  pump(endpointId: string): void;
  /** Queues the job again. */
  queue(job: RemoteJob): void;
}

interface AttemptOptions {
  now: () => number;
  workersOf: (endpointId: string) => number;
  of: (endpointId: string) => Endpoint;
  at: (endpointId: string, status: RemoteJobStatus) => RemoteJob[];
  /** Wakes whoever waits for a change. */
  tell: () => void;
}

/** The workers of the service: each does one job at a time. */
function createAttempts({ now, workersOf, of, at, tell }: AttemptOptions): Attempts {
  function end(job: RemoteJob, status: RemoteJobStatus, result: { output?: string; error?: string } = {}): void {
    job.status = status;
    job.endedAt = now();
    if (result.output !== undefined) job.output = result.output;
    job.error = result.error ?? null;
    job.attempt?.abort();
    job.attempt = null;
    const { counts } = of(job.endpointId);
    if (status === 'COMPLETED') counts.completed++;
    else if (status === 'FAILED' || status === 'TIMED_OUT') counts.failed++;
    tell();
    pump(job.endpointId);
  }

  async function work(job: RemoteJob, handler: RemoteHandler): Promise<void> {
    const attempt = new AbortController();
    Object.assign(job, { status: 'IN_PROGRESS', attempt, startedAt: now(), workerId: `w${randomUUID().slice(0, 12)}` });
    job.delayMs = now() - job.queuedAt;
    tell();
    const isCurrent = (): boolean => job.attempt === attempt;
    try {
      const output = await handler({
        id: job.id,
        endpointId: job.endpointId,
        input: JSON.parse(job.inputText) as unknown,
        inputText: job.inputText,
        signal: attempt.signal,
        chunk(value) {
          if (!isCurrent()) return;
          job.unread.push(toText(value));
          tell();
        },
        progress(value) {
          if (!isCurrent()) return;
          job.output = toText(value);
          tell();
        },
      });
      if (isCurrent()) end(job, 'COMPLETED', { output: toText(output) });
    } catch (thrown) {
      if (isCurrent()) end(job, 'FAILED', { error: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }

  function pump(endpointId: string): void {
    const { handler } = of(endpointId);
    if (handler === null) return;
    const free = workersOf(endpointId) - at(endpointId, 'IN_PROGRESS').length;
    for (const job of at(endpointId, 'IN_QUEUE').slice(0, Math.max(0, free))) void work(job, handler);
  }

  function queue(job: RemoteJob): void {
    job.attempt?.abort();
    Object.assign(job, { status: 'IN_QUEUE', attempt: null, output: null, error: null, unread: [], queuedAt: now() });
    Object.assign(job, { delayMs: null, startedAt: null, endedAt: null, workerId: null });
    tell();
    // The answer that tells of its place in the queue goes first, as it does at the service.
    setImmediate(() => pump(job.endpointId));
  }

  return { end, pump, queue };
}

/** `workersOf`: how many workers an endpoint may have. */
export function createJobs(now: () => number, workersOf: (endpointId: string) => number): RemoteJobs {
  let fallback = echo;
  const jobs = new Map<string, RemoteJob>();
  const endpoints = new Map<string, Endpoint>();
  const waiters = new Set<() => void>();
  const of = (endpointId: string): Endpoint => {
    const known = endpoints.get(endpointId);
    if (known) return known;
    const made: Endpoint = { handler: fallback, counts: { completed: 0, failed: 0, retried: 0 } };
    endpoints.set(endpointId, made);
    return made;
  };
  const at = (endpointId: string, status: RemoteJobStatus): RemoteJob[] =>
    [...jobs.values()].filter((job) => job.endpointId === endpointId && job.status === status);
  const tell = (): void => {
    for (const wake of waiters) wake();
  };

  const { end, pump, queue } = createAttempts({ now, workersOf, of, at, tell });

  const isGone = (job: RemoteJob): boolean =>
    now() >= job.submittedAt + job.ttlMs || (job.endedAt !== null && now() >= job.endedAt + job.retentionMs);

  return {
    serveNew(handler) {
      fallback = handler;
    },
    serve(endpointId, handler) {
      of(endpointId).handler = handler;
      pump(endpointId);
    },
    submit(endpointId, kind, { inputText, envelope }, hasWait) {
      const job = newJob({ endpointId, kind, inputText, envelope, hasWait, submittedAt: now() });
      jobs.set(job.id, job);
      setImmediate(() => pump(endpointId));
      return job;
    },
    get(endpointId, id) {
      const job = jobs.get(id);
      if (!job || job.endpointId !== endpointId) throw notFound('job');
      if (isGone(job)) {
        jobs.delete(id);
        job.attempt?.abort();
        throw notFound('job');
      }
      return job;
    },
    cancel(job) {
      if (!hasEnded(job)) end(job, 'CANCELLED');
    },
    retry(job) {
      if (job.status !== 'FAILED' && job.status !== 'TIMED_OUT') {
        throw new Refusal(400, `only failed or timed out jobs can be retried; this one is ${job.status}`);
      }
      queue(job);
    },
    purge(endpointId) {
      const waiting = at(endpointId, 'IN_QUEUE');
      for (const job of waiting) end(job, 'CANCELLED');
      return waiting.length;
    },
    health(endpointId) {
      const { counts, handler } = of(endpointId);
      const running = at(endpointId, 'IN_PROGRESS').length;
      const idle = handler === null ? 0 : Math.max(0, workersOf(endpointId) - running);
      return {
        jobs: { ...counts, inProgress: running, inQueue: at(endpointId, 'IN_QUEUE').length },
        workers: { idle, initializing: 0, ready: idle, running, throttled: 0, unhealthy: 0 },
      };
    },
    loseWorker(id) {
      const job = jobs.get(id)!;
      if (job.retries > 0) return end(job, 'FAILED', { error: 'job timed out after 1 retries' });
      job.retries++;
      of(job.endpointId).counts.retried++;
      queue(job);
    },
    wait: (job, until, ms, gone) => waitFor(waiters, { job, until, ms, gone }),
    all: () => [...jobs.values()],
    stop() {
      for (const job of jobs.values()) {
        job.attempt?.abort();
        job.attempt = null;
      }
      jobs.clear();
      tell();
    },
  };
}
