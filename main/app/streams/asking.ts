/**
 * Sends requests about a job to its account when the account is reachable and the rate budget allows it. Each request
 * is noted beside the job.
 */
import { AppError, toAppError } from '#contract/core/errors.ts';
import type { RatedOperation } from '#contract/local/settings.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { observeRequests } from '../platform/requestObserver.ts';
import type { JobSource, StreamsOptions } from './port.ts';
import { isRefusal } from './circuitBreaker.ts';

/** The account of the job was removed. */
export class AccountGone extends Error {
  override readonly name = 'AccountGone';
}

/** The account, or the endpoint, is not reachable now. The next request waits until it is. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.message, { cause: error });
    this.error = error;
  }
}

/** The key is certainly refused. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

export interface Asking {
  /**
   * `operation`: the rate to which the request counts; null for requests without a rate. Rejects with the errors above,
   * an AppError, or the signal's reason.
   */
  ask<T>(operation: RatedOperation | null, call: (source: JobSource) => Promise<T>): Promise<T>;
  /** The source of the next request, to inspect its capabilities. Throws AccountGone. */
  source(): JobSource;
}

export interface AskingOptions extends StreamsOptions {
  entry: LedgerEntry;
  signal: AbortSignal;
  /** Called with the reason when a request has to wait until the account is reachable. */
  onTrouble: (error: AppError) => void;
}

const BAD_GATEWAYS: ReadonlySet<unknown> = new Set([502, 503, 504]);

export function createAsking(options: AskingOptions): Asking {
  const { entry, signal, reach, budget, journal } = options;
  const place = { accountId: entry.accountId, endpointId: entry.endpointId };
  const account = entry.accountId;
  const endpoint = `${entry.accountId}/${entry.endpointId}`;

  function source(): JobSource {
    try {
      return options.compute(account);
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'NOT_FOUND') throw new AccountGone('', { cause: thrown });
      throw thrown;
    }
  }

  /** The scope of an error: null for an error of this job only, otherwise the name of its endpoint or account. */
  function troubled(error: AppError): string | null {
    const status = error.details?.['status'];
    if (isRefusal(error)) return endpoint;
    if (error.code === 'SECRETS_UNAVAILABLE') return account;
    if (error.code !== 'UNAVAILABLE') return null;
    if (status === undefined) return account;
    return BAD_GATEWAYS.has(status) ? endpoint : null;
  }

  async function enter(name: string): Promise<void> {
    const error = reach.trouble(name);
    if (error) options.onTrouble(error);
    try {
      await reach.enter(name, signal);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      throw new KeyRefused('', { cause: thrown });
    }
  }

  return {
    source,
    async ask(operation, call) {
      source();
      await enter(account);
      await enter(endpoint);
      const release = operation === null ? () => undefined : await budget.take(place, operation, signal);
      try {
        const result = await observeRequests(
          (request) => {
            journal.noteRequest(entry.entryId, request);
            budget.applyQuota(account, request.allowance);
          },
          () => call(source()),
        );
        reach.worked(account);
        reach.worked(endpoint);
        return result;
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        const error = toAppError(thrown);
        const name = troubled(error);
        if (name !== account) reach.worked(account);
        if (name === null) reach.worked(endpoint);
        if (error.code === 'TOO_MANY_REQUESTS' && operation !== null && error.retryAfterMs !== undefined) {
          budget.holdOff(place, operation, error.retryAfterMs);
        }
        if (name === null) throw thrown;
        reach.failed(name, error);
        throw new UnreachableError(error);
      } finally {
        release();
      }
    },
  };
}
