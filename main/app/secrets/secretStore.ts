/** What keeps secrets between runs, or for one: the port that the keychain, the encrypted file and memory keep to. */
import { AppError } from '#contract/core/errors.ts';
import type { SecretProblem, SecretTrouble } from '#contract/bridge/secrets.ts';
import type { SecretKind } from '#contract/app/secretKind.ts';

/**
 * One entry a name, such as `account/<uuid>`, `engine/data-key`, `ssh/<uuid>`. Every call rejects with
 * SECRETS_UNAVAILABLE and a sentence for a person where the entry cannot be had; `details.trouble` says why.
 */
export interface SecretStore {
  readonly kind: SecretKind;
  /** Null where there is no such entry. */
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  /** Nothing happens where there is no such entry. */
  delete(name: string): Promise<void>;
}

export const unavailable = ({ trouble, reason }: SecretProblem, cause?: unknown): AppError =>
  new AppError('SECRETS_UNAVAILABLE', reason, { details: { trouble }, ...(cause === undefined ? {} : { cause }) });

/** The problem for an error that a store threw. */
export function problemOf(thrown: unknown): SecretProblem {
  if (thrown instanceof AppError && thrown.code === 'SECRETS_UNAVAILABLE') {
    return { trouble: thrown.details?.['trouble'] as SecretTrouble, reason: thrown.message };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { trouble: 'failed', reason: `Keys cannot be kept or read: ${message}.` };
}
