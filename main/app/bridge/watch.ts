/**
 * Event iterators of the bridge. Each sends the newest state at a rate that a window can show, and unsubscribes at its
 * end.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { EngineStatus } from '#contract/app/account.ts';
import type { JobChanges, JobEvent, OpenJobs } from '#contract/app/ledger.ts';
import type { FolderChange } from '#contract/local/files.ts';
import type { FolderListener } from '../../files/ports.ts';
import { pause, type Clock } from '../platform/clock.ts';
import type { EngineProcess } from '../engine/engineProcess.ts';
import { hasEnded, type Ledger } from '../ledger/ledger.ts';
import { createBell, PACE_MS } from './asyncSignal.ts';

const CHUNKS_PER_EVENT = 1000;
/** So many characters of a long output come with the event that names its size: enough rows for a screen. */
const START_CHARS = 60_000;
/** While the page parses one piece, the next one is written. */
const PIECE_CHARS = 250_000;

/** The status now, then each change. */
export async function* watchEngine(
  engine: Pick<EngineProcess, 'status' | 'onStatus' | 'watchLife'>,
  signal: AbortSignal,
): AsyncGenerator<EngineStatus, void, void> {
  const bell = createBell(signal);
  const waiting: EngineStatus[] = [engine.status];
  const unsubscribe = engine.onStatus((status) => {
    waiting.push(status);
    bell.ring();
  });
  const stopWatchingLife = engine.watchLife();
  try {
    while (!signal.aborted) {
      for (let status = waiting.shift(); status; status = waiting.shift()) yield status;
      await bell.next();
    }
  } finally {
    unsubscribe();
    stopWatchingLife();
    bell.stop();
  }
}

/** Most entries of one event: a window need not draw each of thousands of jobs. */
const ENTRIES_PER_EVENT = 100;

/**
 * The number of open jobs now, then the entries that are added or changed after the call. Both come in one event, so that
 * a number beside a list never differs from the list. The first event also has the last entries that ended at or after
 * `endedSince`, in milliseconds since the epoch.
 */
export async function* watchLedger(
  ledger: Pick<Ledger, 'find' | 'openJobs' | 'endedSince' | 'onChange'>,
  clock: Clock,
  signal: AbortSignal,
  endedSince = Infinity,
): AsyncGenerator<JobChanges, void, void> {
  const bell = createBell(signal);
  const dirty = new Set<string>();
  let sent: OpenJobs | null = null;
  bell.ring();
  const unsubscribe = ledger.onChange((entryId) => {
    dirty.add(entryId);
    bell.ring();
  });
  if (endedSince < Infinity) for (const entryId of ledger.endedSince(endedSince, ENTRIES_PER_EVENT)) dirty.add(entryId);
  try {
    while (!signal.aborted) {
      await bell.next();
      const changed = [...dirty];
      dirty.clear();
      const entries = changed.slice(0, ENTRIES_PER_EVENT).flatMap((entryId) => ledger.find(entryId) ?? []);
      const others = Math.max(0, changed.length - ENTRIES_PER_EVENT);
      const open = ledger.openJobs();
      const isOpenChanged = sent?.running !== open.running || sent.queued !== open.queued;
      sent = open;
      if (entries.length + others > 0 || isOpenChanged) yield { entries, others, ...(isOpenChanged && { open }) };
      await pause(clock, PACE_MS, signal);
    }
  } finally {
    unsubscribe();
    bell.stop();
  }
}

/**
 * A snapshot, then each change once, until the job ends. A new snapshot follows when its chunks begin anew or were
 * completed. Of an output of more than `longestOutput` bytes they have the size and the start. Events are read from the
 * ledger on demand: a slow window gets larger pieces, not a growing queue.
 */
export async function* watchJob(
  ledger: Pick<Ledger, 'entry' | 'find' | 'chunks' | 'output' | 'outputStart' | 'outputSize' | 'onChange'>,
  entryId: string,
  clock: Clock,
  signal: AbortSignal,
  longestOutput = Infinity,
): AsyncGenerator<JobEvent, void, void> {
  const output = (): Pick<Extract<JobEvent, { type: 'snapshot' }>, 'output' | 'leftOut'> => {
    const bytes = ledger.outputSize(entryId) ?? 0;
    if (bytes <= longestOutput) return { output: ledger.output(entryId) };
    return { output: null, leftOut: { bytes, start: ledger.outputStart(entryId, START_CHARS) ?? '' } };
  };
  const bell = createBell(signal);
  const unsubscribe = ledger.onChange((changed) => {
    if (changed === entryId) bell.ring();
  });
  try {
    const entry = ledger.entry(entryId);
    const first = ledger.chunks(entryId, 0, CHUNKS_PER_EVENT);
    let sent = first.length;
    let { retries, chunkGap } = entry;
    yield { type: 'snapshot', entry, chunks: first, ...output() };
    let ended = hasEnded(entry);
    if (sent < entry.chunkCount) bell.ring();
    else if (ended) return;
    while (!signal.aborted) {
      await bell.next();
      const before = ledger.find(entryId);
      const isNew = before && (before.retries !== retries || (before.chunkGap === 'filled' && chunkGap !== 'filled'));
      if (isNew) {
        ({ retries, chunkGap } = before);
        sent = 0;
        yield { type: 'snapshot', entry: before, chunks: [], output: null };
      }
      for (;;) {
        const chunks = ledger.chunks(entryId, sent, CHUNKS_PER_EVENT);
        if (chunks.length === 0 || signal.aborted) break;
        sent += chunks.length;
        yield { type: 'chunks', chunks };
      }
      if (ended || signal.aborted) return;
      const now = ledger.find(entryId);
      if (!now) return;
      ended = hasEnded(now);
      yield { type: 'entry', entry: now, ...(ended ? output() : { output: null }) };
      // Chunks that arrived while the last pieces were sent come before the end.
      if (ended && sent >= now.chunkCount) return;
      if (ended) bell.ring();
      await pause(clock, PACE_MS, signal);
    }
  } finally {
    unsubscribe();
    bell.stop();
  }
}

/** The pieces of an output, in order; the reader may stop in between, and everybody else has a turn. */
export async function* outputPieces(output: string, signal: AbortSignal): AsyncGenerator<string, void, void> {
  for (let at = 0; at < output.length && !signal.aborted; at += PIECE_CHARS) {
    yield output.slice(at, at + PIECE_CHARS);
    await turn();
  }
}

/**
 * Yields once the changes of a folder are watched, then after each change. Ends when the watch does. `watch` begins one,
 * and resolves with what ends it; rejects with its error.
 */
export async function* watchFolder(
  watch: (listener: FolderListener) => Promise<() => void>,
  signal: AbortSignal,
): AsyncGenerator<FolderChange, void, void> {
  const bell = createBell(signal);
  let isOver = false;
  let stop = (): void => undefined;
  try {
    stop = await watch({
      onChange: bell.ring,
      onEnd() {
        isOver = true;
        bell.ring();
      },
    });
    while (!signal.aborted) {
      yield {};
      await bell.next();
      if (isOver) return;
    }
  } finally {
    stop();
    bell.stop();
  }
}
