/** The newest inputs and results stay in memory for a while: they are asked for soon, a result often more than once. */
import { requireValue } from '#contract/core/requireValue.ts';
import type { Job } from '../jobRecord.ts';

/** UTF-16 units of all of one kind together. */
const MOST_LENGTH = 8 * 1024 * 1024;
/** What a job costs that stays in memory with its text, in the same measure: most of it where texts are short. */
const JOB_LENGTH = 256;
/** A longer one is read from the store each time: its reading is not what such an answer costs. */
const LONGEST = 64 * 1024;
/** Fewer that nobody asks for any more are not worth looking for. */
const COMPACT_AT = 256;

export interface PayloadCache {
  /**
   * Notes that the text of this job is on disk. It leaves memory when newer texts need the room; a long text does so at
   * once.
   */
  stored(job: Job): void;
  /** Notes that the text of this job is not read again, so that it leaves memory. */
  release(job: Job): void;
}

export function createPayloadCache(kind: 'body' | 'output', mostLength = MOST_LENGTH): PayloadCache {
  let entries: { job: Job; text: string }[] = [];
  /** The index of the first entry in memory; the entries before it have left. */
  let head = 0;
  let length = 0;
  /** How many of them nobody asks for any more, at most. */
  let idle = 0;

  function dropOldest(): void {
    const { job, text } = requireValue(entries[head++], 'the oldest text');
    length -= text.length + JOB_LENGTH;
    // A job that was queued again has another output by now, or none.
    if (job[kind] === text) job[kind] = null;
    if (head * 2 < entries.length) return;
    entries = entries.slice(head);
    head = 0;
  }

  function compact(): void {
    entries = entries.slice(head).filter(({ job, text }) => job[kind] === text);
    length = entries.reduce((sum, { text }) => sum + text.length + JOB_LENGTH, 0);
    head = 0;
    idle = 0;
  }

  return {
    stored(job) {
      const text = job[kind];
      if (typeof text !== 'string' || text.length > LONGEST) {
        job[kind] = null;
        return;
      }
      entries.push({ job, text });
      length += text.length + JOB_LENGTH;
      while (length > mostLength) dropOldest();
    },
    release(job) {
      if (job[kind] === null) return;
      job[kind] = null;
      idle++;
      if (idle >= COMPACT_AT && idle * 2 > entries.length - head) compact();
    },
  };
}
