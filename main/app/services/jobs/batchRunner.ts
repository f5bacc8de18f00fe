/**
 * Runs batches: sends the inputs of a list in order, with at most `atOnce` jobs that have not ended. The inputs are in
 * the ledger, so that a batch goes on without a page. A batch is *sending*, *stopped* (by a person, by refusals, or by
 * the end of Hangar; it can be resumed), or has sent all. Failed inputs can be sent again unless it is sending.
 */
import { randomUUID } from 'node:crypto';
import { topLevelSpans } from '#contract/core/jsonScanner.ts';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Batch, NewBatch } from '#contract/bridge/batch/batches.ts';
import type { Logger } from 'pino';
import { hasEnded, type Ledger } from '../../ledger/ledger.ts';
import type { BatchHead, BatchInput } from '../../ledger/rows/batches.ts';
import type { Clock } from '../../platform/clock.ts';
import { doToAll } from './batch.ts';
import { checkBody, type Sender } from './jobService.ts';

export interface BatchRunner {
  /** Stores all inputs and begins to send. Throws BAD_REQUEST with the line of a body that cannot be sent. */
  start(batch: NewBatch): Batch;
  /** Sends no more, and cancels its jobs. Resolves after each cancel was answered. Throws NOT_FOUND. */
  stop(batchId: string): Promise<Batch>;
  /** Sends the rest. Throws NOT_FOUND. */
  resume(batchId: string): Batch;
  /**
   * Runs the inputs again whose jobs ended without a result, and no others. Throws NOT_FOUND, and CONFLICT while the
   * batch sends or its jobs run.
   */
  runAgain(batchId: string): Batch;
  /** Marks the batches that an earlier run of the app did not finish: a person decides whether they go on. */
  recover(): void;
  /** Sends no more of any batch, because the app stops. */
  close(): void;
}

export interface BatchRunnerOptions {
  ledger: Pick<Ledger, 'batches' | 'find' | 'tag' | 'onChange'>;
  sender: Pick<Sender, 'submit' | 'cancel'>;
  /** Throws NOT_FOUND for an unknown account. */
  requireAccount: (accountId: string) => void;
  clock: Clock;
  logger: Logger;
  stopping: AbortSignal;
}

/** So many refusals in a row mean that the account or the endpoint refuses every job. */
const MOST_REFUSALS = 5;

function checkInputs(inputs: NewBatch['inputs']): void {
  let bytes = 0;
  for (const { line, body } of inputs) {
    try {
      checkBody(body);
    } catch (error) {
      throw new AppError('BAD_REQUEST', `Line ${line}: ${messageOf(error)}`, { cause: error });
    }
    const size = Buffer.byteLength(body);
    if (size > limits.runBodyBytes) {
      throw new AppError('BAD_REQUEST', `Line ${line} has ${size} bytes; one body has at most ${limits.runBodyBytes}.`);
    }
    // The waiting inputs are stored as they are, and secrets are never stored.
    if (topLevelSpans(body).has('s3Config')) {
      throw new AppError(
        'BAD_REQUEST',
        `Line ${line} has an "s3Config", whose keys a batch cannot store. Run it alone.`,
      );
    }
    bytes += size;
  }
  if (bytes > limits.batch.bytes) {
    throw new AppError('BAD_REQUEST', `The inputs have ${bytes} bytes; a batch has at most ${limits.batch.bytes}.`);
  }
}

interface RefusalCounter {
  add(batchId: string, error: string | null): void;
  /** A job was accepted. */
  reset(batchId: string): void;
}

/** Counts the refusals of each batch without an accepted job between them. Calls `onMost` once there are too many. */
function countRefusals(onMost: (batchId: string, problem: string) => void): RefusalCounter {
  const counts = new Map<string, number>();
  return {
    add(batchId, error) {
      const count = (counts.get(batchId) ?? 0) + 1;
      counts.set(batchId, count);
      if (count < MOST_REFUSALS) return;
      onMost(batchId, `${count} jobs in a row were refused. The last answer: ${error ?? 'none.'}`);
    },
    reset: (batchId) => void counts.delete(batchId),
  };
}

interface InputChoice {
  /** Sends only the inputs at these places, in this order, or all that are not sent. */
  choose(batchId: string, places: number[] | 'all'): void;
  /** The next input to send. Stops the batch after the last chosen one, if there are others. */
  next(batchId: string): BatchInput | null;
}

/** Which inputs of a batch are sent: those that a stop left are not sent together with those that are sent again. */
function chooseInputs(batches: BatchRunnerOptions['ledger']['batches']): InputChoice {
  const chosen = new Map<string, number[]>();
  return {
    choose(batchId, places) {
      if (places === 'all') chosen.delete(batchId);
      else chosen.set(batchId, places);
    },
    next(batchId) {
      const places = chosen.get(batchId);
      if (!places) return batches.nextInput(batchId);
      for (let [place] = places; place !== undefined; [place] = places) {
        const input = batches.input(batchId, place);
        if (input) return input;
        places.shift();
      }
      chosen.delete(batchId);
      batches.setStop(batchId, 'person', null);
      return null;
    },
  };
}

interface JobsUnderWay {
  add(batchId: string, entryId: string): void;
  /** The job has ended, or was never sent. */
  remove(entryId: string): void;
  batchOf(entryId: string): string | undefined;
  count(batchId: string): number;
}

