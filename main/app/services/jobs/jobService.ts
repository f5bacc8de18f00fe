/**
 * Sends and cancels jobs. The ledger has an entry before the service has the job, and the reader starts when the id is
 * known.
 */
import type { Account } from '#contract/app/account.ts';
import { AppError, mayHaveExecuted, toAppError } from '#contract/core/errors.ts';
import type { JobSource, LedgerEntry, RunMode } from '#contract/app/ledger.ts';
import type { Logger } from 'pino';
import { pause, type Clock } from '../../platform/clock.ts';
import type { Directory } from '../directory.ts';
import { hasEnded, type Ledger } from '../../ledger/ledger.ts';
import { observeRequests } from '../../platform/requestObserver.ts';
import type { Budget } from '../../streams/rateBudget.ts';
import type { Streams } from '../../streams/streams.ts';

export interface Submission {
  /** The page creates it, so that it knows its entry before the service answers. */
  entryId: string;
  accountId: string;
  endpointId: string;
  endpointName: string;
  mode: RunMode;
  /** The page, unless the command line says so. */
  source?: Exclude<JobSource, 'api'> | undefined;
  /** JSON text, sent as written. */
  body: string;
  /** The tags that the job begins with. */
  tags?: string[] | undefined;
  /** The entry of the job that it runs again. */
  retryOf?: string | undefined;
}

