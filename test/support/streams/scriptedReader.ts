/** Follows a job with answers that a spec writes down, and says what was asked, noted and waited for. */
import { pino } from 'pino';
import type { Clock } from '../../../main/app/platform/clock.ts';
import type { ComputeApi } from '../../../main/app/services/directory.ts';
import { createBudget } from '../../../main/app/streams/rateBudget.ts';
import type { Journal, JobSource } from '../../../main/app/streams/port.ts';
import { createCircuitBreaker } from '../../../main/app/streams/circuitBreaker.ts';
import { createStreams } from '../../../main/app/streams/streams.ts';
import { createWakeup } from '../../../main/app/streams/wakeup.ts';
import { AppError } from '../../../main/contract/core/errors.ts';
import type { LedgerEntry } from '../../../main/contract/app/ledger.ts';
import { entryOf } from '../page/jobs.ts';
import type { JobTimeline } from '../../../main/contract/local/engine.ts';

type FullAnswer = Awaited<ReturnType<ComputeApi['jobs']['stream']>>;
export type StreamAnswer = Omit<FullAnswer, 'retries'> & Partial<FullAnswer>;
export type JobAnswer = Awaited<ReturnType<ComputeApi['jobs']['status']>>;
type Step<T> = T | AppError;

const entry = entryOf({
  entryId: 'e',
  accountId: 'a',
  accountName: 'A',
  endpointId: 'ep',
  endpointName: 'Ep',
  jobId: 'j',
  sentAt: 0,
});

export interface Script {
  timeline?: Step<JobTimeline>[];
  stream?: Step<StreamAnswer>[];
  status?: Step<JobAnswer>[];
  /** How many writes of chunks fail before one works. */
  failingWrites?: number;
  /** What the clock says that a poll of the stream has taken. */
  streamTakesMs?: number;
  /** So many other jobs of the endpoint stream as well, and bring nothing. */
  others?: number;
  /** The end cannot be written at first, and the account is removed at this moment. */
  isLeftAtEnd?: boolean;
}

const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));

/**
 * Follows the entry with the scripted answers, on a clock on which every pause is over in the next turn of the event
 * loop. Rejects where the script has too few answers.
 */
export async function followScript(script: Script, changes: Partial<LedgerEntry> = {}) {
  const next = <T>(steps: Step<T>[] | undefined, what: string): Promise<T> => {
    requests.push(what);
    if (pausing.size > 0) askedInPause.push(what);
    const step = steps?.shift();
    if (step === undefined) {
      unanswered.push(what);
      void streams.stop();
      return Promise.reject(new Error(`The script has no more answers for: ${what}.`));
    }
    return step instanceof AppError ? Promise.reject(step) : Promise.resolve(step);
  };
  const requests: string[] = [];
  const askedInPause: string[] = [];
  const unanswered: string[] = [];
  const pauses: number[] = [];
  const pausing = new Set<object>();
  let now = 10_000;
  const chunks: string[] = [];
  const notes: object[] = [];
  let current: LedgerEntry = { ...entry, ...changes };
  let failing = script.failingWrites ?? 0;
  let isLeft = false;
  const write = (facts: object): LedgerEntry => {
    notes.push(facts);
    return (current = { ...current, ...facts });
  };
  const journal: Journal = {
    find: () => current,
    giveUp(_, facts) {
      write(facts);
      return Promise.resolve();
    },
    noteRequest: () => undefined,
    awaitsWebhooks: () => false,
    noteWebhooks: () => undefined,
    update: (_, facts) => write(facts),
    appendChunks(_, __, texts) {
      if (texts.length > 0 && failing-- > 0) return Promise.reject(new AppError('STORAGE_FULL', 'The disk is full.'));
      chunks.push(...texts);
      return Promise.resolve();
    },
    restart(_, retries) {
      chunks.length = 0;
      return write({ retries });
    },
    async finish(_, facts, output) {
      if (script.isLeftAtEnd && !isLeft) {
        isLeft = true;
        void streams.leave('a');
        throw new AppError('STORAGE_FULL', 'The disk is full.');
      }
      // What is written is there in a later turn, as on a disk.
      await new Promise((resolve) => setImmediate(resolve));
      write({ ...facts, output });
    },
  };
  const compute: JobSource = {
    jobs: {
      status: () => next(script.status, 'status'),
      async stream(_, jobId, __, signal) {
        if (jobId !== 'j') return untilAborted(signal);
        const answer = next(script.stream, 'stream');
        now += script.streamTakesMs ?? 0;
        return { retries: 0, ...(await answer) };
      },
    },
    local: script.timeline
      ? {
          timeline: () => next(script.timeline, 'timeline'),
          webhooks: () => Promise.resolve([]),
          chunks: () => Promise.reject(new AppError('NOT_FOUND', 'An older engine does not answer chunks again.')),
        }
      : null,
  };
  const clock: Clock = {
    now: () => now,
    after(ms, run) {
      pauses.push(ms);
      const pause = {};
      pausing.add(pause);
      const end = setImmediate(() => {
        pausing.delete(pause);
        run();
      });
      return () => {
        pausing.delete(pause);
        clearImmediate(end);
      };
    },
  };
  const wakeup = createWakeup();
  const reach = createCircuitBreaker(clock, () => 0, wakeup);
  const streams = createStreams({
    compute: () => compute,
    journal,
    budget: createBudget(clock, wakeup),
    reach,
    wakeup,
    clock,
    random: () => 0,
    logger: pino({ level: 'silent' }),
  });
  for (let n = 0; n < (script.others ?? 0); n += 1) {
    streams.follow({ ...entry, entryId: `other ${n}`, jobId: `other ${n}`, status: 'IN_PROGRESS' });
  }
  streams.follow(current);
  await streams.ended('e');
  if (unanswered.length > 0) throw new Error(`The script has no more answers for: ${unanswered.join(', ')}.`);
  await streams.stop();
  reach.stop();
  return { requests, askedInPause, chunks, notes, pauses, entry: current };
}