/** The jobs of each batch that were sent and have not ended. */
function createJobsUnderWay(): JobsUnderWay {
  const batchOf = new Map<string, string>();
  const counts = new Map<string, number>();
  const count = (batchId: string): number => counts.get(batchId) ?? 0;
  return {
    add(batchId, entryId) {
      if (batchOf.has(entryId)) return;
      batchOf.set(entryId, batchId);
      counts.set(batchId, count(batchId) + 1);
    },
    remove(entryId) {
      const batchId = batchOf.get(entryId);
      if (batchId === undefined) return;
      batchOf.delete(entryId);
      const left = count(batchId) - 1;
      if (left === 0) counts.delete(batchId);
      else counts.set(batchId, left);
    },
    batchOf: (entryId) => batchOf.get(entryId),
    count,
  };
}

export function createBatchRunner(options: BatchRunnerOptions): BatchRunner {
  const { ledger, sender, requireAccount, clock, logger, stopping } = options;
  const { batches } = ledger;
  const underWay = createJobsUnderWay();
  /** Jobs whose service has not answered yet, by entry. */
  const sending = new Map<string, Promise<unknown>>();
  const choice = chooseInputs(batches);
  const refusals = countRefusals(halt);

  function halt(batchId: string, problem: string): void {
    if (batches.head(batchId)?.stoppedBy === null) batches.setStop(batchId, 'refused', problem);
  }

  function ended(entryId: string): void {
    const batchId = underWay.batchOf(entryId);
    if (batchId === undefined) return;
    const entry = ledger.find(entryId);
    if (entry && !hasEnded(entry)) {
      if (entry.jobId !== null) refusals.reset(batchId);
      return;
    }
    underWay.remove(entryId);
    if (entry?.status === 'REFUSED') refusals.add(batchId, entry.error);
    else refusals.reset(batchId);
    queueMicrotask(() => fill(batchId));
  }

  /** False: the ledger did not take the job, and its input stays unsent. */
  function send(batch: BatchHead, { entryId, place, body }: BatchInput): boolean {
    const { batchId, accountId, endpointId, endpointName, tag } = batch;
    underWay.add(batchId, entryId);
    const answer = sender
      .submit({ entryId, accountId, endpointId, endpointName, mode: 'run', body })
      .then(
        () => ended(entryId),
        (error: unknown) => {
          logger.warn({ err: error, batchId, entryId }, 'a job of a batch could not be sent');
          underWay.remove(entryId);
          halt(batchId, messageOf(error));
        },
      )
      .finally(() => sending.delete(entryId));
    sending.set(entryId, answer);
    // The entry is in the ledger before the service answers.
    if (!ledger.find(entryId)) return false;
    ledger.tag([entryId], [tag], 'add');
    batches.markSent(batchId, place);
    return true;
  }

  /** Sends from now on what is chosen. */
  function sendOn(batchId: string): Batch {
    refusals.reset(batchId);
    batches.setStop(batchId, null, null);
    for (const entryId of batches.unfinished(batchId)) underWay.add(batchId, entryId);
    fill(batchId);
    return batches.get(batchId);
  }

  /** Sends as many inputs as may run now. */
  function fill(batchId: string): void {
    if (stopping.aborted) return;
    const batch = batches.head(batchId);
    if (batch?.stoppedBy !== null) return;
    while (underWay.count(batchId) < batch.atOnce) {
      const next = choice.next(batchId);
      if (next === null || !send(batch, next)) break;
    }
  }

  const stopListening = ledger.onChange(ended);

  return {
    start(batch) {
      if (batches.head(batch.batchId)) return batches.get(batch.batchId);
      requireAccount(batch.accountId);
      checkInputs(batch.inputs);
      const tag = `batch ${batch.batchId.slice(0, 8)}`;
      const entryIds = batch.inputs.map(() => randomUUID());
      batches.add(batch, tag, entryIds, clock.now());
      fill(batch.batchId);
      return batches.get(batch.batchId);
    },
    async stop(batchId) {
      if (batches.get(batchId).unsent > 0) batches.setStop(batchId, 'person', null);
      // Only a job with an id can be cancelled.
      await Promise.all(batches.unfinished(batchId).flatMap((entryId) => sending.get(entryId) ?? []));
      // Cancels report their own failures in the entries.
      for await (const outcome of doToAll(batches.unfinished(batchId), (id) => sender.cancel(id), stopping)) {
        if (outcome.problem !== null) logger.warn({ batchId, ...outcome }, 'a job of a batch could not be cancelled');
      }
      return batches.get(batchId);
    },
    resume(batchId) {
      requireAccount(batches.get(batchId).accountId);
      choice.choose(batchId, 'all');
      return sendOn(batchId);
    },
    runAgain(batchId) {
      const { accountId, unsent, running: runningCount, stoppedBy } = batches.get(batchId);
      requireAccount(accountId);
      if (stoppedBy === null && unsent + runningCount > 0) {
        throw new AppError('CONFLICT', 'The batch is still running. Stop it, or wait for it to finish.');
      }
      const places = batches.putBack(batchId, randomUUID);
      if (places.length === 0) return batches.get(batchId);
      choice.choose(batchId, unsent > 0 ? places : 'all');
      return sendOn(batchId);
    },
    recover() {
      for (const batchId of batches.sending()) batches.setStop(batchId, 'closed', null);
    },
    close: stopListening,
  };
}
