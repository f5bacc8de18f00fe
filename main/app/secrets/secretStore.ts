/** The port of a store of secrets. The keychain, the encrypted file and memory implement it. */
import { AppError } from '#contract/core/errors.ts';
import { secretTroubles, type SecretProblem } from '#contract/bridge/secrets.ts';
import type { SecretKind } from '#contract/app/secretKind.ts';

/**
 * One entry for each name, such as `account/<uuid>`, `engine/data-key`, `ssh/<uuid>`, `bucket/secret`. Every call
 * rejects with SECRETS_UNAVAILABLE and a sentence for a person if the entry cannot be accessed; `details.trouble` is
 * the type of the problem.
 */
export interface SecretStore {
  readonly kind: SecretKind;
  /** Null if there is no such entry. */
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  /** Does nothing if there is no such entry. */
  delete(name: string): Promise<void>;
}

export const unavailable = ({ trouble, reason }: SecretProblem, cause?: unknown): AppError =>
  new AppError('SECRETS_UNAVAILABLE', reason, { details: { trouble }, ...(cause === undefined ? {} : { cause }) });

/** The problem for an error that a store threw. */
export function problemOf(thrown: unknown): SecretProblem {
  if (thrown instanceof AppError && thrown.code === 'SECRETS_UNAVAILABLE') {
    const trouble = secretTroubles.find((one) => one === thrown.details?.['trouble']) ?? 'failed';
    return { trouble, reason: thrown.message };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { trouble: 'failed', reason: `Keys cannot be stored or read: ${message}.` };
}
