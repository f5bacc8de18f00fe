/** Creates the Python environment of a handler's folder on request: `.venv`, from `uv.lock` or `requirements.txt`. */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { AppError, messageOf } from '#contract/core/errors.ts';
import {
  MADE_BY_HANGAR,
  environmentSources,
  type EnvironmentSource,
  type EnvironmentState,
} from '#contract/local/folder.ts';
import { inherited } from '../process/envAllowlist.ts';
import { killTree } from '../process/childProcess.ts';
import { findProgram } from '../host/findProgram.ts';
import { createLineSplitter } from '../logs/lineSplitter.ts';
import { ENVIRONMENTS, makingMark, programOf, withEnvironment } from './choosePython.ts';
import { isFile } from './handlerFile.ts';

const MOST_LINES = 200;
const NONE: EnvironmentState = { state: 'none', step: null, lines: [], problem: null };

export interface Environments {
  state(folder: string): EnvironmentState;
  /**
   * Begins to create the environment. `python` returns the program for `requirements.txt`. `made` is called once the
   * environment is complete. If the folder has one, the packages of `requirements.txt` are installed into it, and nothing
   * of it is removed. Throws CONFLICT during a creation; BAD_REQUEST where the folder has none of the files.
   */
  make(folder: string, python: () => Promise<string>, made: () => void): EnvironmentState;
  /**
   * Stops the creation and removes its parts; an environment that was there before stays. Throws CONFLICT where none is
   * running.
   */
  cancel(folder: string): Promise<EnvironmentState>;
  /** Stops all creations and removes their parts. */
  stop(): Promise<void>;
}

/** The complete environment of the folder; null without one. */
const environmentOf = (folder: string): string | null =>
  ENVIRONMENTS.map((name) => path.join(folder, name)).find(
    (environment) => programOf(environment) !== null && !existsSync(makingMark(environment)),
  ) ?? null;

const INSTALLED: EnvironmentSource = 'requirements.txt';

/** The file whose packages can be installed into the environment of the folder; null without either of them. */
export const installedSourceOf = (folder: string): EnvironmentSource | null =>
  environmentOf(folder) !== null && isFile(path.join(folder, INSTALLED)) ? INSTALLED : null;

/** The file for creating an environment; null where the folder has an environment, or no such file. */
export const sourceOf = (folder: string): EnvironmentSource | null =>
  environmentOf(folder) !== null ? null : (environmentSources.find((name) => isFile(path.join(folder, name))) ?? null);

/** The folders of uv's installer, which may be missing in PATH. */
const uvFolders = (): string[] => ['.local', '.cargo'].map((name) => path.join(homedir(), name, 'bin'));

/** The person's settings for installers: another registry, certificates, a cache. */
const installerVariables = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => /^(PIP|UV)_/i.test(name)));

/**
 * Why an installer failed: the last line that begins like an error, with the first indented cause below it; otherwise
 * the last line.
 */
function reasonOf(lines: readonly string[]): string {
  const at = lines.findLastIndex((line) => /^error\b/i.test(line));
  const [error = lines.at(-1) ?? '', below = ''] = at === -1 ? [] : lines.slice(at);
  return /^\s+\S/.test(below) ? `${error}: ${below.trim()}` : error;
}

interface Making {
  state: EnvironmentState;
  pid: number | null;
  isCancelled: boolean;
  done: Promise<void>;
}

type RunStep = (
  making: Making,
  step: string,
  folder: string,
  command: readonly [string, ...string[]],
  variables?: NodeJS.ProcessEnv,
) => Promise<void>;

/** Returns a function that runs one program. Its output becomes lines of the state. Rejects where the program fails. */
const createStepRunner =
  (env: NodeJS.ProcessEnv, isStopped: () => boolean, onProgress: (folder: string) => void): RunStep =>
  (making, step, folder, [program, ...args], variables = {}) => {
    if (isStopped() || making.isCancelled) return Promise.reject(new Error('It was stopped.'));
    making.state = { ...making.state, step };
    onProgress(folder);
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        cwd: folder,
        windowsHide: true,
        env: { ...inherited(env), ...installerVariables(env), ...variables, PYTHONUNBUFFERED: '1' },
        detached: process.platform !== 'win32',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      making.pid = child.pid ?? null;
      const append = (text: string): void => {
        making.state = { ...making.state, lines: [...making.state.lines, text].slice(-MOST_LINES) };
        onProgress(folder);
      };
      for (const stream of [child.stdout, child.stderr]) {
        const lines = createLineSplitter(append);
        stream.on('data', lines.push);
        stream.on('end', lines.end);
      }
      child.once('error', (error) => reject(new Error(`${program} could not be started: ${error.message}`)));
      child.once('close', (code, signal) => {
        making.pid = null;
        if (code === 0) resolve();
        else reject(new Error(`${step} ended with ${signal ?? `exit code ${code}`}: ${reasonOf(making.state.lines)}`));
      });
    });
  };

