/** Installs packages of PyPI with uv, which takes a tenth of the time of pip; with pip where uv cannot be had. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, runCommand, WINDOWS } from './command.ts';

/** The uv that installs everything else. It comes from PyPI as well, by pip. */
export const UV = 'uv@0.13.9';

/** A program of a folder that holds packages of PyPI. */
export const programIn = (folder: string, program: string): string =>
  WINDOWS ? join(folder, 'Scripts', `${program}.exe`) : join(folder, 'bin', program);

export const pythonIn = (folder: string): string => programIn(folder, 'python');

const requirement = (one: string): string => one.replace('@', '==');

/** Makes the folder a virtual environment with these packages (`name@version`); throws a CommandError. */
export async function installWithPip(folder: string, packages: readonly string[]): Promise<void> {
  await runCommand(WINDOWS ? 'python' : 'python3', ['-m', 'venv', folder]);
  await runCommand(pythonIn(folder), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--retries',
    '1',
    '--timeout',
    '60',
    ...packages.map(requirement),
  ]);
}

/** As `installWithPip`, with the uv in the folder `uv`. What uv cannot install, pip tries. */
export async function installWithUv(folder: string, packages: readonly string[], uv: string): Promise<void> {
  const program = programIn(uv, 'uv');
  const env = uvVariables(await runCommand(pythonIn(uv), ['-m', 'pip', 'config', 'list']), process.env);
  try {
    await runCommand(program, ['venv', '--quiet', '--python', pythonIn(uv), folder], { env });
    const target = ['--quiet', '--python', pythonIn(folder)];
    await runCommand(program, ['pip', 'install', ...target, ...packages.map(requirement)], { env });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await rm(folder, { recursive: true, force: true });
    await installWithPip(folder, packages);
  }
}

/** Settings of pip that name a registry, what makes it trusted, and the variable of uv that says the same. */
const VARIABLES: Readonly<Record<string, string>> = {
  'index-url': 'UV_DEFAULT_INDEX',
  'extra-index-url': 'UV_INDEX',
  'find-links': 'UV_FIND_LINKS',
  'trusted-host': 'UV_INSECURE_HOST',
  cert: 'SSL_CERT_FILE',
};

/** Sections of pip's settings; a later one wins over an earlier one. Others are about other commands. */
const SECTIONS = ['global', 'install', ':env:'];
/** Variables of uv that take several values have this between them. */
const separatorOf = (variable: string): string => (variable === 'UV_FIND_LINKS' ? ',' : ' ');

/**
 * Variables for uv, which does not read the settings of pip. `listing`: what `pip config list` prints,
 * `section.key='value'` in each line. A variable of uv that `set` has stays as it is.
 */
export function uvVariables(listing: string, set: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { UV_PYTHON_DOWNLOADS: 'never', UV_HTTP_RETRIES: '1' };
  const lines = listing.split('\n').map((line) => /^([\w:-]+)\.([\w-]+)='(.*)'$/.exec(line.trim()) ?? []);
  for (const section of SECTIONS) {
    for (const [, place, key = '', value = ''] of lines) {
      const variable = VARIABLES[key];
      // A value of several lines is printed with \n between them.
      const values = value.split(/(?:\\n|\s)+/).filter((one) => one !== '');
      if (place === section && variable !== undefined) env[variable] = values.join(separatorOf(variable));
    }
  }
  return { ...env, ...Object.fromEntries(Object.entries(set).filter(([name]) => name in env)) };
}
