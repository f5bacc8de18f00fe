/** The newest results stay in memory for a while: whoever polls asks for a job soon after its end, and often more than once. */
import type { Job } from './job.ts';

/** UTF-16 units of all of them together. */
const MOST_LENGTH = 4 * 1024 * 1024;
/** A longer one is read from the store each time: its reading is not what such an answer costs. */
const LONGEST = 64 * 1024;

export interface RecentOutputs {
  /** The output of a job that has ended is on disk. It is let go of when newer ones need the room, or at once where it is long. */
  stored(job: Job): void;
}

export function createRecentOutputs(mostLength = MOST_LENGTH): RecentOutputs {
  let kept: { job: Job; text: string }[] = [];
  /** Those before it have been let go of. */
  let head = 0;
  let length = 0;

  function letGoOfOldest(): void {
    const { job, text } = kept[head++]!;
    length -= text.length;
    // A job that was queued again has another by now, or none.
    if (job.output === text) job.output = null;
    if (head * 2 < kept.length) return;
    kept = kept.slice(head);
    head = 0;
  }

  return {
    stored(job) {
      const { output } = job;
      if (typeof output !== 'string' || output.length > LONGEST) {
        job.output = null;
        return;
      }
      kept.push({ job, text: output });
      length += output.length;
      while (length > mostLength) letGoOfOldest();
    },
  };
}
