/** Labels of a paused machine. */
import type { PauseSource, PauseState } from '#contract/local/machine.ts';
import { joinSentences } from '../../language/sentences.ts';
import { formatClockNear, formatRoughly, isJustNow } from './format.ts';
import { t } from '../../language/text.ts';

/** The text after "Paused: ". */
const sourceWords: Record<Exclude<PauseSource, 'person'>, string> = {
  start: t`since the start`,
  battery: t`on battery`,
  programs: t`a program runs`,
  'gpu-load': t`others use a GPU`,
  'gpu-memory': t`others use GPU memory`,
  'quiet-hours': t`quiet hours`,
};

/** Whether a rule causes the pause, not a person. */
export const isRule = (source: PauseSource | null): boolean =>
  source !== null && source !== 'person' && source !== 'start';

/** One short line for the status bar, such as "Paused by you until 14:30"; null while work continues. */
export function pauseLine({ state, source, until }: PauseState, now: number): string | null {
  if (state === 'running') return null;
  if (state === 'finishing') return t`Pausing after the running jobs`;
  const end = until === null ? null : formatClockNear(Date.parse(until), now);
  if (source === null) return end === null ? t`Paused` : t`Paused until ${end}`;
  if (source === 'person') return end === null ? t`Paused by you` : t`Paused by you until ${end}`;
  const why = sourceWords[source];
  return end === null ? t`Paused: ${why}` : t`Paused: ${why} until ${end}`;
}

export const resumeLabel = ({ source }: PauseState): string => (isRule(source) ? t`Resume anyway` : t`Resume`);

/** When it began and ends, and what it means: sentences after that with the cause. */
export function pauseTiming({ since, until }: PauseState, now: number): string {
  const began = since === null ? null : Date.parse(since);
  return joinSentences(
    began !== null &&
      (isJustNow(began, now) ? t`The pause began just now.` : t`The pause began ${formatRoughly(now - began)} ago.`),
    until !== null && t`It ends at ${formatClockNear(Date.parse(until), now)}.`,
    t`No job starts meanwhile.`,
  );
}
