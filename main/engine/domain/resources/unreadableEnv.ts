/**
 * Environment variables that are encrypted with a missing key. Their users fail with a message instead of running
 * without them.
 */
import { AppError } from '#contract/core/errors.ts';

/**
 * Represents unreadable variables in a template or Pod, by identity. A copy of this object is an ordinary empty set of
 * variables.
 */
export const UNREADABLE_ENV: Record<string, string> = Object.freeze({});

/**
 * Throws FORBIDDEN where the variables are unreadable. `owner`: their owner for the message, such as `The template
 * "a"`.
 */
export function requireReadable(env: Readonly<Record<string, string>>, owner: string): void {
  if (env !== UNREADABLE_ENV) return;
  throw new AppError(
    'FORBIDDEN',
    `${owner} cannot be used: its environment variables are encrypted with a key that is not there. ` +
      'Unlock the place where Hangar keeps its keys and restart the engine, or set the variables again.',
  );
}
