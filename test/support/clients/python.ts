/** Installs packages of PyPI with uv, which takes a tenth of the time of pip; with pip where uv cannot be had. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, runCommand, WINDOWS } from './command.ts';

/** The uv that installs everything else. It comes from PyPI as well, by pip. */
export const UV = 'uv@0.13.9';

const inFolder = (folder: string, program: string): string =>
  WINDOWS ? join(folder, 'Scripts', `${program}.exe`) : join(folder, 'bin', program);

/** The Python program of a folder that holds packages of PyPI. */
export const pythonIn = (folder: string): string => inFolder(folder, 'python');

const requirement = (one: string): string => one.replace('@', '==');

/** Makes the folder a virtual environment with these packages (`name@version`); throws a CommandError. */
export async function installWithPip(folder: string, packages: readonly string[]): Promise<void> {
  await runCommand(WINDOWS ? 'python' : 'python3', ['-m', 'venv', folder]);
  await runCommand(pythonIn(folder), [
    ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1', '--timeout', '60'],
    ...packages.map(requirement),
  ]);
}

/** As `installWithPip`, with the uv in the folder `uv`. What uv cannot install, pip tries. */
export async function installWithUv(folder: string, packages: readonly string[], uv: string): Promise<void> {
  const program = inFolder(uv, 'uv');
  const env = await uvSettings(pythonIn(uv));
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

/**
 * Variables for uv, which does not read the settings of pip: those that this pip has by its files and its variables. A variable
 * of uv that is set stays as it is.
 */
async function uvSettings(python: string): Promise<NodeJS.ProcessEnv> {
  const env: NodeJS.ProcessEnv = { UV_PYTHON_DOWNLOADS: 'never', UV_HTTP_RETRIES: '1' };
  // A line is `section.key='value'`; the last section is `:env:`, which wins in pip as well.
  const lines = (await runCommand(python, ['-m', 'pip', 'config', 'list'])).split('\n');
  for (const line of lines.toSorted((a, b) => rank(a) - rank(b))) {
    const [, key = '', value = ''] = /^[^=]*\.([\w-]+)='(.*)'$/.exec(line.trim()) ?? [];
    const variable = VARIABLES[key];
    if (variable !== undefined && value !== '')
      env[variable] = value.trim().replaceAll(/(\\n|\s)+/g, separator(variable));
  }
  return { ...env, ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name in env)) };
}

const rank = (line: string): number => ['global.', 'install.', ':env:.'].findIndex((start) => line.startsWith(start));

/** Between several values of one variable of uv. */
const separator = (variable: string): string => (variable === 'UV_FIND_LINKS' ? ',' : ' ');
