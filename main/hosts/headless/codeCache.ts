/** Where Node keeps the compiled code of the program, so that the next start does not compile it again. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataDir, type Environment } from '../../app/platform/folders/defaultDataDir.ts';

const FOLDER = /^code-/;

/** The data folder that the flags or the environment name. Moves are not followed. */
function dataDirOf(args: readonly string[], env: Environment): string {
  const { values } = parseArgs({ args: [...args], options: { 'data-dir': { type: 'string' } }, strict: false });
  const named = values['data-dir'];
  return typeof named === 'string' ? resolve(named) : defaultDataDir(env);
}

/** Whether only this user can write there, and Hangar has used it before: the first start makes the folder private. */
function isOwn(dataDir: string): boolean {
  const facts = statSync(dataDir, { throwIfNoEntry: false });
  if (facts === undefined || statSync(join(dataDir, 'ledger.db'), { throwIfNoEntry: false }) === undefined)
    return false;
  return process.platform === 'win32' || (facts.uid === process.getuid?.() && (facts.mode & 0o077) === 0);
}

/** Removes the compiled code of other builds. */
function removeOthers(folder: string, name: string): void {
  try {
    for (const other of readdirSync(folder)) {
      if (FOLDER.test(other) && other !== name) rmSync(join(folder, other), { recursive: true, force: true });
    }
  } catch {
    // There is no folder yet, or a file cannot be removed: the next start tries again.
  }
}

/**
 * The folder of the compiled code of this build in the data folder; null if there is no private data folder yet, if the
 * program runs from source, or if a variable of Node has decided. `program`: path of a bundle.
 */
export function codeCacheOf(args: readonly string[], env: Environment, program: string): string | null {
  if (!program.endsWith('.js') || env['NODE_COMPILE_CACHE'] || env['NODE_DISABLE_COMPILE_CACHE']) return null;
  try {
    const dataDir = dataDirOf(args, env);
    if (!isOwn(dataDir)) return null;
    const folder = join(dataDir, 'cache');
    const name = `code-${Math.trunc(statSync(program).mtimeMs).toString(36)}`;
    removeOthers(folder, name);
    return join(folder, name);
  } catch {
    // The start itself reports bad flags and a folder that cannot be used.
    return null;
  }
}
