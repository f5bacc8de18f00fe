/** Reads the small files of the desktop program: settings, windows, channel of updates. */
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type * as z from 'zod';
import { isMissingFile } from '#contract/core/systemCode.ts';

/** Null if there is no file. A file that cannot be read or understood also is null; the log has the reason. */
export function readStateFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  logger: Logger,
): z.output<Schema> | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (!isMissingFile(error)) logger.warn({ err: error, file }, 'a file could not be read: the defaults apply');
    return null;
  }
}
