/** Unfinished uploads into Pods, in `<data>/uploads.json`: the facts with which each resumes after a restart. */
import { readFileSync, renameSync } from 'node:fs';
import { parseJsonOrNull } from '#contract/core/jsonScanner.ts';
import { limits } from '#contract/core/limits.ts';
import * as z from 'zod';
import { writeAtomicFile } from '../../platform/atomicFile.ts';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { readProblem } from '#contract/core/systemCode.ts';
import { errorCode } from '../../platform/systemError.ts';

const begunSchema = z.object({
  accountId: z.string(),
  podId: z.string(),
  /** The target path, as the page sent it. */
  path: z.string(),
  /** The temporary name beside the target. */
  part: z.string(),
  /** Properties that identify the source. */
  sizeBytes: z.number(),
  modifiedAt: z.number(),
  replaces: z.boolean().default(false),
  begunAt: z.number().default(0),
});
export type Begun = z.infer<typeof begunSchema>;
type Target = Pick<Begun, 'accountId' | 'podId' | 'path'>;

export interface UnfinishedUploads {
  of(accountId: string, podId: string): Begun[];
  find(target: Target): Begun | null;
  /** Adds a note, or replaces the one for the same path. Resolves after it is durable. */
  note(begun: Begun): Promise<void>;
  forget(target: Target): Promise<void>;
  /** Forgets the uploads of a removed account. */
  leave(accountId: string): Promise<void>;
}

export function createUnfinishedUploads(file: string): UnfinishedUploads {
  let all = read(file);
  let saved: Promise<void> = Promise.resolve();

  const isAt =
    ({ accountId, podId, path }: Target) =>
    (one: Begun): boolean =>
      one.accountId === accountId && one.podId === podId && one.path === path;

  /** Writes run one after the other, each with the current state. */
  function save(): Promise<void> {
    saved = saved.catch(() => undefined).then(() => writeAtomicFile(file, JSON.stringify(all, null, 2)));
    return saved;
  }

  async function dropThose(are: (one: Begun) => boolean): Promise<void> {
    if (!all.some(are)) return;
    all = all.filter((one) => !are(one));
    await save();
  }

  return {
    of: (accountId, podId) => all.filter((one) => one.accountId === accountId && one.podId === podId),
    find: (target) => all.find(isAt(target)) ?? null,
    note(begun) {
      const is = isAt(begun);
      all = [...all.filter((one) => !is(one)), begun].slice(-limits.page.uploads.unfinished);
      return save();
    },
    forget: (target) => dropThose(isAt(target)),
    leave: (accountId) => dropThose((one) => one.accountId === accountId),
  };
}

/**
 * The valid notes in the file. If one is invalid, the file is set aside first, and that upload starts again from the
 * beginning. Throws INTERNAL with its path if the file exists and cannot be read.
 */
function read(file: string): Begun[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    const reason = readProblem(error) ?? messageOf(error);
    throw new AppError('INTERNAL', `${file} cannot be read: ${reason}.`, { cause: error });
  }
  const entries = z.array(z.unknown()).safeParse(parseJsonOrNull(text));
  const notes = (entries.data ?? []).flatMap((entry) => begunSchema.safeParse(entry).data ?? []);
  if (!entries.success || notes.length < entries.data.length) renameSync(file, `${file}.damaged`);
  return notes;
}
