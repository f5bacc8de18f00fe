/** The folders of the desktop app, by the rules of each system. HANGAR_HOME puts all of them into one folder. */
import { posix, win32 } from 'node:path';

export interface Folders {
  /** Small settings, such as the state of the windows. Electron's userData. */
  readonly config: string;
  /** Ledger, jobs and samples: the data folder of app and engine. */
  readonly state: string;
  /** Chromium's cache: it may be removed at any time. */
  readonly cache: string;
  readonly logs: string;
}

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** One folder for everything, chosen by the person. */
  readonly override: string | undefined;
}

/** As in the headless host: the variable names the data folder itself; the other folders are below it. */
function underOne(folder: string, join: (...parts: string[]) => string): Folders {
  return { config: join(folder, 'config'), state: folder, cache: join(folder, 'cache'), logs: join(folder, 'logs') };
}

export function foldersFor({ platform, home, env, override }: Surroundings): Folders {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  if (override) return underOne(override, join);
  // The XDG rules require that a relative path is ignored.
  const from = (name: string, otherwise: string): string => {
    const value = env[name];
    return value && isAbsolute(value) ? value : otherwise;
  };
  if (platform === 'darwin') {
    const support = join(home, 'Library', 'Application Support', 'Hangar');
    return {
      config: join(support, 'config'),
      state: join(support, 'state'),
      cache: join(home, 'Library', 'Caches', 'Hangar'),
      logs: join(home, 'Library', 'Logs', 'Hangar'),
    };
  }
  if (platform === 'win32') {
    const local = join(from('LOCALAPPDATA', join(home, 'AppData', 'Local')), 'Hangar');
    return {
      config: join(from('APPDATA', join(home, 'AppData', 'Roaming')), 'Hangar'),
      state: join(local, 'state'),
      cache: join(local, 'Cache'),
      logs: join(local, 'logs'),
    };
  }
  const state = join(from('XDG_STATE_HOME', join(home, '.local', 'state')), 'hangar');
  return {
    config: join(from('XDG_CONFIG_HOME', join(home, '.config')), 'hangar'),
    state,
    cache: join(from('XDG_CACHE_HOME', join(home, '.cache')), 'hangar'),
    logs: join(state, 'logs'),
  };
}
