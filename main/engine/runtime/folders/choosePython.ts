/** Which Python a handler in a folder gets: the one its template names, an environment of the folder, a conda environment, or none in particular. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { PYTHON_VARIABLE } from '#contract/local/folder.ts';
import { findProgram } from '../gpu/findProgram.ts';
import { isFile } from './handlerFile.ts';

const CONDA = 'conda:';
/** The file beside an environment that is there while it is being made: nobody takes it before it is whole. */
export const makingMark = (environment: string): string => `${environment}.hangar-making`;
export const ENVIRONMENTS = ['.venv', 'venv'];
const CONDA_FILES = ['environment.yml', 'environment.yaml'];
const CONDA_ROOTS = ['miniconda3', 'miniforge3', 'mambaforge', 'anaconda3', 'micromamba', '.conda'];

export interface PythonChoice {
  /** A path, or the name of a program on PATH. */
  readonly program: string;
  /** Why this one, for a person. */
  readonly from: string;
}

/** The program of an environment in this folder; null where it is none. */
export function programOf(environment: string): string | null {
  const places = process.platform === 'win32' ? ['Scripts/python.exe', 'python.exe'] : ['bin/python', 'bin/python3'];
  return places.map((place) => path.join(environment, place)).find(isFile) ?? null;
}

function condaEnvironment(name: string, env: NodeJS.ProcessEnv): string | null {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? homedir();
  let listed: string[] = [];
  try {
    listed = readFileSync(path.join(home, '.conda', 'environments.txt'), 'utf8').split(/\r?\n/);
  } catch {
    // Conda has written none.
  }
  const base = env['CONDA_EXE'] === undefined ? [] : [path.dirname(path.dirname(env['CONDA_EXE']))];
  const current = env['CONDA_PREFIX'] === undefined ? [] : [env['CONDA_PREFIX']];
  const roots = [...base, ...current, ...CONDA_ROOTS.map((root) => path.join(home, root)), '/opt/conda'];
  const folders = [
    ...listed.filter((folder) => path.basename(folder) === name),
    ...(name === 'base' ? roots : roots.map((root) => path.join(root, 'envs', name))),
    // The environment that is active is itself below `envs`.
    ...current.map((prefix) => path.join(path.dirname(prefix), name)),
  ];
  return folders.find((folder) => programOf(folder) !== null) ?? null;
}

function named(request: string, folder: string, env: NodeJS.ProcessEnv): PythonChoice | string {
  const from = `${PYTHON_VARIABLE} of the template`;
  if (request.startsWith(CONDA)) {
    const name = request.slice(CONDA.length).trim();
    const environment = condaEnvironment(name, env);
    return environment === null
      ? `There is no conda environment ${JSON.stringify(name)} on this machine, which ${from} names. Make it, or name the folder that it is in.`
      : { program: programOf(environment)!, from: `${from}: the conda environment ${name}` };
  }
  const spelled = /^~(?=[/\\]|$)/.test(request) ? homedir() + request.slice(1) : request;
  // A name alone is a program on PATH, or else an environment of conda.
  if (!/[/\\]/.test(spelled) && !existsSync(path.join(folder, spelled))) {
    const conda = findProgram(spelled, env, []) === null ? condaEnvironment(spelled, env) : null;
    return conda === null
      ? { program: spelled, from }
      : { program: programOf(conda)!, from: `${from}: the conda environment ${spelled}` };
  }
  const place = path.resolve(folder, spelled);
  const program = programOf(place) ?? (isFile(place) ? place : null);
  return program === null
    ? `${from} names ${request}, which is neither a program nor the folder of an environment. Change it, or take it away.`
    : { program, from };
}

/** The name in an `environment.yml`. */
function condaNameOf(folder: string): string | null {
  const file = CONDA_FILES.map((name) => path.join(folder, name)).find(isFile);
  if (file === undefined) return null;
  try {
    return /^name:[ \t]*["']?([\w.-]+)["']?[ \t]*(?:#.*)?$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? null;
  } catch {
    // One that may not be read names none.
    return null;
  }
}

/** Null where nothing calls for one in particular; a sentence where the one that is called for is not there. */
export function choosePython(
  folder: string,
  templateEnv: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): PythonChoice | string | null {
  const request = templateEnv[PYTHON_VARIABLE]?.trim();
  if (request) return named(request, folder, env);
  for (const name of ENVIRONMENTS) {
    const environment = path.join(folder, name);
    if (!existsSync(environment) || existsSync(makingMark(environment))) continue;
    const program = programOf(environment);
    if (program !== null) return { program, from: `${name} of the folder` };
    if (existsSync(path.join(environment, 'pyvenv.cfg'))) {
      return `The Python of ${environment} is not there any more: make that environment anew, or delete it.`;
    }
  }
  const name = condaNameOf(folder);
  const conda = name === null ? null : condaEnvironment(name, env);
  return conda === null
    ? null
    : { program: programOf(conda)!, from: `the conda environment ${name} of its environment.yml` };
}

/** What programs that it starts need, to find the same environment. */
export function environmentVariables(program: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const folder = path.dirname(program);
  const root =
    process.platform === 'win32' && !isFile(path.join(folder, '..', 'pyvenv.cfg')) ? folder : path.dirname(folder);
  const searched = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  return {
    [searched]: [folder, env[searched]].filter((part) => part !== undefined && part !== '').join(path.delimiter),
    ...(isFile(path.join(root, 'pyvenv.cfg')) && { VIRTUAL_ENV: root }),
    ...(existsSync(path.join(root, 'conda-meta')) && { CONDA_PREFIX: root }),
  };
}
