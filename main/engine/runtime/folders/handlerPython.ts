/** Finds the Python of each handler, once for each program, and checks which modules and packages it lacks. */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { HandlerPython } from '#contract/local/folder.ts';
import { inherited } from '../process/envAllowlist.ts';
import { createPythonFinder, type PythonFinder } from './python.ts';
import { choosePython, withEnvironment } from './choosePython.ts';

const run = promisify(execFile);

const CHECK_TIMEOUT_MS = 20_000;
export const OF_MACHINE = 'this machine';

/** The output of `inspect_handler.py`. */
const inspectionSchema = z.object({
  /** The names of the missing modules. */
  modules: z.array(z.string()),
  hasRequirements: z.boolean(),
  /** Why the file is no Python, such as a missing colon. */
  problem: z.string().nullable(),
});
type Inspection = z.infer<typeof inspectionSchema>;

export interface HandlerNeeds {
  /** Why the file cannot be loaded, or which modules it lacks, for a person; null without a problem. */
  problem: string | null;
  /** The names of the modules that it imports and its Python does not have. */
  missingModules: string[];
  /** Whether its Python has all packages of `requirements.txt`. False if that is not known. */
  hasRequirements: boolean;
}

/** A handler in Python, with the variables of its template. */
export interface PythonHandler {
  readonly folder: string;
  /** The path in the folder. */
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface HandlerPythons {
  /** Returns a sentence for a person where no Python can run the handler. */
  find(handler: PythonHandler): Promise<HandlerPython | string>;
  /** The last result of `find`, without a new search; null before the first. */
  latest(handler: PythonHandler): HandlerPython | null;
  /** Compares what the handler needs with what this Python has. */
  needs(handler: PythonHandler, python: HandlerPython): Promise<HandlerNeeds>;
}

export interface HandlerPythonsOptions {
  /** The environment of the engine. */
  env: NodeJS.ProcessEnv;
  /** Finds a Python for handlers without a wish. */
  ofMachine: PythonFinder;
  workerKitDir: string;
}

export function createHandlerPythons({ env, ofMachine, workerKitDir }: HandlerPythonsOptions): HandlerPythons {
  /** By program. */
  const finders = new Map<string, PythonFinder>();
  /** By handler and program. A result is valid while the files stay the same. */
  const checked = new Map<string, { version: string; needs: Promise<HandlerNeeds> }>();

  function finderOf({ folder, env: templateEnv }: PythonHandler): { finder: PythonFinder; from: string } | string {
    const choice = choosePython(folder, templateEnv, env);
    if (typeof choice === 'string') return choice;
    if (choice === null) return { finder: ofMachine, from: OF_MACHINE };
    const key = `${choice.program}\0${choice.from}`;
    let finder = finders.get(key);
    if (!finder) finders.set(key, (finder = createPythonFinder(env, choice)));
    return { finder, from: choice.from };
  }

  /** What Python lacks; or why it cannot load the file, null if that is not known. */
  async function inspect(
    { folder, file }: PythonHandler,
    { program }: HandlerPython,
  ): Promise<Inspection | string | null> {
    const script = path.join(workerKitDir, 'python', 'inspect_handler.py');
    const own = inherited(env);
    const options = {
      cwd: folder,
      timeout: CHECK_TIMEOUT_MS,
      windowsHide: true,
      env: { ...withEnvironment(program, own), PYTHONIOENCODING: 'utf-8', PYTHONDONTWRITEBYTECODE: '1' },
    };
    try {
      const { stdout } = await run(program, [script, file], options);
      return inspectionSchema.parse(JSON.parse(stdout));
    } catch (error) {
      const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
      // Without a known reason, also for an output of another form, nothing is said: the worker's start tells.
      return /^\w*Error: .*$/m.exec(stderr.trim().split('\n').at(-1) ?? '')?.[0] ?? null;
    }
  }

  return {
    async find(handler) {
      const choice = finderOf(handler);
      if (typeof choice === 'string') return choice;
      const { program, version, reason } = await choice.finder.find();
      return program === null || version === null
        ? (reason ?? 'No Python was found.')
        : { program, version, from: choice.from };
    },

    latest(handler) {
      const choice = finderOf(handler);
      const python = typeof choice === 'string' ? null : choice.finder.latest();
      return python && typeof choice !== 'string' ? { ...python, from: choice.from } : null;
    },

    needs(handler, python) {
      const { folder, file } = handler;
      const key = `${path.join(folder, file)}\0${python.program}`;
      const stat = statSync(path.join(folder, file), { throwIfNoEntry: false });
      // Installing a package changes a folder that this code does not know. The time of the environment's folder is
      // used instead.
      const place = statSync(path.dirname(path.dirname(python.program)), { throwIfNoEntry: false });
      const listed = statSync(path.join(folder, 'requirements.txt'), { throwIfNoEntry: false });
      const version = [stat, place, listed].map((one) => `${one?.mtimeMs} ${one?.size}`).join(' ');
      const cached = checked.get(key);
      if (cached?.version === version) return cached.needs;
      const needs = inspect(handler, python).then((result): HandlerNeeds => {
        if (result === null) return { problem: null, missingModules: [], hasRequirements: false };
        const why = typeof result === 'string' ? result : result.problem;
        const { modules, hasRequirements } =
          typeof result === 'string' ? { modules: [], hasRequirements: false } : result;
        const missing = `${file} imports ${modules.join(', ')}, which ${python.program} (${python.from}) does not have.`;
        const problem = why === null ? (modules.length === 0 ? null : missing) : `${file} cannot be loaded: ${why}.`;
        return { problem, missingModules: modules, hasRequirements };
      });
      checked.set(key, { version, needs });
      return needs;
    },
  };
}
