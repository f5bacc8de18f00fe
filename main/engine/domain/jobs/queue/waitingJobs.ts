/** The jobs of one queue that wait, in the order in which workers get them. */
import { isQuarantined, type Job } from '../jobRecord.ts';
import { keyOf, rankAt } from './rank.ts';

export interface WaitingJobs {
  push(job: Job): void;
  /** Puts a job back by its age: before all jobs that no worker has taken yet. */
  putBack(job: Job): void;
  /** Lets a few jobs go first, so that a job that kills its worker does not hold up the others. */
  deprioritize(job: Job): void;
  /** Takes out the oldest job that still waits. */
  shift(): Job | undefined;
  /** Takes out the oldest job that no worker has taken yet and whose `seq` is below `below`. */
  shiftNew(below: number): Job | undefined;
  /**
   * Takes out all jobs that came back; some may wait no longer. Until `endPurge`, jobs that come back are kept apart
   * from new ones.
   */
  beginPurge(): Job[];
  endPurge(): void;
  isPurging(): boolean;
  /** The first job that waits and may call for a worker: none of low priority. */
  firstCalling(): Job | undefined;
  /** How many jobs are handed out before this one, which waits; stops counting at `most`. */
  ahead(job: Job, most: number): number;
  /** The first jobs that wait, in the order in which they are handed out. */
  first(limit: number): Job[];
  /**
   * Puts a job that waits here before another one, or last. Returns all jobs whose rank changes by that. `nextKey`: a
   * number above all that jobs have. Must not be called while the queue is purged.
   */
  move(job: Job, before: Job | null, nextKey: () => number): Job[];
  /** Sorts the jobs that were pushed, if a person has moved some of them. */
  arrange(): void;
}

/** Compacted when this many taken places lead the array. */
const COMPACT_AT = 1024;
/** Jobs that go before one that has killed its worker. */
const GO_FIRST = 10;

// A cancelled or removed job keeps its place until it is met there.
const waits = (job: Job): boolean => job.status === 'IN_QUEUE' && !job.removed && !isQuarantined(job);
const calls = (job: Job): boolean => waits(job) && !job.lowPriority;

function insertByAge(jobs: Job[], job: Job): void {
  let place = jobs.length;
  for (; place > 0; place--) {
    const before = jobs[place - 1];
    if (before === undefined || keyOf(before) <= keyOf(job)) break;
  }
  jobs.splice(place, 0, job);
}

export function createWaitingJobs(): WaitingJobs {
  let waiting: Job[] = [];
  let head = 0;
  /** No place of `waiting` before this one calls for a worker, so no search begins earlier. */
  let calling = 0;
  /** Jobs that came back, oldest first. They go before all of `waiting`. */
  const returned: Job[] = [];
  let purges = 0;

  const jobAt = (place: number): Job | undefined => returned[place] ?? waiting[head + place - returned.length];

  function shiftNew(below: number): Job | undefined {
    while (head < waiting.length) {
      const job = waiting[head];
      if (job === undefined || job.seq >= below) break;
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
    insertByAge(returned, job);
  }

  return {
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
      for (; calling < waiting.length; calling++) {
        const job = waiting[calling];
        if (job && calls(job)) return job;
      }
      return undefined;
    },
    ahead(job, most) {
      let count = 0;
      for (let at = 0; at < returned.length + waiting.length - head; at++) {
        const before = jobAt(at);
        if (before === undefined || before === job || count === most) break;
        if (waits(before)) count++;
      }
      return count;
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
    isPurging: () => purges > 0,
    arrange() {
      if (waiting.some(({ rank }) => rank !== null)) waiting.sort((a, b) => keyOf(a) - keyOf(b));
    },
  };
}
