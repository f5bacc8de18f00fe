/**
 * Installs published clients into a folder that outlives the run: below the user's cache folder, one folder for each
 * set of versions.
 */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CommandError, runCommand } from './command.ts';
import { installGo } from './go.ts';
import { withProcessLock } from './processLock.ts';
import { installWithPip, installWithUv, pythonIn, UV } from './python.ts';

export type Registry = 'npm' | 'PyPI' | 'Go';

/** What a registry is asked for: `name@version` of each package. */
export interface Packages {
  readonly registry: Registry;
  readonly packages: readonly string[];
  /** Go: the package of end-to-end tests of the first module. */
  readonly endToEnd?: string;
}

/** Where the packages are, or why they are not there. */
export type Installed = { readonly folder: string } | { readonly missing: string };

const cacheFolder = (): string =>
  join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'hangar-test-clients');

const folderOf = ({ registry, packages }: Packages): string =>
  join(cacheFolder(), `${registry.toLowerCase()}-${packages.join('+').replaceAll(/[@/]+/g, '-')}`);

const installers: Record<Registry, (folder: string, wanted: Packages) => Promise<unknown>> = {
  npm: (folder, { packages }) =>
    runCommand('npm', [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--fetch-retries=1',
      '--fetch-timeout=60000',
      ...packages,
    ]),
  async PyPI(folder, { packages }) {
    const uv: Installed = packages.includes(UV)
      ? { missing: 'it is what is installed' }
      : await install({ registry: 'PyPI', packages: [UV] });
    await ('folder' in uv ? installWithUv(folder, packages, uv.folder) : installWithPip(folder, packages));
  },
  Go: (folder, { packages, endToEnd }) => installGo(folder, packages, endToEnd),
};

/** A virtual environment is of no use once the Python that it was made with is gone. */
const isThere = (folder: string, { registry }: Packages): boolean =>
  existsSync(registry === 'PyPI' ? pythonIn(folder) : folder);

/** Where an earlier run has installed the packages; null where none has. */
export function findInstalled(wanted: Packages): { readonly folder: string } | null {
  const folder = folderOf(wanted);
  return isThere(folder, wanted) ? { folder } : null;
}

async function installOnce(wanted: Packages): Promise<Installed> {
  const folder = folderOf(wanted);
  const earlier = findInstalled(wanted);
  if (earlier !== null) return earlier;
  await mkdir(cacheFolder(), { recursive: true });
  return withProcessLock(`${folder}.lock`, async () => {
    // Another process may have installed it meanwhile.
    if (isThere(folder, wanted)) return { folder };
    // Under another name until it is complete: a run that is cut off leaves nothing that looks installed.
    const incomplete = `${folder}.incomplete`;
    await rm(incomplete, { recursive: true, force: true });
    try {
      await installers[wanted.registry](incomplete, wanted);
      await rm(folder, { recursive: true, force: true });
      await rename(incomplete, folder);
      return { folder };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return { missing: `it could not be installed from ${wanted.registry}: ${error.message}` };
    } finally {
      await rm(incomplete, { recursive: true, force: true });
    }
  });
}

const installing = new Map<string, Promise<Installed>>();

/**
 * Installs the packages unless they are there, and never throws for a registry or a tool that is not. Where several
 * processes want the same packages, one installs them and the others wait for it.
 */
export function install(wanted: Packages): Promise<Installed> {
  const folder = folderOf(wanted);
  const running = installing.get(folder) ?? installOnce(wanted);
  installing.set(folder, running);
  return running;
}
