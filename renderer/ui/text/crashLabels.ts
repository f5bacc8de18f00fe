/** Sentences about a part of the program that crashed. */
import type { CrashedPart, CrashNotice } from '#contract/app/crash.ts';
import { formatWhen } from './format.ts';
import { joinSentences } from '../../language/sentences.ts';
import { t } from '../../language/text.ts';

export const crashTitles: Record<CrashedPart, string> = {
  main: t`Hangar had an internal error.`,
  'last-run': t`Hangar ended unexpectedly the last time.`,
  page: t`The window crashed and was loaded again.`,
  engine: t`The engine crashed.`,
  keychain: t`The keychain process crashed.`,
  gpu: t`The GPU process of the window crashed.`,
};

const consequences: Record<CrashedPart, string> = {
  main: t`Jobs and results are kept. If something does not work, quit Hangar and start it again.`,
  'last-run': t`Inputs are kept, and the work that was interrupted runs again.`,
  page: t`Jobs and terminals continued. An upload from this window stopped, and text that was not saved is lost.`,
  engine: t`Jobs and results are kept. A job that was running runs again.`,
  keychain: t`No stored key was lost. Hangar restarts the process when it needs a key.`,
  gpu: t`It only draws the window; jobs do not use it. If this happens again, turn off hardware acceleration.`,
};

/** The cause, how often, and what was kept. */
export function crashWords({ part, at, count, cause }: CrashNotice): string {
  return joinSentences(cause, count > 1 && t`This is crash ${count}, at ${formatWhen(at)}.`, consequences[part]);
}
