/**
 * Chooses the Python for a handler in a folder: the one that the template names, an environment of the folder, a conda
 * environment, or none in particular.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { PYTHON_VARIABLE } from '#contract/local/folder.ts';
import { findProgram } from '../host/findProgram.ts';
import { orUnreadable, textOfFile } from './fileText.ts';
import { isFile } from './handlerFile.ts';

const CONDA = 'conda:';
/** The file that marks an incomplete environment: no handler uses the environment while it exists. */
export const makingMark = (environment: string): string => `${environment}.hangar-making`;
export const ENVIRONMENTS = ['.venv', 'venv'];
const CONDA_FILES = ['environment.yml', 'environment.yaml'];
const CONDA_ROOTS = [
  'miniconda3',
  'miniforge3',
  'mambaforge',
  'anaconda3',
  'micromamba',
  path.join('.local', 'share', 'mamba'),
  '.conda',
];
/** Lists of folders of environments, for an installation that has none in its own folder. */
const CONDA_ENVIRONMENTS = ['CONDA_ENVS_DIRS', 'CONDA_ENVS_PATH'];

export interface PythonChoice {
  /** A path, or the name of a program on PATH. */
  readonly program: string;
  /** The origin of this choice, for a person. */
  readonly from: string;
}

/** The Python of an environment in this folder; null for a folder without one. */
export function programOf(environment: string): string | null {
  const places = process.platform === 'win32' ? ['Scripts/python.exe', 'python.exe'] : ['bin/python', 'bin/python3'];
  return places.map((place) => path.join(environment, place)).find(isFile) ?? null;
}

/** The Python of the conda environment with this name; null without one. */
function programOfConda(name: string, env: NodeJS.ProcessEnv): string | null {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? homedir();
  const listed = textOfFile(path.join(home, '.conda', 'environments.txt'))?.split(/\r?\n/) ?? [];
  const base = env['CONDA_EXE'] === undefined ? [] : [path.dirname(path.dirname(env['CONDA_EXE']))];
  const current = env['CONDA_PREFIX'] === undefined ? [] : [env['CONDA_PREFIX']];
  const mamba = env['MAMBA_ROOT_PREFIX'] === undefined ? [] : [env['MAMBA_ROOT_PREFIX']];
  const roots = [...base, ...current, ...mamba, ...CONDA_ROOTS.map((root) => path.join(home, root)), '/opt/conda'];
  const parents = CONDA_ENVIRONMENTS.flatMap((variable) => env[variable]?.split(path.delimiter) ?? []).filter(Boolean);
  const folders = [
    ...listed.filter((folder) => path.basename(folder) === name),
    ...parents.map((parent) => path.join(parent, name)),
    ...(name === 'base' ? roots : roots.map((root) => path.join(root, 'envs', name))),
    // The active environment is a folder in `envs` itself.
    ...current.map((prefix) => path.join(path.dirname(prefix), name)),
  ];
  return folders.map(programOf).find((program) => program !== null) ?? null;
}

function named(request: string, folder: string, env: NodeJS.ProcessEnv): PythonChoice | string {
  const from = `${PYTHON_VARIABLE} of the template`;
  if (request.startsWith(CONDA)) {
    const name = request.slice(CONDA.length).trim();
    const program = programOfConda(name, env);
    return program === null
      ? `There is no conda environment ${JSON.stringify(name)} on this machine, which ${from} names. Make it, or name the folder that it is in.`
      : { program, from: `${from}: the conda environment ${name}` };
  }
  const spelled = /^~(?=[/\\]|$)/.test(request) ? homedir() + request.slice(1) : request;
  // A plain name is a program on PATH, or else an environment of conda.
  if (!/[/\\]/.test(spelled) && !existsSync(path.join(folder, spelled))) {
    const conda = findProgram(spelled, env, []) === null ? programOfConda(spelled, env) : null;
    return conda === null
      ? { program: spelled, from }
      : { program: conda, from: `${from}: the conda environment ${spelled}` };
  }
  const place = path.resolve(folder, spelled);
  const program = programOf(place) ?? (isFile(place) ? place : null);
  return program === null
    ? `${from} names ${request}, which is neither a program nor the folder of an environment. Change it, or take it away.`
    : { program, from };
}

/** The name of the environment in `environment.yml`; null without one. */
function condaNameOf(folder: string): string | null {
  const file = CONDA_FILES.map((name) => path.join(folder, name)).find(isFile);
  const text = file === undefined ? null : textOfFile(file);
  return /^name:[ \t]*["']?([\w.-]+)["']?[ \t]*(?:#.*)?$/m.exec(text ?? '')?.[1] ?? null;
}

/** Null where any Python will do; a sentence where the wanted one is missing, or where a file cannot be read. */
export const choosePython = (
  folder: string,
  templateEnv: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): PythonChoice | string | null => orUnreadable(() => choose(folder, templateEnv, env));

function choose(
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
  const program = name === null ? null : programOfConda(name, env);
  return program === null ? null : { program, from: `the conda environment ${name} of its environment.yml` };
}

/** Variables of an activated environment. Those of another environment would lead `uv pip` and `conda` to that one. */
const OF_AN_ENVIRONMENT = ['VIRTUAL_ENV', 'CONDA_PREFIX', 'CONDA_DEFAULT_ENV', 'PYTHONHOME'];

/**
 * These variables, changed so that the handler and its child processes find the environment of this Python, and no
 * other.
 */
export function withEnvironment(program: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const folder = path.dirname(program);
  const root =
    process.platform === 'win32' && !isFile(path.join(folder, '..', 'pyvenv.cfg')) ? folder : path.dirname(folder);
  const searched = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !OF_AN_ENVIRONMENT.includes(name.toUpperCase()))),
    [searched]: [folder, env[searched]].filter((part) => part !== undefined && part !== '').join(path.delimiter),
    ...(isFile(path.join(root, 'pyvenv.cfg')) && { VIRTUAL_ENV: root }),
    ...(existsSync(path.join(root, 'conda-meta')) && { CONDA_PREFIX: root, CONDA_DEFAULT_ENV: path.basename(root) }),
  };
}