interface MakeOptions {
  env: NodeJS.ProcessEnv;
  run: RunStep;
  source: EnvironmentSource;
  folder: string;
  python: () => Promise<string>;
}

/** Marks the environment, so that Hangar lists it among what it keeps, and removes it with all else. */
function noteMade(environment: string): void {
  writeFileSync(path.join(environment, MADE_BY_HANGAR), 'Hangar made this environment.\n');
}

/** Installs packages into an environment that is complete. */
async function install(
  { env, run, folder, source }: Omit<MakeOptions, 'python'>,
  making: Making,
  environment: string,
): Promise<void> {
  const program = programOf(environment);
  if (program === null) throw new Error(`${environment} has no Python.`);
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '-r', source];
  const variables = withEnvironment(program, inherited(env));
  await run(making, `Installing ${source}`, folder, [program, ...pip], variables);
}

/** Installs the packages into the environment that the folder has. It stays, whatever happens. */
async function installInto(making: Making, environment: string, options: MakeOptions): Promise<void> {
  try {
    await install(options, making, environment);
  } finally {
    // What is known of the packages of an environment is valid while the time of its folder stays the same.
    const now = new Date();
    await utimes(environment, now, now);
  }
}

/** Creates `.venv` in the folder. A mark file exists until it is complete. Removes a failed environment. */
async function makeFrom(making: Making, { env, run, source, folder, python }: MakeOptions): Promise<void> {
  const environment = path.join(folder, '.venv');
  const uv = source === 'uv.lock' ? requireUv(env) : null;
  const mark = makingMark(environment);
  if (existsSync(environment) && !existsSync(mark) && !existsSync(path.join(environment, 'pyvenv.cfg'))) {
    throw new Error(`${environment} is there, and is no environment. Move it away first.`);
  }
  writeFileSync(mark, '');
  try {
    await rm(environment, { recursive: true, force: true });
    if (uv !== null) {
      // uv chooses the Python by the settings of the project.
      await run(making, 'Installing uv.lock', folder, [uv, 'sync', '--frozen']);
      noteMade(environment);
      return;
    }
    await run(making, 'Making .venv', folder, [await python(), '-m', 'venv', environment]);
    await install({ env, run, folder, source }, making, environment);
    noteMade(environment);
  } catch (error) {
    await rm(environment, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(mark, { force: true });
  }
}

function requireUv(env: NodeJS.ProcessEnv): string {
  const uv = findProgram('uv', env, uvFolders());
  if (uv !== null) return uv;
  throw new Error('Its uv.lock needs uv, which is not on PATH. Install uv, or add a requirements.txt.');
}

/** `onProgress`: called with the folder after each change of its state. */
export function createEnvironments(env: NodeJS.ProcessEnv, onProgress: (folder: string) => void): Environments {
  const all = new Map<string, Making>();
  let stopped = false;
  const run = createStepRunner(env, () => stopped, onProgress);

  /** Kills the running program, and waits until all parts are removed. */
  async function end({ pid, done }: Making): Promise<void> {
    if (pid !== null) await killTree(pid);
    await done;
  }

  return {
    state: (folder) => all.get(folder)?.state ?? NONE,

    make(folder, python, made) {
      if (all.get(folder)?.state.state === 'making') {
        throw new AppError('CONFLICT', `The environment of ${folder} is being made already.`);
      }
      const present = environmentOf(folder);
      const source = present === null ? sourceOf(folder) : installedSourceOf(folder);
      if (source === null) {
        const wanted = present === null ? environmentSources.join(' or ') : INSTALLED;
        throw new AppError('BAD_REQUEST', `${folder} has no ${wanted}.`);
      }
      const making: Making = {
        state: { ...NONE, state: 'making' },
        pid: null,
        isCancelled: false,
        done: Promise.resolve(),
      };
      all.set(folder, making);
      onProgress(folder);
      const options = { env, run, source, folder, python };
      making.done = (present === null ? makeFrom(making, options) : installInto(making, present, options))
        .then(
          () => {
            making.state = { ...making.state, state: 'made' };
            if (!stopped) made();
          },
          (error: unknown) => {
            making.state = making.isCancelled
              ? { ...making.state, state: 'stopped' }
              : { ...making.state, state: 'failed', problem: messageOf(error) };
          },
        )
        .finally(() => onProgress(folder));
      return making.state;
    },

    async cancel(folder) {
      const making = all.get(folder);
      if (making?.state.state !== 'making') {
        throw new AppError('CONFLICT', `No environment of ${folder} is being made.`);
      }
      making.isCancelled = true;
      await end(making);
      return making.state;
    },

    async stop() {
      stopped = true;
      await Promise.all([...all.values()].map(end));
    },
  };
}
