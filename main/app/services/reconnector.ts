/**
 * Detects automatically when unreachable accounts are back. Its probes wait in the same circuit breaker as the readers
 * of jobs (`streams/circuitBreaker.ts`): one probe serves all waiters, with increasing delays. Accounts that nobody
 * uses are never probed.
 */
import type { Account } from '#contract/app/account.ts';
import { AppError, toAppError } from '#contract/core/errors.ts';
import type { Logger } from 'pino';
import type { AccountRepository } from '../accounts/repository.ts';
import { abortReason, type Clock } from '../platform/clock.ts';
import type { CircuitBreaker } from '../streams/circuitBreaker.ts';

export interface Comebacks {
  stop(): Promise<void>;
}

export interface ComebacksOptions {
  repository: Pick<AccountRepository, 'find' | 'away' | 'setNextTry' | 'onDoubt' | 'onChange'>;
  /** Sends an account a request that changes nothing and that its key is allowed to send. */
  ask(account: Account): Promise<unknown>;
  reach: Pick<CircuitBreaker, 'trouble' | 'nextTryAt' | 'onNextTry' | 'enter' | 'worked' | 'failed'>;
  clock: Clock;
  logger: Logger;
}

/** Shortest time between two probes of an account: an endpoint's 502 answers must not cause a probe each. */
const DOUBT_GAP_MS = 60_000;

export function createComebacks({ repository, ask, reach, clock, logger }: ComebacksOptions): Comebacks {
  /** At most one watch for each account. */
  const watches = new Map<string, AbortController>();
  const underWay = new Set<Promise<void>>();
  const doubtedAt = new Map<string, number>();

  /**
   * Returns the error of an unreachable account; null if it answers, also with another error. Rejects with the signal's
   * reason.
   */
  async function probe(account: Account, signal: AbortSignal): Promise<AppError | null> {
    const over = Promise.withResolvers<never>();
    const giveUp = (): void => over.reject(abortReason(signal));
    signal.addEventListener('abort', giveUp);
    try {
      await Promise.race([ask(account), over.promise]);
      return null;
    } catch (thrown) {
      signal.throwIfAborted();
      const error = toAppError(thrown);
      return error.code === 'UNAVAILABLE' ? error : null;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  async function watch(accountId: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const account = repository.find(accountId);
      if (account === null) return;
      if (account.state === 'offline') await reach.enter(accountId, signal);
      const trouble = await probe(account, signal);
      if (trouble === null) {
        reach.worked(accountId);
        return;
      }
      repository.away(accountId, trouble.message);
      reach.failed(accountId, trouble);
    }
  }

  function begin(accountId: string, failure: AppError | null): void {
    const life = new AbortController();
    watches.set(accountId, life);
    if (failure && reach.trouble(accountId) === null) reach.failed(accountId, failure);
    const watched = watch(accountId, life.signal)
      .catch((thrown: unknown) => {
        if (!life.signal.aborted) logger.debug({ err: thrown, accountId }, 'nobody looks any more whether it is back');
      })
      .finally(() => {
        underWay.delete(watched);
        if (watches.get(accountId) === life) watches.delete(accountId);
      });
    underWay.add(watched);
  }

  function end(accountId: string): void {
    watches.get(accountId)?.abort(new Error('It is known how the account is doing.'));
    watches.delete(accountId);
  }

  const unsubscribe = [
    repository.onChange((accountId) => {
      const account = repository.find(accountId);
      if (account?.state !== 'offline') {
        end(accountId);
        // All waiters continue, and find other problems themselves.
        if (account?.state !== 'locked') reach.worked(accountId);
        if (account === null) doubtedAt.delete(accountId);
        return;
      }
      if (watches.has(accountId)) return;
      begin(accountId, new AppError('UNAVAILABLE', account.reason ?? ''));
    }),
    repository.onDoubt((accountId) => {
      if (watches.has(accountId) || clock.now() - (doubtedAt.get(accountId) ?? 0) < DOUBT_GAP_MS) return;
      doubtedAt.set(accountId, clock.now());
      begin(accountId, null);
    }),
    reach.onNextTry((name) => {
      const nextTryAt = reach.nextTryAt(name);
      if (nextTryAt !== null) repository.setNextTry(name, nextTryAt);
    }),
  ];

  return {
    async stop() {
      for (const leave of unsubscribe) leave();
      for (const accountId of [...watches.keys()]) end(accountId);
      await Promise.all(underWay);
    },
  };
}
