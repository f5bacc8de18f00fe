/** Reads small JSON files that Hangar writes in one step: a file that exists is complete. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { isMissingFile, readProblem } from '#contract/core/systemCode.ts';

/**
 * The value of the file; null without one. Throws INTERNAL with its path where it cannot be read, or has another form.
 */
export function readJsonFile<T>(file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (isMissingFile(error)) return null;
    const content = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    const reason = readProblem(error) ?? `${content}. Correct the file`;
    throw new AppError('INTERNAL', `${file} cannot be read: ${reason}, or restore the file from a backup.`, {
      cause: error,
    });
  }
}
