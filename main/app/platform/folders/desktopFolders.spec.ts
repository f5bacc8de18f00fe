import { describe, expect, test } from 'vitest';
import { foldersFor } from './desktopFolders.ts';

const linux = { platform: 'linux', home: '/home/ada', env: {}, override: undefined } as const;

describe('folders', () => {
  test('on Linux they follow the XDG variables, and their defaults without them', () => {
    expect(foldersFor(linux)).toEqual({
      config: '/home/ada/.config/hangar',
      state: '/home/ada/.local/state/hangar',
      cache: '/home/ada/.cache/hangar',
      logs: '/home/ada/.local/state/hangar/logs',
    });
    expect(foldersFor({ ...linux, env: { XDG_STATE_HOME: '/data/state' } }).logs).toBe('/data/state/hangar/logs');
  });

  test('a relative XDG path is ignored, as its rules say', () => {
    expect(foldersFor({ ...linux, env: { XDG_STATE_HOME: 'state' } }).state).toBe('/home/ada/.local/state/hangar');
  });

  test('on macOS logs and caches have their own places', () => {
    expect(foldersFor({ ...linux, platform: 'darwin', home: '/Users/ada' })).toEqual({
      config: '/Users/ada/Library/Application Support/Hangar/config',
      state: '/Users/ada/Library/Application Support/Hangar/state',
      cache: '/Users/ada/Library/Caches/Hangar',
      logs: '/Users/ada/Library/Logs/Hangar',
    });
  });

  test('on Windows only small settings roam', () => {
    const env = { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming', LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local' };
    const folders = foldersFor({ ...linux, platform: 'win32', home: 'C:\\Users\\ada', env });
    expect(folders.config).toBe('C:\\Users\\ada\\AppData\\Roaming\\Hangar');
    expect([folders.state, folders.cache, folders.logs].every((path) => path.startsWith(env.LOCALAPPDATA))).toBe(true);
  });

  test('one override holds everything, on every system', () => {
    for (const platform of ['linux', 'darwin'] as const) {
      const folders = foldersFor({ ...linux, platform, override: '/mnt/stick' });
      expect(folders.state).toBe('/mnt/stick');
      expect(Object.values(folders).every((path) => path.startsWith('/mnt/stick'))).toBe(true);
    }
  });
});
