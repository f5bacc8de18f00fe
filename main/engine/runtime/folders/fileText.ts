/** Reads files of a worker's folder that may be missing. */
import { readFileSync } from 'node:fs';
import { messageOf } from '#contract/core/errors.ts';
import { isMissingFile } from '#contract/core/systemCode.ts';

/** A file that exists but cannot be read. The message is a sentence for a person. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

/** The text of a file; null without one. Throws UnreadableFileError where the system refuses to read it. */
export function textOfFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissingFile(error)) return null;
    const message = `${file} cannot be read (${messageOf(error)}). Correct its permissions, or remove it.`;
    throw new UnreadableFileError(message, { cause: error });
  }
}

/** The result of `read`, or the sentence of the file that it could not read. */
export function orUnreadable<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableFileError) return error.message;
    throw error;
  }
}
