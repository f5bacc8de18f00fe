/** The queue of one endpoint: jobs that wait, workers that wait, and the counters of /health. */
import { isQuarantined, type Job } from '../jobRecord.ts';
import { keyOf, rankAt } from './rank.ts';

/** A worker's parked job-take. */
export interface ParkedWorker {
  readonly workerId: string;
  readonly max: number;
  /** Hands the jobs over, or none when the time is up. False when the worker is no longer there to take them. */
  deliver(jobs: Job[]): void;
}

export interface QueueCounters {
  inQueue: number;
  /** Of those, the ones that may call for a worker: none of low priority, none that is set aside. */
  calling: number;
  /** Of those, the ones that are handed to nobody. */
  quarantined: number;
  inProgress: number;
  /** Of those, the ones of low priority. */
  lowInProgress: number;
  completed: number;
  failed: number;
  retried: number;
}

export interface JobQueue {
  readonly counters: QueueCounters;
  push(job: Job): void;
  /** Jobs that come back keep their age: they go before all that were never taken. */
  putBack(job: Job): void;
  /** A few jobs go first, so that one that kills its worker does not hold up the others. */
  deprioritize(job: Job): void;
  /** The oldest job that still waits. */
  shift(): Job | undefined;
  /** The oldest that was never taken and whose `seq` is below this. */
  shiftNew(below: number): Job | undefined;
  /** Takes all that came back; some may wait no longer. Until `endPurge`, what comes back is kept apart from what never left. */
  beginPurge(): Job[];
  endPurge(): void;
  /** The first job that waits and may call for a worker: none of low priority. */
  firstCalling(): Job | undefined;
  /** How many jobs are handed out before this one, which waits; stops counting at `most`. */
  ahead(job: Job, most: number): number;
  /** Keeps a job that is set aside: it waits, and is handed to nobody. */
  quarantine(job: Job): void;
  /** Those that are set aside. */
  quarantined(): Job[];
  /** The first jobs that wait, in the order in which they are handed out. */
  first(limit: number): Job[];
  /**
   * Puts a job that waits here before another one, or last. Answers all whose rank has changed by that. `nextKey`: a number
   * above all that jobs have. Not while the queue is purged.
   */
  move(job: Job, before: Job | null, nextKey: () => number): Job[];
  readonly purging: boolean;
  /** Puts in order what was pushed, where somebody has moved some of it. */
  arrange(): void;
  /** Remembers the job among the newest of this endpoint. */
  note(job: Job): void;
  /** The newest jobs that are still there, newest first; about a thousand are remembered. */
  recent(): Iterable<Job>;
  park(taker: ParkedWorker): void;
  unpark(taker: ParkedWorker): void;
  /** The worker that has waited longest. */
  nextParkedWorker(): ParkedWorker | undefined;
  parkedWorkers(): Iterable<ParkedWorker>;
  /** How many of a worker's asks are parked. */
  parked(): number;
}

/** Compacted when this many taken places lead the array. */
const COMPACT_AT = 1024;
/** Jobs that go before one that has killed its worker. */
const GO_FIRST = 10;
/** How many of the newest jobs are remembered. */
const RECENT = 1000;

