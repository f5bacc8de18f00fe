/** The instance file of a data folder names the process that uses it, so that a second start can report it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const instanceSchema = z.object({ pid: z.int().positive() });
const fileOf = (dataDir: string): string => join(dataDir, 'instance.json');

/** Writes the file, and returns a function that removes it. The caller holds the ledger's lock; the file is none. */
export function noteInstance(dataDir: string): () => void {
  writeFileSync(fileOf(dataDir), `${JSON.stringify({ pid: process.pid })}\n`);
  return () => rmSync(fileOf(dataDir), { force: true });
}

/** Process id of the instance that holds the folder; null when it left no readable note. */
export function instanceOf(dataDir: string): number | null {
  try {
    return instanceSchema.parse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8'))).pid;
  } catch {
    // The other instance is just starting, or its note was removed: the caller then says less.
    return null;
  }
}
