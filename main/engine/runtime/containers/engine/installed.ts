/** Finds a container engine that is installed on this machine, but does not run. */
import { existsSync } from 'node:fs';
import { findProgram } from '../../gpu/findProgram.ts';
import type { Surroundings } from './sockets.ts';

export type EngineName = 'Docker' | 'Podman';

/** Where installers put these programs. PATH may lack them: that of a desktop program, or of a user who is not root. */
const FOLDERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin'],
  darwin: ['/opt/homebrew/bin', '/usr/local/bin', '/opt/podman/bin'],
  win32: ['C:\\Program Files\\Docker\\Docker\\resources\\bin', 'C:\\Program Files\\RedHat\\Podman'],
};
const DOCKER_DESKTOP = '/Applications/Docker.app';

/** Docker before Podman; null without either. On Linux, Docker is its daemon: its client alone runs nothing. */
export function installedEngine({
  platform,
  env,
  programFolders = FOLDERS[platform] ?? [],
}: Pick<Surroundings, 'platform' | 'env' | 'programFolders'>): EngineName | null {
  const has = (program: string): boolean => findProgram(program, env, programFolders) !== null;
  const hasDocker =
    platform === 'darwin' ? existsSync(DOCKER_DESKTOP) : has(platform === 'linux' ? 'dockerd' : 'docker');
  if (hasDocker) return 'Docker';
  return has('podman') ? 'Podman' : null;
}