export function createJobQueue(): JobQueue {
  let waiting: Job[] = [];
  let head = 0;
  /** No place of `waiting` before this one calls for a worker, so that nobody looks there twice. */
  let calling = 0;
  const returned: Job[] = [];
  const newest: Job[] = [];
  let noted = 0;
  let purges = 0;
  const quarantinedJobs = new Set<Job>();
  const takers = new Set<ParkedWorker>();

  // A cancelled or removed job keeps its place until it is met here.
  const waits = (job: Job): boolean => job.status === 'IN_QUEUE' && !job.removed && !isQuarantined(job);
  const calls = (job: Job): boolean => waits(job) && !job.lowPriority;
  const jobAt = (place: number): Job | undefined => returned[place] ?? waiting[head + place - returned.length];

  function shiftNew(below: number): Job | undefined {
    while (head < waiting.length) {
      const job = waiting[head]!;
      if (job.seq >= below) break;
      head++;
      job.isEnqueued = false;
      if (head > COMPACT_AT && head * 2 > waiting.length) {
        waiting = waiting.slice(head);
        calling = Math.max(0, calling - head);
        head = 0;
      }
      if (waits(job)) return job;
    }
    return undefined;
  }

  function placeOf(job: Job): number {
    const at = returned.indexOf(job);
    return at === -1 ? returned.length + waiting.indexOf(job, head) - head : at;
  }

  function putBack(job: Job): void {
    if (job.isEnqueued) return;
    job.isEnqueued = true;
    let at = returned.length;
    while (at > 0 && keyOf(returned[at - 1]!) > keyOf(job)) at--;
    returned.splice(at, 0, job);
  }

  return {
    counters: {
      inQueue: 0,
      calling: 0,
      quarantined: 0,
      inProgress: 0,
      lowInProgress: 0,
      completed: 0,
      failed: 0,
      retried: 0,
    },
    push(job) {
      job.isEnqueued = true;
      waiting.push(job);
    },
    putBack,
    deprioritize(job) {
      if (job.isEnqueued) return;
      if (purges > 0) {
        putBack(job);
        return;
      }
      job.isEnqueued = true;
      waiting.splice(head + GO_FIRST, 0, job);
      calling = Math.min(calling, head + GO_FIRST);
    },
    shift() {
      for (;;) {
        const job = returned.shift();
        if (job === undefined) return shiftNew(Infinity);
        job.isEnqueued = false;
        if (waits(job)) return job;
      }
    },
    shiftNew,
    beginPurge() {
      purges++;
      for (const job of returned) job.isEnqueued = false;
      return returned.splice(0);
    },
    endPurge() {
      purges--;
    },
    firstCalling() {
      for (const job of returned) if (calls(job)) return job;
      calling = Math.max(calling, head);
      while (calling < waiting.length && !calls(waiting[calling]!)) calling++;
      return waiting[calling];
    },
    ahead(job, most) {
      let count = 0;
      for (let at = 0; at < returned.length + waiting.length - head; at++) {
        const before = jobAt(at)!;
        if (before === job || count === most) break;
        if (waits(before)) count++;
      }
      return count;
    },
    quarantine(job) {
      quarantinedJobs.add(job);
    },
    quarantined() {
      // What could not be stored of one may be taken back.
      for (const job of quarantinedJobs)
        if (job.removed || (job.pendingWrites === 0 && !isQuarantined(job))) quarantinedJobs.delete(job);
      return [...quarantinedJobs].filter((job) => job.status === 'IN_QUEUE' && isQuarantined(job));
    },
    first(limit) {
      const jobs: Job[] = [];
      for (let at = 0; jobs.length < limit; at++) {
        const job = jobAt(at);
        if (!job) break;
        if (waits(job)) jobs.push(job);
      }
      return jobs;
    },
    move(job, before, nextKey) {
      if (job === before) return [];
      const from = placeOf(job);
      if (from < returned.length) returned.splice(from, 1);
      else {
        waiting.splice(head + from - returned.length, 1);
        calling = head;
      }
      const to = before ? placeOf(before) : returned.length + waiting.length - head;
      if (before && to < returned.length) returned.splice(to, 0, job);
      else {
        waiting.splice(head + to - returned.length, 0, job);
        calling = head;
      }
      return rankAt(jobAt, to, nextKey);
    },
    get purging() {
      return purges > 0;
    },
    arrange() {
      if (waiting.some(({ rank }) => rank !== null)) waiting.sort((a, b) => keyOf(a) - keyOf(b));
    },
    note(job) {
      newest[noted++ % RECENT] = job;
    },
    *recent() {
      for (let n = noted - 1; n >= 0 && n >= noted - RECENT; n--) {
        const job = newest[n % RECENT]!;
        if (!job.removed) yield job;
      }
    },
    park(taker) {
      takers.add(taker);
    },
    unpark(taker) {
      takers.delete(taker);
    },
    nextParkedWorker() {
      for (const taker of takers) {
        takers.delete(taker);
        return taker;
      }
      return undefined;
    },
    parkedWorkers: () => takers,
    parked: () => takers.size,
  };
}

/** Moves a job between the counters; the one place where they change with a status. */
export function countMove(
  counters: QueueCounters,
  job: Job,
  from: Job['status'] | null,
  to: Job['status'] | null,
): void {
  const queued = (by: number): void => {
    counters.inQueue += by;
    if (isQuarantined(job)) counters.quarantined += by;
    else if (!job.lowPriority) counters.calling += by;
  };
  const running = (by: number): void => {
    counters.inProgress += by;
    if (job.lowPriority) counters.lowInProgress += by;
  };
  if (from === 'IN_QUEUE') queued(-1);
  else if (from === 'IN_PROGRESS') running(-1);
  // What was counted as ended stays so when its record goes, and not when it is taken up again.
  else if (to !== null && from === 'COMPLETED') counters.completed--;
  else if (to !== null && (from === 'FAILED' || from === 'TIMED_OUT')) counters.failed--;
  if (to === 'IN_QUEUE') queued(1);
  else if (to === 'IN_PROGRESS') running(1);
  else if (to === 'COMPLETED') counters.completed++;
  else if (to === 'FAILED' || to === 'TIMED_OUT') counters.failed++;
}
