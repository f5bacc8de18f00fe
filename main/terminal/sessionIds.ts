/** The ids of terminals. Those of one run of the program begin alike, so that a later run knows why one is gone. */
import { AppError } from '#contract/core/errors.ts';

export interface SessionIds {
  next(): string;
  /** The error for an id without a terminal, with the reason. */
  gone(id: string): AppError;
}

/** `random`: returns so many random bytes as text that can be a part of an id. */
export function createSessionIds(prefix: string, random: (bytes: number) => string): SessionIds {
  const beginning = `${prefix}${random(4)}`;
  return {
    next: () => `${beginning}${random(8)}`,
    gone: (id) =>
      new AppError(
        'NOT_FOUND',
        id.startsWith(beginning)
          ? 'This shell has ended, and what it showed is no longer stored.'
          : 'Hangar was restarted, and this shell ended with it.',
      ),
  };
}
