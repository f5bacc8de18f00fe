/** Log lines for a window: the app reads the stream and sends the lines in batches. */
import type { LogBatch, WholeLogEvent } from '#contract/app/endpointReadModels.ts';
import type { BridgeContract } from '#contract/bridge/index.ts';
import { AppError, toAppError } from '#contract/core/errors.ts';
import type { LogLine, PodLogFilter } from '#contract/local/log.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import { pause, type Clock } from '../../platform/clock.ts';
import type { ComputeApi, Directory } from '../../services/directory.ts';
import { createBell, PACE_MS } from '../asyncSignal.ts';

/** Most lines of one message. */
const LINES_PER_BATCH = 2000;
/** At most this many lines wait for a slow window; after that the app stops reading the stream. */
const WAITING_LINES = 20_000;
const REOPEN_MS = 1000;

/**
 * The part of the account's API. Throws UNSUPPORTED if the account lacks it, so that the page never shows a missing
 * part as an empty list.
 */
export function requirePart<Part extends 'logs' | 'workers'>(
  compute: ComputeApi,
  part: Part,
): NonNullable<ComputeApi[Part]> {
  const api = compute[part];
  if (api !== null) return api;
  const noun = part === 'logs' ? 'what its workers write' : 'its workers';
  throw new AppError(
    'UNSUPPORTED',
    `This account does not report ${noun}. Hangar engines and accounts with REST v2 do.`,
  );
}

/**
 * Every line after the line with number `after`, in batches. A broken stream is opened again at the last line. A
 * refusal ends the iterator with its reason.
 */
export async function* followLogs(
  logs: Pick<NonNullable<ComputeApi['logs']>, 'follow'>,
  filter: PodLogFilter,
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

/** Every kept line in batches, as fast as the window takes them, and at the end what the log lacks. */
export async function* wholeLog(
  logs: Pick<NonNullable<ComputeApi['logs']>, 'whole'>,
  filter: PodLogFilter,
  signal: AbortSignal,
): AsyncGenerator<WholeLogEvent, void, void> {
  const reading = logs.whole(filter, signal);
  let lines: LogLine[] = [];
  try {
    let next = await reading.next();
    for (; !next.done; next = await reading.next()) {
      lines.push(next.value);
      if (lines.length < LINES_PER_BATCH) continue;
      yield { lines };
      lines = [];
    }
    if (signal.aborted) return;
    if (lines.length > 0) yield { lines };
    yield { gap: next.value };
  } finally {
    await reading.return(null);
  }
}

export function bindLogs(
  logs: ImplementerInternalWithMiddlewares<BridgeContract['logs'], object, object>,
  {
    directory,
    clock,
    lifeOf,
    translated,
  }: {
    directory: Pick<Directory, 'compute'>;
    clock: Clock;
    lifeOf: (signal: AbortSignal | undefined) => AbortSignal;
    translated: <T>(events: AsyncGenerator<T, void, void>) => AsyncGenerator<T, void, void>;
  },
) {
  const of = (accountId: string) => requirePart(directory.compute(accountId), 'logs');
  return {
    page: logs.page.handler(({ input: { accountId, filter, before, limit } }) =>
      of(accountId).page(filter, { before, limit }),
    ),
    follow: logs.follow.handler(({ input: { accountId, filter, after }, signal }) =>
      translated(followLogs(of(accountId), filter, after, clock, lifeOf(signal))),
    ),
    whole: logs.whole.handler(({ input: { accountId, filter }, signal }) =>
      translated(wholeLog(of(accountId), filter, lifeOf(signal))),
    ),
  };
}
