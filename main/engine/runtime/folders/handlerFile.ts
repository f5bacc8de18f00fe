/** Where the handler of a folder is: the file names that we serve, the places that repositories of the hub use, and what a Dockerfile starts. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { readDockerfile } from './dockerfile.ts';

export interface HandlerFile {
  readonly runtime: 'node' | 'python';
  /** Its path in the folder, with `/`. */
  readonly file: string;
  /** What a Dockerfile passes to it. */
  readonly args: readonly string[];
}

const NODE_HANDLERS = ['handler.mjs', 'handler.js', 'handler.ts'];
/** The places that repositories of the hub use. What lies in `.runpod` is for the hub; a handler there is rare. */
const PYTHON_HANDLERS = ['handler.py', 'rp_handler.py', 'src/handler.py', 'src/rp_handler.py', '.runpod/handler.py'];
const DOCKERFILES = ['.runpod/Dockerfile', 'Dockerfile'];
/** Longer ones are no Dockerfiles. */
const DOCKERFILE_BYTES = 256 * 1024;

export const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

function dockerfileOf(folder: string): string | null {
  const name = DOCKERFILES.find((one) => isFile(path.join(folder, one)));
  if (name === undefined) return null;
  try {
    const file = path.join(folder, name);
    return statSync(file).size > DOCKERFILE_BYTES ? null : readFileSync(file, 'utf8');
  } catch {
    // One that may not be read says nothing.
    return null;
  }
}

/** The handler of a folder, or a sentence that says what is missing and what to do. */
export function findHandler(folder: string): HandlerFile | string {
  const there = (names: readonly string[]): string | undefined => names.find((name) => isFile(path.join(folder, name)));
  const node = there(NODE_HANDLERS);
  if (node !== undefined) return { runtime: 'node', file: node, args: [] };
  const python = there(PYTHON_HANDLERS);
  if (python !== undefined) return { runtime: 'python', file: python, args: [] };
  const docker = dockerfileOf(folder);
  const start = docker === null ? null : readDockerfile(docker);
  const started = start && there(start.pythonFiles);
  if (start && started) return { runtime: 'python', file: started, args: start.args };
  const add = `Add a ${NODE_HANDLERS.join(', ')} or ${PYTHON_HANDLERS[0]}, or give the template a dockerStartCmd.`;
  if (!start?.command) return `There is no handler in ${folder}. ${add}`;
  return `There is no handler in ${folder}, and its Dockerfile starts no Python file of it, but ${start.command.join(' ')}. ${add} Or build its image and name that as imageName.`;
}
