/** The note in the old folder of a move that was begun: it lets a person go on with the move, or give it up. */
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { removeAtomicFile, writeAtomicFile } from '../../platform/atomicFile.ts';
import { readJsonFile } from '../../platform/jsonFile.ts';
import { ARRIVING, readArriving } from '../../platform/folders/movedFolder.ts';
import { MOVING, RELOCATED } from '../contents.ts';

const movingSchema = z.object({ to: z.string(), startedAt: z.number() });
export type Moving = z.infer<typeof movingSchema>;

/** The move that was begun and is not complete; null if there is none. */
export const readMoving = (dataDir: string): Moving | null => readJsonFile(join(dataDir, MOVING), movingSchema);

export const writeMoving = (dataDir: string, moving: Moving): Promise<void> =>
  writeAtomicFile(join(dataDir, MOVING), `${JSON.stringify(moving)}\n`);

export const writeArriving = (to: string, from: string, startedAt: number): Promise<void> =>
  writeAtomicFile(join(to, ARRIVING), `${JSON.stringify({ from, startedAt })}\n`);

/** Gives a move up: removes what it has copied. The data in `dataDir` stays as it is. */
export async function discardMove(dataDir: string): Promise<void> {
  const moving = readMoving(dataDir);
  if (moving !== null && readArriving(moving.to)?.from === dataDir) {
    for (const name of await readdir(moving.to)) {
      await rm(join(moving.to, name), { recursive: true, force: true, maxRetries: 3 });
    }
    // The root of a disk stays.
    await rmdir(moving.to).catch(() => undefined);
  }
  await removeAtomicFile(join(dataDir, MOVING));
}

const relocatedSchema = z.object({ from: z.array(z.string()) });

/** The folders from which the data of this folder came, whose paths the engine still stores. */
export const readRelocated = (dataDir: string): string[] =>
  readJsonFile(join(dataDir, RELOCATED), relocatedSchema)?.from ?? [];

export const writeRelocated = (dataDir: string, from: readonly string[]): Promise<void> =>
  writeAtomicFile(join(dataDir, RELOCATED), `${JSON.stringify({ from })}\n`);

export const removeRelocated = (dataDir: string): Promise<void> => removeAtomicFile(join(dataDir, RELOCATED));
