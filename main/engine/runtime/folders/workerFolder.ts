/** A template's folder on this machine: which worker loop it gets, and what is wrong with it when it gets none. */
import { accessSync, constants, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EndpointReadiness } from '#contract/local/engine.ts';
import { FILE_IMAGE_PREFIX } from '#contract/api/resources.ts';
import type { WorkerTemplate } from '../../domain/autoscaling/ports.ts';
import { findHandler, isFile } from './handlerFile.ts';

/** Where the public Python SDK, versions 1.7.11 to 1.10.0, writes which jobs its worker runs: in the folder that it is started in. */
const SDK_STATE = '.runpod_jobs.pkl';

export interface WorkerFolder {
  folder: string;
  runtime: Exclude<EndpointReadiness['runtime'], 'container'>;
  /** The person's own command; empty unless `runtime` is `command`. */
  command: string[];
  /** The handler's path in the folder; null where `runtime` is `command`. */
  file: string | null;
  /** What is passed to it. */
  args: readonly string[];
}

export const isFolderTemplate = (template: WorkerTemplate): boolean => template.imageName.startsWith(FILE_IMAGE_PREFIX);

/** The entrypoint and the command together are what runs, as in a container. */
const commandOf = ({ dockerEntrypoint, dockerStartCmd }: WorkerTemplate): string[] => [
  ...dockerEntrypoint,
  ...dockerStartCmd,
];

/** Where the folder of a template is; `problem` says what is wrong with it and what to do. */
export function folderPath(template: WorkerTemplate): { folder: string; problem: null } | { problem: string } {
  const { imageName } = template;
  let folder: string;
  try {
    folder = fileURLToPath(imageName);
  } catch (error) {
    return {
      problem: `${imageName} is not the address of a folder on this machine (${(error as Error).message}). Write it like file:///home/me/my-handler.`,
    };
  }
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return { problem: `The folder ${folder} does not exist. Create it, or change the template's imageName.` };
  if (!stats.isDirectory())
    return { problem: `${folder} is not a folder. The template's imageName must name the handler's folder.` };

  return { folder, problem: null };
}

/** The folder of a template with what runs in it, or a sentence that says what is wrong with it and what to do. */
export function readFolder(template: WorkerTemplate): WorkerFolder | string {
  const place = folderPath(template);
  if (place.problem !== null) return place.problem;
  const { folder } = place;
  const command = commandOf(template);
  if (command.length > 0) {
    return findProgram(command[0]!, folder, { ...process.env, ...template.env })
      ? { folder, runtime: 'command', command, file: null, args: [] }
      : `The command ${command[0]} was not found. Install it, or change the template's dockerStartCmd.`;
  }
  const handler = findHandler(folder);
  return typeof handler === 'string' ? handler : { folder, command, ...handler };
}

/**
 * Removes the state that a worker on the public SDK has left in the folder. In a container of its own no worker finds that of another;
 * here the next one would count the jobs of one that was killed as its own, and take none any more.
 */
export function clearSdkState(folder: string): void {
  try {
    rmSync(path.join(folder, SDK_STATE), { force: true });
  } catch {
    // A folder that is read-only: the SDK could write none there either.
  }
}

/** Which loop a template is meant for; of a folder that cannot be read, the one that a handler would most likely get. */
export function runtimeOf(template: WorkerTemplate): EndpointReadiness['runtime'] {
  if (!isFolderTemplate(template)) return 'container';
  if (commandOf(template).length > 0) return 'command';
  const folder = readFolder(template);
  return typeof folder === 'string' ? 'node' : folder.runtime;
}

/** Whether a program can be started from `folder`: by its path, or through PATH as the system would find it. */
function findProgram(program: string, folder: string, env: NodeJS.ProcessEnv): boolean {
  const windows = process.platform === 'win32';
  const endings = windows ? ['', ...(env['PATHEXT'] ?? '.EXE;.CMD;.BAT;.COM').split(';')] : [''];
  const hasFolder = program.includes('/') || (windows && program.includes('\\'));
  const folders = hasFolder ? [folder] : (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter);
  return folders.some((base) => endings.some((ending) => isProgram(path.resolve(folder, base, program + ending))));
}

function isProgram(file: string): boolean {
  if (!isFile(file)) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // It exists, but it may not be run.
    return false;
  }
}
