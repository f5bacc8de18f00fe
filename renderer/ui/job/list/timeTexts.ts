/** How long a job waited and ran, for a list whose clock ticks once a second. */
import { isOver, timesOf, type JobMoments } from '#contract/app/jobs/times.ts';
import { formatDuration, formatSetting } from '../../text/format.ts';

const SECOND_MS = 1000;

/** In whole seconds: a more exact time would be old at once, and differ from that of the open job beside the list. */
const soFar = (ms: number): string => (ms < SECOND_MS ? '0 s' : formatSetting(Math.floor(ms / SECOND_MS) * SECOND_MS));

/** Null for what has not begun or is not known. `now`: as for `timesOf`. */
export function timeTexts(
  job: JobMoments,
  now: number | null,
): Readonly<{ waited: string | null; ran: string | null }> {
  const { waited, ran } = timesOf(job, now);
  const text = (ms: number | null, goesOn: boolean) =>
    ms === null ? null : goesOn && !isOver(job) ? soFar(ms) : formatDuration(ms);
  return { waited: text(waited, job.status === 'SENDING' || job.status === 'IN_QUEUE'), ran: text(ran, true) };
}
