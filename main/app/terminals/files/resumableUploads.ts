/** The uploads into Pods that have begun and are not there yet, in `<data>/uploads.json`: what it takes to go on with one after a restart. */
import { readFileSync, renameSync } from 'node:fs';
import { limits } from '#contract/core/limits.ts';
import * as z from 'zod';
import { writeAtomicFile } from '../../platform/atomicFile.ts';

const begunSchema = z.object({
  accountId: z.string(),
  podId: z.string(),
  /** Where the file goes, as the page asks for it. */
  path: z.string(),
  /** The name beside it that it has until all of it is there. */
  part: z.string(),
  /** Of the source: by these it is known again. */
  sizeBytes: z.number(),
  modifiedAt: z.number(),
  replaces: z.boolean(),
  begunAt: z.number(),
});
export type Begun = z.infer<typeof begunSchema>;
type Target = Pick<Begun, 'accountId' | 'podId' | 'path'>;

export interface UnfinishedUploads {
  of(accountId: string, podId: string): Begun[];
  find(target: Target): Begun | null;
  /** In place of one for the same path. Resolves once it would outlive a crash. */
  note(begun: Begun): Promise<void>;
  forget(target: Target): Promise<void>;
  /** Forgets those of an account that was removed. */
  leave(accountId: string): Promise<void>;
}

export function createUnfinishedUploads(file: string): UnfinishedUploads {
  let all = read(file);
  let saved: Promise<void> = Promise.resolve();

  const isAt =
    ({ accountId, podId, path }: Target) =>
    (one: Begun): boolean =>
      one.accountId === accountId && one.podId === podId && one.path === path;

  /** One after the other, each with what there is by then. */
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

/** A file that cannot be parsed is set aside: its uploads start again from the beginning. */
function read(file: string): Begun[] {
  try {
    return z.array(begunSchema).parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    renameSync(file, `${file}.damaged`);
    return [];
  }
}
