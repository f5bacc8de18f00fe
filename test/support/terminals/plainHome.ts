/**
 * A home folder for shells of this computer. Those of a test start as for a new person: what the person who runs the
 * tests has set would cost its time at each start, may wait for a lock, and may change what a shell prints.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PlainHome extends AsyncDisposable {
  readonly path: string;
}

/** Makes the folder, which disappears with the scope that holds it. */
export async function makePlainHome(): Promise<PlainHome> {
  const path = await mkdtemp(join(tmpdir(), 'hangar-home-'));
  // Without this file, zsh asks a new person what to set.
  await writeFile(join(path, '.zshrc'), '');
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
