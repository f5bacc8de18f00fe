/** The Python of each handler: found once for each program that is called for, with the modules that it lacks. */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import type { HandlerPython } from '#contract/local/folder.ts';
import { inherited } from '../process/envAllowlist.ts';
import { createPythonFinder, type PythonFinder } from './python.ts';
import { choosePython, environmentVariables } from './choosePython.ts';

const CHECK_TIMEOUT_MS = 20_000;
export const OF_MACHINE = 'this machine';

/** A handler in Python, with the variables of its template. */
export interface PythonHandler {
  readonly folder: string;
  /** Its path in the folder. */
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface HandlerPythons {
  /** A sentence for a person where there is none that can run it. */
  find(handler: PythonHandler): Promise<HandlerPython | string>;
  /** The latest result of `find`, without a new search; null before the first. */
  latest(handler: PythonHandler): HandlerPython | null;
  /** What a person should know of the handler's imports; empty where nothing is missing. */
  importProblems(handler: PythonHandler, python: HandlerPython): Promise<string[]>;
}

export interface HandlerPythonsOptions {
  /** The engine's own environment. */
  env: NodeJS.ProcessEnv;
  /** The one for handlers that call for none in particular. */
  ofMachine: PythonFinder;
  workerKitDir: string;
}

export function createHandlerPythons({ env, ofMachine, workerKitDir }: HandlerPythonsOptions): HandlerPythons {
  /** By program. */
  const finders = new Map<string, PythonFinder>();
  /** By handler and program, for as long as the file is the same. */
  const checked = new Map<string, { version: string; problems: Promise<string[]> }>();

  function finderOf({ folder, env: templateEnv }: PythonHandler): { finder: PythonFinder; from: string } | string {
    const choice = choosePython(folder, templateEnv, env);
    if (typeof choice === 'string') return choice;
    if (choice === null) return { finder: ofMachine, from: OF_MACHINE };
    const key = `${choice.program}\0${choice.from}`;
    let finder = finders.get(key);
    if (!finder) finders.set(key, (finder = createPythonFinder(env, choice)));
    return { finder, from: choice.from };
  }

  /** Modules that are missing, or why the file cannot be read as Python. */
  function check({ folder, file }: PythonHandler, { program }: HandlerPython): Promise<string[] | string> {
    const script = path.join(workerKitDir, 'python', 'missing_modules.py');
    const own = inherited(env);
    const options = {
      cwd: folder,
      timeout: CHECK_TIMEOUT_MS,
      windowsHide: true,
      env: { ...own, ...environmentVariables(program, own), PYTHONIOENCODING: 'utf-8', PYTHONDONTWRITEBYTECODE: '1' },
    };
    return new Promise((resolve) => {
      execFile(program, [script, file], options, (error, stdout, stderr) => {
        if (!error) resolve(JSON.parse(stdout) as string[]);
        else resolve(/^\w*Error: .*$/m.exec(stderr.trim().split('\n').at(-1) ?? '')?.[0] ?? []);
      });
    });
  }

  return {
    async find(handler) {
      const choice = finderOf(handler);
      if (typeof choice === 'string') return choice;
      const { program, version, reason } = await choice.finder.find();
      return program === null || version === null ? reason! : { program, version, from: choice.from };
    },

    latest(handler) {
      const choice = finderOf(handler);
      const python = typeof choice === 'string' ? null : choice.finder.latest();
      return python && typeof choice !== 'string' ? { ...python, from: choice.from } : null;
    },

    importProblems(handler, python) {
      const { folder, file } = handler;
      const key = `${path.join(folder, file)}\0${python.program}`;
      const stat = statSync(path.join(folder, file), { throwIfNoEntry: false });
      // A package that is installed changes the folder that they are in, which is not looked for: so an environment counts as well.
      const place = statSync(path.dirname(path.dirname(python.program)), { throwIfNoEntry: false });
      const version = `${stat?.mtimeMs} ${stat?.size} ${place?.mtimeMs}`;
      const cached = checked.get(key);
      if (cached?.version === version) return cached.problems;
      const problems = check(handler, python).then((result) => {
        if (typeof result === 'string') return [`${file} cannot be loaded: ${result}.`];
        const names = result.join(', ');
        return result.length === 0
          ? []
          : [`${file} imports ${names}, which ${python.program} (${python.from}) does not have.`];
      });
      checked.set(key, { version, problems });
      return problems;
    },
  };
}
