/** Who uses a data folder: a small file beside the ledger, so that a second start can name the process that is in its way. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const instanceSchema = z.object({ pid: z.int().positive() });
const fileOf = (dataDir: string): string => join(dataDir, 'instance.json');

/** Called by whoever holds the ledger's lock; the file itself locks nothing. Answers how to take the note back. */
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
