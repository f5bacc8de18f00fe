/** The crashes of parts of the program, as the page shows them. */
import * as z from 'zod';

/**
 * `main`: the program of the windows or of the headless host itself; `last-run`: the same in its last run, which ended
 * without its shutdown, while jobs ran; it has no report, because nothing was left that could write one; `page`: the process of a window; `engine`: the
 * engine of this computer; `keychain`: the process that reads the keychain of the system; `gpu`: the process that draws
 * the windows.
 */
export const crashedParts = ['main', 'last-run', 'page', 'engine', 'keychain', 'gpu'] as const;
export const crashedPartSchema = z.enum(crashedParts);
export type CrashedPart = z.infer<typeof crashedPartSchema>;

/** All crashes of one part since the person dismissed its notice. */
export const crashNoticeSchema = z.object({
  part: crashedPartSchema,
  /** The time of the last one, in milliseconds since the epoch. */
  at: z.number(),
  /** At least 1. */
  count: z.int(),
  /** How the last one ended, as a sentence. */
  cause: z.string(),
  /** Path of the report about the last one; null if it could not be written. */
  report: z.string().nullable(),
});
export type CrashNotice = z.infer<typeof crashNoticeSchema>;
