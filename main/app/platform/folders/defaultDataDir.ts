/** The default path of the data folder. It needs little code, because a start needs it before everything else. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { foldersFor } from './desktopFolders.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The default path by the rules of each system, absolute. HANGAR_HOME overrides it. Moves are not followed. */
export function defaultDataDir(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const override = env['HANGAR_HOME'];
  return foldersFor({ platform, home: homedir(), env, override: override ? resolve(override) : undefined }).state;
}
