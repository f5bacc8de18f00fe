/**
 * Finds the handler of a folder: by the file names that Hangar serves, by the places that repositories of the hub use,
 * and by the Dockerfile.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { NODE_HANDLERS, PYTHON_HANDLERS } from '#contract/local/folder.ts';
import { readDockerfile } from './dockerfile.ts';
import { orUnreadable, textOfFile } from './fileText.ts';

export interface HandlerFile {
  readonly runtime: 'node' | 'python';
  /** The path in the folder, with `/`. */
  readonly file: string;
  /** The arguments from the Dockerfile. */
  readonly args: readonly string[];
}

const DOCKERFILES = ['.runpod/Dockerfile', 'Dockerfile'];
/** A longer file is no Dockerfile. */
const DOCKERFILE_BYTES = 256 * 1024;

export const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

function dockerfileOf(folder: string): string | null {
  const name = DOCKERFILES.find((one) => isFile(path.join(folder, one)));
  if (name === undefined) return null;
  const file = path.join(folder, name);
  const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 };
  return size > DOCKERFILE_BYTES ? null : textOfFile(file);
}

/** The handler of a folder, or a sentence with the missing part and the remedy. */
export function findHandler(folder: string): HandlerFile | string {
  const firstFile = (names: readonly string[]): string | undefined =>
    names.find((name) => isFile(path.join(folder, name)));
  const node = firstFile(NODE_HANDLERS);
  if (node !== undefined) return { runtime: 'node', file: node, args: [] };
  const python = firstFile(PYTHON_HANDLERS);
  if (python !== undefined) return { runtime: 'python', file: python, args: [] };
  const start = orUnreadable(() => {
    const text = dockerfileOf(folder);
    return text === null ? null : readDockerfile(text);
  });
  if (typeof start === 'string') return start;
  const started = start && firstFile(start.pythonFiles);
  if (start && started) return { runtime: 'python', file: started, args: start.args };
  const add = `Add a ${NODE_HANDLERS.join(', ')} or ${PYTHON_HANDLERS[0]}, or set dockerStartCmd of the template.`;
  if (!start?.command) return `There is no handler in ${folder}. ${add}`;
  return `There is no handler in ${folder}, and its Dockerfile starts no Python file of it, but ${start.command.join(' ')}. ${add} Or build its image and name that as imageName.`;
}
