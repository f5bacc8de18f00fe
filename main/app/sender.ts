/** Sends jobs and stops them: the ledger knows of a job before the service does, and its reader starts with its id. */
import { randomUUID } from 'node:crypto';
import { AppError, toAppError } from '#contract/errors.ts';
import type { LedgerEntry, RunMode } from '#contract/ledger.ts';
import type { Logger } from 'pino';
import { pause, type Clock } from './clock.ts';
import type { Directory } from './directory.ts';
import { hasEnded, type Ledger } from './ledger/ledger.ts';
import type { Streams } from './streams/streams.ts';

export interface Submission {
  accountId: string;
  endpointId: string;
  mode: RunMode;
  /** JSON text, sent as written. */
  body: string;
}

export interface Sender {
  submit(submission: Submission): Promise<LedgerEntry>;
  cancel(entryId: string): Promise<LedgerEntry>;
  /** Readers for what an earlier run left unfinished. */
  resume(): void;
}

export interface SenderOptions {
  directory: Directory;
  ledger: Ledger;
  streams: Streams;
  clock: Clock;
  logger: Logger;
}

/** How long a cancel waits for the job's final record, so that its answer already shows the end. */
const CANCEL_SHOWS_MS = 2000;
const LOST_ANSWER =
  'Hangar ended before the service had answered: whether it accepted this job is not known. Look at the endpoint before you send it again.';

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

export function createSender({ directory, ledger, streams, clock, logger }: SenderOptions): Sender {
  async function endpointName(accountId: string, endpointId: string): Promise<string> {
    try {
      const endpoints = await directory.compute(accountId).management.endpoints();
      return endpoints.find(({ id }) => id === endpointId)?.name ?? endpointId;
    } catch (thrown) {
      // The name is only for the list; whether the endpoint can be reached shows when the job is sent.
      logger.debug({ err: thrown, endpointId }, 'no name for an endpoint');
      return endpointId;
    }
  }

  return {
    async submit({ accountId, endpointId, mode, body }) {
      const account = directory.get(accountId);
      checkBody(body);
      const name = await endpointName(accountId, endpointId);
      const { entryId } = ledger.add(
        {
          entryId: randomUUID(),
          accountId,
          accountName: account.name,
          endpointId,
          endpointName: name,
          mode,
          sentAt: clock.now(),
        },
        body,
      );
      try {
        const { view } = await directory.compute(accountId).jobs.submit(endpointId, mode, body);
        // A job that has ended already still counts as running here, until its reader has everything that came of it.
        const status = view.status === 'IN_QUEUE' ? view.status : 'IN_PROGRESS';
        const entry = ledger.update(entryId, { jobId: view.id, status });
        streams.follow(entry);
        return entry;
      } catch (thrown) {
        const error = toAppError(thrown);
        if (error.code === 'INTERNAL') logger.error({ err: thrown, entryId }, 'a job could not be sent');
        return ledger.update(entryId, { status: 'REFUSED', error: error.message, finishedAt: clock.now() });
      }
    },

    async cancel(entryId) {
      const entry = ledger.entry(entryId);
      if (hasEnded(entry)) return entry;
      if (entry.jobId === null) {
        throw new AppError(
          'CONFLICT',
          'The service has not answered yet, so there is nothing to stop. Try again in a moment.',
        );
      }
      await directory.compute(entry.accountId).jobs.cancel(entry.endpointId, entry.jobId);
      const shown = new AbortController();
      await Promise.race([streams.ended(entryId), pause(clock, CANCEL_SHOWS_MS, shown.signal)]);
      shown.abort();
      return ledger.entry(entryId);
    },

    resume() {
      for (const entry of ledger.unfinished()) {
        if (entry.jobId !== null) streams.follow(entry);
        else ledger.update(entry.entryId, { status: 'REFUSED', error: LOST_ANSWER, finishedAt: clock.now() });
      }
    },
  };
}
