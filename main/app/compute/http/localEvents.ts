/** Event streams below /local/v1 that only an engine of Hangar has, and not every version of it. */
import type * as z from 'zod';
import { AppError, isUnsupported } from '#contract/core/errors.ts';
import { CHANGES_PULSE_MS } from '#contract/local/changes/stateChange.ts';
import type { EventCall, Outbound } from './outbound.ts';
import { readJson } from './parsers.ts';
import { readEvents } from './serverEvents.ts';

/** One lost heartbeat is no reason to give up an engine that is busy. */
export const SILENCE_MS = 3 * CHANGES_PULSE_MS;
const OLD_SAMPLES = 'The Hangar of this account is too old to send what it measures. Update it.';

export interface LocalEvents extends Pick<EventCall, 'path' | 'signal' | 'silenceMs'> {
  /** The message of UNSUPPORTED. */
  tooOld: string;
}

/** The events of a path below /local/v1. Throws UNSUPPORTED where the engine does not have them. */
export async function* followLocal<S extends z.ZodType>(
  outbound: Pick<Outbound, 'events'>,
  { path, tooOld, ...call }: LocalEvents,
  schema: S,
): AsyncGenerator<z.output<S>, void, void> {
  try {
    const pieces = outbound.events({ path: `/local/v1/${path}`, ...call });
    for await (const text of readEvents(pieces)) yield readJson(path, text, schema);
  } catch (thrown) {
    if (!isUnsupported(thrown)) throw thrown;
    throw new AppError('UNSUPPORTED', tooOld, { cause: thrown });
  }
}

/** The samples of `of`, one in each `everyMs`. They are the heartbeat of their stream. */
export const samplesOf = (of: 'machine' | 'workers' | 'pods', everyMs: number, signal: AbortSignal): LocalEvents => ({
  path: `${of}/events?everyMs=${everyMs}`,
  signal,
  silenceMs: everyMs + SILENCE_MS,
  tooOld: OLD_SAMPLES,
});
