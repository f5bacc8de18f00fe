/** The folder of a template on this machine: its runtime, or the reason why no runtime fits. */
import { accessSync, constants, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '#contract/core/errors.ts';
import { expectCode, systemCode } from '#contract/core/systemCode.ts';
import type { EndpointReadiness } from '#contract/local/engine.ts';
import { FILE_IMAGE_PREFIX } from '#contract/api/resources.ts';
import type { WorkerTemplate } from '../../domain/autoscaling/ports.ts';
import { findHandler, isFile, type HandlerFile } from './handlerFile.ts';

/** The file where the public Python SDK, versions 1.7.11 to 1.10.0, stores the jobs of its worker, in the working folder. */
const SDK_STATE = '.runpod_jobs.pkl';
const READ_ONLY: ReadonlySet<string | undefined> = new Set(['EROFS', 'EACCES', 'EPERM']);

/** A folder with its program: the command of the template, or a handler. */
export type WorkerFolder = { readonly folder: string } & (
  | { readonly runtime: 'command'; readonly command: [program: string, ...args: string[]] }
  | HandlerFile
);

export const isFolderTemplate = (template: WorkerTemplate): boolean => template.imageName.startsWith(FILE_IMAGE_PREFIX);

/** The command is the entrypoint followed by the start command, as in a container. */
const commandOf = ({ dockerEntrypoint, dockerStartCmd }: WorkerTemplate): string[] => [
  ...dockerEntrypoint,
  ...dockerStartCmd,
];

/** The path of a template's folder; `problem` contains the reason and the remedy. */
export function folderPath(template: WorkerTemplate): { folder: string; problem: null } | { problem: string } {
  const { imageName } = template;
  let folder: string;
  try {
    folder = fileURLToPath(imageName);
  } catch (error) {
    return {
      problem: `${imageName} is not the address of a folder on this machine (${messageOf(error)}). Write it like file:///home/me/my-handler.`,
    };
  }
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats)
    return { problem: `The folder ${folder} does not exist. Put it back, or change the template's imageName.` };
  if (!stats.isDirectory())
    return { problem: `${folder} is not a folder. Name the handler's folder as the template's imageName.` };

  return { folder, problem: null };
}

/** The folder of a template with its program, or a sentence with the problem and the remedy. */
export function readFolder(template: WorkerTemplate): WorkerFolder | string {
  const place = folderPath(template);
  if (place.problem !== null) return place.problem;
  const { folder } = place;
  const [program, ...args] = commandOf(template);
  if (program !== undefined) {
    return findProgram(program, folder, { ...process.env, ...template.env })
      ? { folder, runtime: 'command', command: [program, ...args] }
      : `The command ${program} was not found. Install it, or change the template's dockerStartCmd.`;
  }
  const handler = findHandler(folder);
  return typeof handler === 'string' ? handler : { folder, ...handler };
}

/**
 * Removes the SDK state of an earlier worker from the folder. In a container, no worker sees the state of another. Here, the next
 * worker would count the jobs of a killed one as its own, and accept no jobs any more. Returns why that failed as a sentence; null
 * where no state is left.
 */
export function clearSdkState(folder: string): string | null {
  const file = path.join(folder, SDK_STATE);
  try {
    rmSync(file, { force: true });
    return null;
  } catch (error) {
    // The folder is read-only: the SDK could not write its state either.
    if (READ_ONLY.has(systemCode(error))) return null;
    return `${file} has the jobs of an earlier worker and cannot be removed (${messageOf(error)}). Remove it.`;
  }
}

/** The runtime of a template. For an unreadable folder, it is the most likely runtime of a handler. */
export function runtimeOf(template: WorkerTemplate): EndpointReadiness['runtime'] {
  if (!isFolderTemplate(template)) return 'container';
  if (commandOf(template).length > 0) return 'command';
  const folder = readFolder(template);
  return typeof folder === 'string' ? 'node' : folder.runtime;
}

/** Whether a program can be started from `folder`, by its path or through PATH as the system searches it. */
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
  } catch (error) {
    expectCode(error, 'EACCES', 'EPERM', 'ENOENT');
    // The file exists, but it is not executable.
    return false;
  }
}
