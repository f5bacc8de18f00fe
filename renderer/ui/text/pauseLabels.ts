/** A machine that is paused, in words. */
import type { PauseSource, PauseState } from '#contract/local/machine.ts';
import { formatAgo } from './format.ts';

/** Stands after "Paused: ". */
const sourceWords: Record<PauseSource, string> = {
  person: 'by hand',
  start: 'since the start',
  battery: 'on battery',
  programs: 'a program runs',
  'gpu-load': 'others use a GPU',
  'gpu-memory': 'others use GPU memory',
  'quiet-hours': 'quiet hours',
};

/** Whether a rule about the machine holds work back, rather than somebody's wish. */
export const isRule = (source: PauseSource | null): boolean =>
  source !== null && source !== 'person' && source !== 'start';

/** One short line for the status bar; null while work goes on. */
export function pauseLine({ state, source }: PauseState): string | null {
  if (state === 'running') return null;
  if (state === 'finishing') return 'Pausing after the running jobs';
  return source === null ? 'Paused' : `Paused: ${sourceWords[source]}`;
}

export const resumeLabel = ({ source }: PauseState): string => (isRule(source) ? 'Resume anyway' : 'Resume');

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const clockWithDay = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const DAY_MS = 86_400_000;

/** The time of day; with the day of the week where it is not within 24 hours. */
export const formatClock = (at: number, now: number): string =>
  (Math.abs(at - now) < DAY_MS ? clock : clockWithDay).format(at);

/** "for 12 min, until 14:30"; empty where neither is known. */
export function pauseTiming({ since, until }: PauseState, now: number): string {
  const parts: string[] = [];
  if (since !== null) {
    const ago = formatAgo(Date.parse(since), now);
    parts.push(ago === 'now' ? 'since just now' : `for ${ago}`);
  }
  if (until !== null) parts.push(`until ${formatClock(Date.parse(until), now)}`);
  return parts.join(', ');
}
