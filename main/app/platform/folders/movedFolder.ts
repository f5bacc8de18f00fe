/**
 * The small files that a move of the data folder leaves: `moved-to.json` in the old folder names the new one, and
 * `arriving.json` in the new folder says that it is not complete yet.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { isAlive } from '../instanceFile.ts';
import { readJsonFile } from '../jsonFile.ts';

export const MOVED_TO = 'moved-to.json';
export const ARRIVING = 'arriving.json';
/** Names the process that works on a folder which no Hangar uses, such as the end of a move. */
export const MAINTENANCE = 'maintenance.json';

const movedSchema = z.object({
  to: z.string(),
  /** RFC 3339. */
  at: z.string(),
});
export type MovedTo = z.infer<typeof movedSchema>;

const arrivingSchema = z.object({
  from: z.string(),
  /** Milliseconds since the epoch: every file that changed after it is compared again. */
  startedAt: z.number(),
});
export type Arriving = z.infer<typeof arrivingSchema>;

const maintenanceSchema = z.object({ pid: z.int().positive(), work: z.string() });

const read = <T>(folder: string, name: string, schema: z.ZodType<T>): T | null =>
  readJsonFile(join(folder, name), schema);

export const readMovedTo = (folder: string): MovedTo | null => read(folder, MOVED_TO, movedSchema);
export const readArriving = (folder: string): Arriving | null => read(folder, ARRIVING, arrivingSchema);

/** Whether the folder is the complete target of a move: the old folder says so. */
export function hasArrived(folder: string): boolean {
  const arriving = readArriving(folder);
  return arriving === null || readMovedTo(arriving.from)?.to === resolve(folder);
}

/** More moves than a person makes. */
const MOST_MOVES = 32;

/** The folder and each folder that its data was moved to, the current one last. */
export function followMoves(folder: string): string[] {
  const chain = [folder];
  for (let at = folder; chain.length < MOST_MOVES;) {
    const next = readMovedTo(at)?.to;
    // Data that was moved back: the folder's own pointer is the older one.
    if (next === undefined || (readArriving(at)?.from === next && hasArrived(at))) break;
    if (chain.includes(next)) break;
    chain.push(next);
    at = next;
  }
  return chain;
}

/** A folder that Hangar must not open now; the message says why and what to do. */
export class FolderNotHereError extends Error {
  override readonly name = 'FolderNotHereError';
  /** The process that works on the folder; null if the data is elsewhere. */
  readonly pid: number | null;
  constructor(message: string, pid: number | null = null) {
    super(message);
    this.pid = pid;
  }
}

/** The process that works on the folder, and at what; null if there is none. */
export function maintenanceOf(folder: string): { pid: number; work: string } | null {
  const note = read(folder, MAINTENANCE, maintenanceSchema);
  return note !== null && note.pid !== process.pid && isAlive(note.pid) ? note : null;
}

/**
 * Throws FolderNotHereError if the folder is not to be opened: its data was moved away, a move into it is not complete,
 * or a process works on it. `movedFrom`: the folders that led to it.
 */
export function requireUsable(dataDir: string, movedFrom: readonly string[] = []): void {
  const work = maintenanceOf(dataDir);
  if (work !== null) {
    throw new FolderNotHereError(
      `The data folder ${dataDir} is in use by process ${work.pid}, which is at work: ${work.work}. Wait for its end, ` +
        `or remove ${join(dataDir, MAINTENANCE)} if there is no such process.`,
      work.pid,
    );
  }
  const moved = followMoves(dataDir).at(-1);
  if (moved !== undefined && moved !== dataDir) {
    throw new FolderNotHereError(
      `The data of ${dataDir} was moved to ${moved}. Name that folder with --data-dir or HANGAR_HOME.`,
    );
  }
  if (!hasArrived(dataDir)) {
    throw new FolderNotHereError(
      `A move of the data folder ${readArriving(dataDir)?.from ?? ''} to ${dataDir} is not complete. Start Hangar on ` +
        'the old folder, or go on with "hangar data move".',
    );
  }
  const from = movedFrom.at(-1);
  if (from !== undefined && !existsSync(dataDir)) {
    throw new FolderNotHereError(
      `The data folder was moved to ${dataDir}, which is not there. Connect its disk. To begin with empty data, ` +
        `remove ${join(movedFrom[0] ?? from, MOVED_TO)}.`,
    );
  }
}
