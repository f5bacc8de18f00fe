/** The path of the data folder: the named one, or the default one, also after it was moved. */
import { resolve } from 'node:path';
import { defaultDataDir, type Environment } from './defaultDataDir.ts';
import { followMoves } from './movedFolder.ts';

export interface DataFolder {
  dataDir: string;
  /** What names the folder: a flag, the variable HANGAR_HOME, or the default of the system. */
  namedBy: 'flag' | 'variable' | 'default';
  /** The folders from which the data was moved to `dataDir`, oldest first. */
  movedFrom: string[];
}

/**
 * The data folder of a start. `named`: the value of a flag. Only the default folder follows a move: everything that
 * Hangar writes lies below a named folder, so `requireUsable` refuses a named folder whose data was moved.
 */
export function findDataFolder(named: string | undefined, env: Environment): DataFolder {
  if (named !== undefined) return { dataDir: resolve(named), namedBy: 'flag', movedFrom: [] };
  const usual = defaultDataDir(env);
  if (env['HANGAR_HOME']) return { dataDir: usual, namedBy: 'variable', movedFrom: [] };
  const movedFrom = followMoves(usual);
  return { dataDir: movedFrom.pop() ?? usual, namedBy: 'default', movedFrom };
}