export interface Sender {
  /**
   * Sends a job once: a repeated `entryId` returns its entry after the answer of the service. Throws NOT_FOUND for an
   * unknown account, BAD_REQUEST for a body that is no JSON object. A refusal of the service is a state of the entry.
   */
  submit(submission: Submission): Promise<LedgerEntry>;
  cancel(entryId: string): Promise<LedgerEntry>;
  /** Queues a failed or timed-out job once more, as the next attempt of the same entry. */
  retry(entryId: string): Promise<LedgerEntry>;
  /** Has a webhook of the job sent again, and follows its attempts. Throws NOT_FOUND for a webhook of another job. */
  redeliver(entryId: string, webhookId: string): Promise<void>;
  /** Whether a job is being sent to this account, or retried there, and the answer is not here yet. */
  isSending(accountId: string): boolean;
  /** Starts readers for unfinished jobs of an earlier run. */
  resume(): void;
  /** Follows jobs again that could not be followed, after the account got another key or address that works. */
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

/** How long a cancel waits for the job's final record, so that its answer already contains the end. */
const CANCEL_SHOWS_MS = 2000;
const NOT_SENT = 'The job was not sent.';
const NOT_KNOWN = 'It is not known whether the service has this job. If it is sent again, it may run twice.';

/** Throws BAD_REQUEST for a body that is no JSON object. */
export function checkBody(body: string): void {
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

/** `asking` runs one request about an entry. */
const createRedelivery =
  (
    { directory, ledger, streams }: Pick<SenderOptions, 'directory' | 'ledger' | 'streams'>,
    asking: <T>(entryId: string, work: () => Promise<T>) => Promise<T>,
  ): Sender['redeliver'] =>
  async (entryId, webhookId) => {
    const entry = ledger.entry(entryId);
    const { local } = directory.compute(entry.accountId);
    if (local === null || !ledger.webhooks(entryId).webhooks.some(({ id }) => id === webhookId)) {
      throw new AppError('NOT_FOUND', 'This webhook is not known here, so that it cannot be sent again.');
    }
    await asking(entryId, () => local.redeliver(webhookId));
    ledger.awaitWebhooks(entryId);
    streams.followWebhooks(entry);
  };

export function createSender({ directory, ledger, streams, budget, clock, logger, stopping }: SenderOptions): Sender {
  /** Requests under way that send or retry a job, by account. */
  const underWay = new Map<string, number>();
  async function counted<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    underWay.set(accountId, (underWay.get(accountId) ?? 0) + 1);
    try {
      return await work();
    } finally {
      underWay.set(accountId, (underWay.get(accountId) ?? 1) - 1);
    }
  }

  /** Jobs without an answer yet, by entry. */
  const sending = new Map<string, Promise<LedgerEntry>>();

  /** Runs one request about an entry, and notes it in the ledger. */
  const asking = <T>(entryId: string, work: () => Promise<T>): Promise<T> =>
    observeRequests((request) => ledger.noteRequest(entryId, request), work);

  /** The job's id at the service. Throws CONFLICT if it has none. */
  function idOf({ jobId }: LedgerEntry): string {
    if (jobId !== null) return jobId;
    throw new AppError(
      'CONFLICT',
      'The service has not answered yet, so there is nothing to do about this job. Try again in a moment.',
    );
  }

  /** Sends the entry's job, and notes the answer of the service. */
  async function send({ entryId, accountId, endpointId, mode }: LedgerEntry, body: string): Promise<LedgerEntry> {
    try {
      const { view } = await asking(entryId, () => directory.compute(accountId).jobs.submit(endpointId, mode, body));
      // A job that has already ended counts as running until its reader has all of its results.
      const status = view.status === 'IN_QUEUE' ? view.status : 'IN_PROGRESS';
      const entry = ledger.update(entryId, { jobId: view.id, status });
      streams.follow(entry);
      return entry;
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'INTERNAL') logger.error({ err: thrown, entryId }, 'a job could not be sent');
      const { message, details } = error;
      return ledger.update(entryId, {
        ...(mayHaveExecuted(error)
          ? { status: 'UNANSWERED', error: `${message} ${NOT_KNOWN}` }
          : { status: 'REFUSED', error: details?.['sent'] === 'no' ? `${message} ${NOT_SENT}` : message }),
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
      const entry = ledger.add({ ...sent, accountName, sentAt: clock.now() }, body);
      const answer = counted(sent.accountId, () => send(entry, body));
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
      const { accountId, endpointId } = entry;
      const queued = await counted(accountId, async () => {
        await asking(entryId, () => directory.compute(accountId).jobs.retry(endpointId, jobId));
        return ledger.retried(entryId, clock.now());
      });
      streams.follow(queued);
      return queued;
    },

    redeliver: createRedelivery({ directory, ledger, streams }, asking),
    isSending: (accountId) => (underWay.get(accountId) ?? 0) > 0,

    resume() {
      for (const entry of ledger.unfinished()) {
        if (entry.jobId !== null) streams.follow(entry);
        else {
          const error = `Hangar ended before the service had answered. ${NOT_KNOWN}`;
          ledger.update(entry.entryId, { status: 'UNANSWERED', error, finishedAt: clock.now() });
        }
      }
      // Jobs that were refused in an earlier run are followed once more.
      for (const { id } of directory.list()) for (const entry of ledger.takeUp(id)) streams.follow(entry);
      for (const entry of ledger.awaitingWebhooks()) streams.followWebhooks(entry);
    },

    followAgain(accountId) {
      for (const entry of ledger.takeUp(accountId)) streams.follow(entry);
    },
  };
}

/** The key and the address of an account as one text; null if it has no key. */
const accessOf = ({ key, address }: Account): string | null => key && `${key.fingerprint} ${address}`;

/**
 * Follows the jobs of an account again after its key or address has changed: the old ones may be the reason why they
 * could not be followed.
 */
export function followAfterAccessChanges(
  directory: Pick<Directory, 'list' | 'onChange'>,
  sender: Pick<Sender, 'followAgain'>,
): () => void {
  const accesses = new Map(directory.list().map((account) => [account.id, accessOf(account)]));
  return directory.onChange(() => {
    for (const account of directory.list()) {
      const before = accesses.get(account.id);
      const now = accessOf(account);
      accesses.set(account.id, now);
      if (before !== undefined && before !== now && now !== null) sender.followAgain(account.id);
    }
  });
}
