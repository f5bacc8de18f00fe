/** The places of the desktop program and of its updater, by the rules of each system. */
import { isAbsolute, join, resolve } from 'node:path';
import type { PlaceKind } from '#contract/bridge/data/places.ts';
import { foldersFor } from '../../platform/folders/desktopFolders.ts';

interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  platform?: NodeJS.Platform;
}

/** The name of the folder that electron-builder gives the updater of the packages. */
const UPDATER = 'hangar-updater';

function updateFolders({ env, home, platform = process.platform }: Surroundings): string[] {
  if (platform === 'darwin') {
    const caches = join(home, 'Library', 'Caches');
    return [join(caches, UPDATER), join(caches, 'dev.hangar.desktop.ShipIt')];
  }
  if (platform === 'win32') return [join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), UPDATER)];
  const cache = env['XDG_CACHE_HOME'];
  return [join(cache && isAbsolute(cache) ? cache : join(home, '.cache'), UPDATER)];
}

/** The login item of a Linux desktop; the other systems keep theirs without a file. */
function loginFiles({ env, home, platform = process.platform }: Surroundings): string[] {
  if (platform !== 'linux') return [];
  const config = env['XDG_CONFIG_HOME'];
  return [join(config && isAbsolute(config) ? config : join(home, '.config'), 'autostart', 'hangar.desktop')];
}

/** Every path, whether it exists or not. */
export function desktopPlaces(surroundings: Surroundings): { kind: PlaceKind; path: string }[] {
  const { env, home, platform = process.platform } = surroundings;
  const named = env['HANGAR_HOME'];
  const { config, cache, logs, state } = foldersFor({
    platform,
    home,
    env,
    override: named ? resolve(named) : undefined,
  });
  return [
    { kind: 'desktop', path: config },
    { kind: 'cache', path: cache },
    // On Linux the logs lie in the data folder, wherever that was moved.
    ...(logs === join(state, 'logs') ? [] : [{ kind: 'logs' as const, path: logs }]),
    ...updateFolders(surroundings).map((path) => ({ kind: 'updates' as const, path })),
    ...loginFiles(surroundings).map((path) => ({ kind: 'login' as const, path })),
  ];
}
