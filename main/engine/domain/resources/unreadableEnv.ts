/** Variables that are kept encrypted with a key that is not there: whatever needs them says so, instead of going without them. */
import { AppError } from '#contract/core/errors.ts';

/** Stands for such variables in a template or Pod, by identity: a copy of it is a set of no variables. */
export const UNREADABLE_ENV: Record<string, string> = Object.freeze({});

/** Throws FORBIDDEN where the variables cannot be read. `owner`: whose they are, such as `The template "a"`. */
export function requireReadable(env: Readonly<Record<string, string>>, owner: string): void {
  if (env !== UNREADABLE_ENV) return;
  throw new AppError(
    'FORBIDDEN',
    `${owner} cannot be used: its environment variables are encrypted with a key that is not there. ` +
      'Unlock the place where Hangar keeps its keys and restart the engine, or set the variables again.',
  );
}
