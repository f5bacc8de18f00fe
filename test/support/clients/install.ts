/** Installs published clients into a folder that outlives the run: below the user's cache folder, one folder for each set of versions. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Registry = 'npm' | 'PyPI' | 'Go';

/** What a registry is asked for: `name@version` of each package. */
export interface Packages {
  readonly registry: Registry;
  readonly packages: readonly string[];
  /** PyPI: only these packages, without what they depend on. */
  readonly alone?: boolean;
}

/** Where the packages are, or why they are not there. */
export type Installed = { readonly folder: string } | { readonly missing: string };

const WINDOWS = process.platform === 'win32';
/** How long one set of packages may take, in milliseconds. A registry that is not reached fails far sooner. */
const INSTALL_LIMIT_MS = 5 * 60_000;
const REASON_CHARACTERS = 300;

const cacheFolder = (): string =>
  join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'hangar-test-clients');

const folderOf = ({ registry, packages, alone }: Packages): string =>
  join(
    cacheFolder(),
    `${registry.toLowerCase()}-${packages.join('+').replaceAll(/[@/]+/g, '-')}${alone ? '-alone' : ''}`,
  );

class InstallError extends Error {}

/** Runs a program to its end; throws an InstallError with its last line where it fails. */
async function run(program: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: INSTALL_LIMIT_MS,
    killSignal: 'SIGKILL',
    shell: WINDOWS,
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-20_000)));
  }
  const lines = (): string[] => output.split('\n').filter((line) => line.trim() !== '');
  // A line that names an error says more than the last one, which is often a place where a log is.
  const telling = (): string =>
    lines().find((line) => /error|cannot|not found|refused/i.test(line)) ?? lines().at(-1) ?? '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', (error) => reject(new InstallError(`${program} could not be started: ${error.message}`)));
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else if (signal !== null) {
        reject(new InstallError(`${program} was ended after ${INSTALL_LIMIT_MS / 60_000} minutes`));
      } else reject(new InstallError(`${program} ended with ${code}: ${telling().slice(0, REASON_CHARACTERS)}`));
    });
  });
}

/** The Python program of a folder that holds packages of PyPI. */
export const pythonIn = (folder: string): string =>
  WINDOWS ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');

const installers: Record<Registry, (folder: string, wanted: Packages) => Promise<void>> = {
  npm: (folder, { packages }) =>
    run('npm', [
      ...[
        'install',
        '--prefix',
        folder,
        '--no-save',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
      ],
      ...['--fetch-retries=1', '--fetch-timeout=60000', ...packages],
    ]),
  async PyPI(folder, { packages, alone }) {
    await run(WINDOWS ? 'python' : 'python3', ['-m', 'venv', folder]);
    await run(pythonIn(folder), [
      ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1', '--timeout', '60'],
      ...(alone ? ['--no-deps'] : []),
      ...packages.map((one) => one.replace('@', '==')),
    ]);
  },
  Go: (folder, { packages }) =>
    run('go', ['install', ...packages], { GOBIN: join(folder, 'bin'), GOFLAGS: '-modcacherw', GOTOOLCHAIN: 'local' }),
};

async function installOnce(wanted: Packages): Promise<Installed> {
  const folder = folderOf(wanted);
  if (existsSync(folder)) return { folder };
  await mkdir(cacheFolder(), { recursive: true });
  // Under another name until it is complete: a run that is cut off leaves nothing that looks installed.
  const incomplete = await mkdtemp(join(cacheFolder(), 'incomplete-'));
  try {
    await installers[wanted.registry](incomplete, wanted);
    // Another run may have been quicker.
    if (!existsSync(folder)) await rename(incomplete, folder);
    return { folder };
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    return { missing: `it could not be installed from ${wanted.registry}: ${error.message}` };
  } finally {
    await rm(incomplete, { recursive: true, force: true });
  }
}

const installing = new Map<string, Promise<Installed>>();

/** Installs the packages unless they are there, and never throws for a registry or a tool that is not. */
export function install(wanted: Packages): Promise<Installed> {
  const folder = folderOf(wanted);
  const running = installing.get(folder) ?? installOnce(wanted);
  installing.set(folder, running);
  return running;
}
