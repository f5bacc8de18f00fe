/** The health of an account, derived from the result of its last request. */
import type { Account } from '#contract/app/account.ts';
import { AppError } from '#contract/core/errors.ts';

/**
 * `unknown`: no request yet. Any answer makes it `ok`, except 401 (`refused`) and 429 (`slowed`, until `nextTryAt`). No
 * answer makes it `offline`. `no-key` and `locked` come from the store of its key, before anything is sent.
 */
export type Condition = Pick<Account, 'state' | 'reason' | 'nextTryAt'>;

export const unknown: Condition = { state: 'unknown', reason: null, nextTryAt: null };
export const ok: Condition = { state: 'ok', reason: null, nextTryAt: null };
const SLOWED_MS = 10_000;

export const keyless: Condition = {
  state: 'no-key',
  reason:
    'Hangar has no key for it. A key that is kept in memory only is lost when Hangar quits. Enter the key again. In Settings, Keys, you can choose a place that keeps it.',
  nextTryAt: null,
};

/** The error of a request that is not sent because the account has no key. */
export const noKey = (name: string): AppError =>
  new AppError('UNAUTHORIZED', `${name} has no key here. Enter one on the page Accounts.`, {
    details: { noKey: true },
  });

/** The account's condition that a failed request implies; null where the error says nothing about the account. */
export function conditionOf(error: AppError, now: number): Condition | null {
  const { code, message: reason, details, retryAfterMs = SLOWED_MS } = error;
  if (code === 'SECRETS_UNAVAILABLE') return { state: 'locked', reason, nextTryAt: null };
  if (details?.['noKey'] === true) return keyless;
  if (code === 'UNAUTHORIZED') return { state: 'refused', reason, nextTryAt: null };
  if (code === 'TOO_MANY_REQUESTS') return { state: 'slowed', reason, nextTryAt: now + retryAfterMs };
  const answered = typeof details?.['status'] === 'number';
  if (code === 'UNAVAILABLE' && !answered) return { state: 'offline', reason, nextTryAt: null };
  // A 502 to 504 of a proxy does not prove that the service is reachable.
  return answered && code !== 'UNAVAILABLE' ? ok : null;
}
