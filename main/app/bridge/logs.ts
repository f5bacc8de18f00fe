/** Log lines for a window: the app reads the stream, the window is sent what came, together. */
import type { LogBatch } from '#contract/app/endpointReadModels.ts';
import { AppError, toAppError } from '#contract/core/errors.ts';
import type { LogLine, ToldLogFilter } from '#contract/local/log.ts';
import { pause, type Clock } from '../platform/clock.ts';
import type { ComputeApi } from '../services/directory.ts';
import { createBell, PACE_MS } from './asyncSignal.ts';

/** The most that one message brings. */
const LINES_PER_BATCH = 2000;
/** So many lines may wait for a slow window; then the stream itself waits. */
const WAITING_LINES = 20_000;
const REOPEN_MS = 1000;

/** The part of the account's API. Throws UNSUPPORTED where the account lacks it: a lack is never shown as an empty list. */
export function requirePart<Part extends 'logs' | 'workers'>(
  compute: ComputeApi,
  part: Part,
): NonNullable<ComputeApi[Part]> {
  const api = compute[part];
  if (api !== null) return api;
  const noun = part === 'logs' ? 'what its workers write' : 'its workers';
  throw new AppError(
    'UNSUPPORTED',
    `This account does not tell ${part === 'logs' ? '' : 'of '}${noun}. An engine of Hangar does, and so does an account that speaks REST v2.`,
  );
}

/**
 * Every line after the one numbered `after`, in batches. A stream that breaks is opened again from where it was; a refusal ends
 * this with its reason.
 */
export async function* followLogs(
  logs: Pick<NonNullable<ComputeApi['logs']>, 'follow'>,
  filter: ToldLogFilter,
  after: number,
  clock: Clock,
  stopped: AbortSignal,
): AsyncGenerator<LogBatch, void, void> {
  const life = new AbortController();
  const signal = AbortSignal.any([life.signal, stopped]);
  const came = createBell(signal);
  const taken = createBell(signal);
  let waiting: LogLine[] = [];
  const failed: { reason: Error | null } = { reason: null };
  let last = after;

  const isPassing = (thrown: unknown): boolean => thrown instanceof AppError && thrown.code === 'UNAVAILABLE';
  async function read(): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const line of logs.follow(filter, last, signal)) {
          last = line.n;
          waiting.push(line);
          came.ring();
          while (waiting.length >= WAITING_LINES && !signal.aborted) await taken.next();
          if (signal.aborted) return;
        }
      } catch (thrown) {
        if (signal.aborted) return;
        if (!isPassing(thrown)) {
          failed.reason = toAppError(thrown);
          came.ring();
          return;
        }
      }
      await pause(clock, REOPEN_MS, signal);
    }
  }

  const reading = read();
  try {
    while (!signal.aborted) {
      await came.next();
      while (waiting.length > 0 && !signal.aborted) {
        const lines = waiting.slice(0, LINES_PER_BATCH);
        waiting = waiting.slice(LINES_PER_BATCH);
        taken.ring();
        yield { lines };
        await pause(clock, PACE_MS, signal);
      }
      if (failed.reason !== null) throw failed.reason;
    }
  } finally {
    life.abort();
    came.stop();
    taken.stop();
    await reading;
  }
}
