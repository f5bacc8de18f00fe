/**
 * The page's procedures about everything that Hangar keeps: its places, its move, its export and import, its removal.
 */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import { placesSchema } from './places.ts';

export const dataWorkKinds = ['move', 'export', 'import'] as const;

export const dataWorkSchema = z.object({
  kind: z.enum(dataWorkKinds),
  /** The new folder, or the file. */
  path: z.string(),
  /** `counting`: nothing is copied yet. `finishing`: Hangar starts again with the data in its new place. */
  phase: z.enum(['counting', 'copying', 'finishing']),
  doneBytes: z.number(),
  totalBytes: z.number(),
  doneFiles: z.int(),
  totalFiles: z.int(),
  /** RFC 3339. */
  startedAt: z.string(),
});
export type DataWork = z.infer<typeof dataWorkSchema>;

export const dataStateSchema = z.object({
  /** The work that is under way; null if there is none. */
  work: dataWorkSchema.nullable(),
  /** The end of the last work in this run. */
  last: z
    .object({
      kind: z.enum(dataWorkKinds),
      path: z.string(),
      outcome: z.enum(['done', 'stopped', 'failed']),
      /** For a person. */
      message: z.string(),
    })
    .nullable(),
  /** The target of a move that was begun and is not complete; null if there is none. */
  unfinishedMove: z.string().nullable(),
  /** Why this host cannot move the data while it runs, and what to do instead; null if it can. */
  moveProblem: z.string().nullable(),
});
export type DataState = z.infer<typeof dataStateSchema>;

/** The word that a person types to remove all. */
export const REMOVE_WORD = 'remove';

const path = z.string().trim().min(1).max(4096);

export const dataContract = {
  /** All places, again and again while their sizes are counted; the last event has `isDone`. */
  places: oc.output(eventIterator(placesSchema)),
  /** Shows a place in the file manager of the desktop. Refused for paths that are no place, and without a desktop. */
  open: oc.input(z.object({ path: z.string() })).output(z.object({})),
  /** The state now, then each change. */
  watch: oc.output(eventIterator(dataStateSchema)),
  /** Begins to move the data folder, or goes on with a move; answers once the target is checked. */
  move: oc.input(z.object({ to: path })).output(dataStateSchema),
  /** Gives up a move that is not complete: removes what was copied. */
  discardMove: oc.output(dataStateSchema),
  /** Begins to write everything into a new file, without keys. */
  export: oc.input(z.object({ file: path })).output(dataStateSchema),
  /** Begins to replace the data by that of an export; the data before is set aside. */
  import: oc.input(z.object({ file: path })).output(dataStateSchema),
  /** Stops the work that is under way; what a move has copied stays, for the next try. */
  stop: oc.output(dataStateSchema),
  /** What keeps Hangar from ending, such as "2 jobs"; empty if nothing does. */
  openWork: oc.output(z.array(z.string())),
  /** Removes everything, and ends Hangar. CONFLICT while jobs run, unless `force`. */
  remove: oc.input(z.object({ word: z.literal(REMOVE_WORD), force: z.boolean() })).output(z.object({})),
};
