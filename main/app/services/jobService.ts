/** Sends jobs and stops them: the ledger knows of a job before the service does, and its reader starts with its id. */
import { randomUUID } from 'node:crypto';
import { AppError, toAppError } from '#contract/core/errors.ts';
import type { LedgerEntry, RunMode } from '#contract/app/ledger.ts';
import type { Logger } from 'pino';
import { pause, type Clock } from '../platform/clock.ts';
import type { Directory } from './directory.ts';
import { mayHaveExecuted } from '../platform/executionCertainty.ts';
import { hasEnded, type Ledger } from '../ledger/ledger.ts';
import { observeRequests } from '../platform/requestObserver.ts';
import type { Budget } from '../streams/rateBudget.ts';
import type { Streams } from '../streams/streams.ts';

export interface Submission {
  /** Made by the page, so that it knows its entry before the service has answered. */
  entryId: string;
  accountId: string;
  endpointId: string;
  endpointName: string;
  mode: RunMode;
  /** JSON text, sent as written. */
  body: string;
}

export interface Sender {
  /**
   * Sends a job once: the same `entryId` again answers its entry, once the service has answered. Throws NOT_FOUND for an unknown
   * account, BAD_REQUEST for a body that is no JSON object. What the service refuses is the state of the entry.
   */
  submit(submission: Submission): Promise<LedgerEntry>;
  cancel(entryId: string): Promise<LedgerEntry>;
  /** Queues a job that has failed or timed out once more; what the first attempt brought stays with its own entry. */
  retry(entryId: string): Promise<LedgerEntry>;
  /** Readers for what an earlier run left unfinished. */
  resume(): void;
  /** An account has another key or address, which work: what could not be followed with those before is. */
  followAgain(accountId: string): void;
}

export interface SenderOptions {
  directory: Directory;
  ledger: Ledger;
  streams: Streams;
  budget: Budget;
  clock: Clock;
  logger: Logger;
  stopping: AbortSignal;
}

/** How long a cancel waits for the job's final record, so that its answer already shows the end. */
const CANCEL_SHOWS_MS = 2000;
const NOT_KNOWN = 'Whether the service has this job is not known: sent again, it may run twice.';

function checkBody(body: string): void {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (cause) {
    const where = cause instanceof Error ? cause.message : '';
    throw new AppError('BAD_REQUEST', `The request body is not valid JSON. ${where}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('BAD_REQUEST', 'The request body must be a JSON object such as {"input": {}}.');
  }
}

export function createSender({ directory, ledger, streams, budget, clock, logger, stopping }: SenderOptions): Sender {
  /** Jobs whose answer has not come, by entry. */
  const sending = new Map<string, Promise<LedgerEntry>>();

  /** One request about an entry, noted beside it. */
  const asking = <T>(entryId: string, work: () => Promise<T>): Promise<T> =>
    observeRequests((request) => ledger.noteRequest(entryId, request), work);

  /** The id that the service knows it by. Throws CONFLICT where it has none. */
  function idOf({ jobId }: LedgerEntry): string {
    if (jobId !== null) return jobId;
    throw new AppError(
      'CONFLICT',
      'The service has not answered yet, so there is nothing to do about this job. Try again in a moment.',
    );
  }

  /** Sends what the ledger holds, and notes what the service answers. */
  async function send({ entryId, accountId, endpointId, mode }: LedgerEntry, body: string): Promise<LedgerEntry> {
    try {
      const { view } = await asking(entryId, () => directory.compute(accountId).jobs.submit(endpointId, mode, body));
      // A job that has ended already still counts as running here, until its reader has everything that came of it.
      const status = view.status === 'IN_QUEUE' ? view.status : 'IN_PROGRESS';
      const entry = ledger.update(entryId, { jobId: view.id, status });
      streams.follow(entry);
      return entry;
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'INTERNAL') logger.error({ err: thrown, entryId }, 'a job could not be sent');
      const { message } = error;
      return ledger.update(entryId, {
        ...(mayHaveExecuted(error)
          ? { status: 'UNANSWERED', error: `${message} ${NOT_KNOWN}` }
          : { status: 'REFUSED', error: message }),
        finishedAt: clock.now(),
      });
    }
  }

  return {
    async submit({ body, ...sent }) {
      const { entryId } = sent;
      const existing = sending.get(entryId) ?? ledger.find(entryId);
      if (existing) return existing;
      const { name: accountName } = directory.get(sent.accountId);
      checkBody(body);
      const answer = send(ledger.add({ ...sent, accountName, sentAt: clock.now() }, body), body);
      sending.set(entryId, answer);
      try {
        return await answer;
      } finally {
        sending.delete(entryId);
      }
    },

    async cancel(entryId) {
      const entry = ledger.entry(entryId);
      if (hasEnded(entry)) return entry;
      const jobId = idOf(entry);
      const release = await budget.take(entry, 'cancel', stopping);
      try {
        await asking(entryId, () => directory.compute(entry.accountId).jobs.cancel(entry.endpointId, jobId));
      } finally {
        release();
      }
      const shown = new AbortController();
      await Promise.race([streams.ended(entryId), pause(clock, CANCEL_SHOWS_MS, shown.signal)]);
      shown.abort();
      return ledger.entry(entryId);
    },

    async retry(entryId) {
      const entry = ledger.entry(entryId);
      const jobId = idOf(entry);
      const { accountId, accountName, endpointId, endpointName, mode } = entry;
      const again = { entryId: randomUUID(), accountId, accountName, endpointId, endpointName, mode };
      ledger.add({ ...again, sentAt: clock.now() }, ledger.detail(entryId).body);
      try {
        await asking(again.entryId, () => directory.compute(accountId).jobs.retry(endpointId, jobId));
      } catch (thrown) {
        // It is as it was: only its own entry tells of it.
        ledger.update(again.entryId, { status: 'REFUSED' });
        ledger.forget([again.entryId]);
        throw thrown;
      }
      const queued = ledger.update(again.entryId, { jobId, status: 'IN_QUEUE' });
      streams.follow(queued);
      return queued;
    },

    resume() {
      for (const entry of ledger.unfinished()) {
        if (entry.jobId !== null) streams.follow(entry);
        else {
          const error = `Hangar ended before the service had answered. ${NOT_KNOWN}`;
          ledger.update(entry.entryId, { status: 'UNANSWERED', error, finishedAt: clock.now() });
        }
      }
      // What was refused in an earlier run is asked about once more.
      for (const { id } of directory.list()) for (const entry of ledger.takeUp(id)) streams.follow(entry);
      for (const entry of ledger.awaitingWebhooks()) streams.followWebhooks(entry);
    },

    followAgain(accountId) {
      for (const entry of ledger.takeUp(accountId)) streams.follow(entry);
    },
  };
}
