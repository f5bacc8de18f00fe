/** Makes the environment of a handler's folder when a person asks for it: `.venv`, from `uv.lock` or `requirements.txt`. */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import { environmentSources, type EnvironmentSource, type EnvironmentState } from '#contract/local/folder.ts';
import { inherited } from '../process/envAllowlist.ts';
import { killTree } from '../process/childProcess.ts';
import { findProgram } from '../gpu/findProgram.ts';
import { createLineSplitter } from '../logs/lineSplitter.ts';
import { ENVIRONMENTS, environmentVariables, makingMark, programOf } from './choosePython.ts';
import { isFile } from './handlerFile.ts';

const LINES_KEPT = 200;
const NONE: EnvironmentState = { state: 'none', step: null, lines: [], problem: null };

export interface Environments {
  state(folder: string): EnvironmentState;
  /**
   * Begins to make one, with this program where it is made from `requirements.txt`. `made` is called once it can be used.
   * CONFLICT while it is being made, BAD_REQUEST where nothing says what belongs into it.
   */
  make(folder: string, python: () => Promise<string>, made: () => void): EnvironmentState;
  /** Ends what is being made in this folder, and removes what is there of it. CONFLICT where nothing is being made. */
  cancel(folder: string): Promise<EnvironmentState>;
  /** Ends whatever is being made, and removes what is there of it. */
  stop(): Promise<void>;
}

/** Whether an environment lies there that is whole. */
const hasEnvironment = (folder: string): boolean =>
  ENVIRONMENTS.some((name) => {
    const environment = path.join(folder, name);
    return programOf(environment) !== null && !existsSync(makingMark(environment));
  });

/** What an environment can be made of; null where there is one, or nothing says what belongs into it. */
export const sourceOf = (folder: string): EnvironmentSource | null =>
  hasEnvironment(folder) ? null : (environmentSources.find((name) => isFile(path.join(folder, name))) ?? null);

/** Where the installer of uv puts it without telling PATH. */
const uvFolders = (): string[] => ['.local', '.cargo'].map((name) => path.join(homedir(), name, 'bin'));

/** How a person has set up their installers: another registry, certificates, a cache. */
const installerVariables = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => /^(PIP|UV)_/i.test(name)));

/** Why an installer failed: its last line that begins as an error, with the first cause that is indented below it, or its last line. */
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

export function createEnvironments(env: NodeJS.ProcessEnv): Environments {
  const all = new Map<string, Making>();
  let stopped = false;

  function run(making: Making, step: string, folder: string, [program, ...args]: string[], extra = {}): Promise<void> {
    if (stopped || making.isCancelled) return Promise.reject(new Error('It was stopped.'));
    making.state = { ...making.state, step };
    return new Promise((resolve, reject) => {
      const child = spawn(program!, args, {
        cwd: folder,
        windowsHide: true,
        env: { ...inherited(env), ...installerVariables(env), ...extra, PYTHONUNBUFFERED: '1' },
        detached: process.platform !== 'win32',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      making.pid = child.pid ?? null;
      const append = (text: string): void => {
        making.state = { ...making.state, lines: [...making.state.lines, text].slice(-LINES_KEPT) };
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
  }

  async function makeFrom(source: EnvironmentSource, folder: string, making: Making, python: () => Promise<string>) {
    const environment = path.join(folder, '.venv');
    const uv = findProgram('uv', env, uvFolders());
    if (source === 'uv.lock' && uv === null) {
      throw new Error('Its uv.lock needs uv, which is not on PATH. Install uv, or add a requirements.txt.');
    }
    const mark = makingMark(environment);
    if (existsSync(environment) && !existsSync(mark) && !existsSync(path.join(environment, 'pyvenv.cfg'))) {
      throw new Error(`${environment} is there, and is no environment. Move it away first.`);
    }
    writeFileSync(mark, '');
    try {
      await rm(environment, { recursive: true, force: true });
      // uv chooses the Python that the project asks for.
      if (source === 'uv.lock') await run(making, 'Installing uv.lock', folder, [uv!, 'sync', '--frozen']);
      else {
        await run(making, 'Making .venv', folder, [await python(), '-m', 'venv', environment]);
        const program = programOf(environment);
        if (program === null) throw new Error('The environment that was made has no Python.');
        const pip = [program, '-m', 'pip', 'install', '--disable-pip-version-check', '-r', source];
        await run(making, `Installing ${source}`, folder, pip, environmentVariables(program, inherited(env)));
      }
    } catch (error) {
      await rm(environment, { recursive: true, force: true });
      throw error;
    } finally {
      await rm(mark, { force: true });
    }
  }

  /** Kills the program that runs for it, and waits until nothing of it is left. */
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
      const source = sourceOf(folder);
      if (source === null) {
        const reason = hasEnvironment(folder)
          ? 'has an environment already'
          : `has no ${environmentSources.join(' or ')}`;
        throw new AppError('BAD_REQUEST', `${folder} ${reason}.`);
      }
      const making: Making = {
        state: { ...NONE, state: 'making' },
        pid: null,
        isCancelled: false,
        done: Promise.resolve(),
      };
      all.set(folder, making);
      making.done = makeFrom(source, folder, making, python).then(
        () => {
          making.state = { ...making.state, state: 'made' };
          if (!stopped) made();
        },
        (error: unknown) => {
          making.state = making.isCancelled
            ? { ...making.state, state: 'stopped' }
            : { ...making.state, state: 'failed', problem: (error as Error).message };
        },
      );
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
