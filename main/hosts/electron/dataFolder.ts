/**
 * The data folder of the desktop app: where it is, why it may not be opened, and the work on it after the app has
 * stopped.
 */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import { app, dialog, shell } from 'electron';
import { openAtLogin } from './background/loginItem.ts';
import { findDataFolder, type DataFolder } from '../../app/platform/folders/dataFolder.ts';
import { foldersFor, type Folders } from '../../app/platform/folders/desktopFolders.ts';
import { requireUsable } from '../../app/platform/folders/movedFolder.ts';
import { makePrivateFolder } from '../../app/platform/privateFolder.ts';
import type { DataHost } from '../../app/storage/dataWork.ts';
import { moveProblemOf, performMaintenance, type Maintenance } from '../../app/storage/maintenance.ts';
import { t } from './language/text.ts';

/** Without a readable note of a move, the folder that the system's rules name; `folderProblem` then reports the note. */
function findDefaultFolder(dataDir: string): DataFolder {
  try {
    return findDataFolder(undefined, process.env);
  } catch (thrown) {
    if (thrown instanceof AppError) return { dataDir, namedBy: 'default', movedFrom: [] };
    throw thrown;
  }
}

/** The folders of the system's rules, or below the one that a person named; the data may have been moved. */
export function placeFolders(override: string | undefined): { folders: Folders; data: DataFolder } {
  const usual = foldersFor({ platform: process.platform, home: homedir(), env: process.env, override });
  if (override !== undefined) {
    return { folders: usual, data: { dataDir: usual.state, namedBy: 'variable', movedFrom: [] } };
  }
  const data = findDefaultFolder(usual.state);
  const logs = usual.logs === join(usual.state, 'logs') ? join(data.dataDir, 'logs') : usual.logs;
  return { folders: { ...usual, state: data.dataDir, logs }, data };
}

/** Why the data folder is not to be opened, or the folder of logs cannot be written; null if both can be used. */
export function folderProblem({ dataDir, movedFrom }: DataFolder, logs: string): string | null {
  try {
    requireUsable(dataDir, movedFrom);
    makePrivateFolder(logs);
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

async function showPath(path: string): Promise<void> {
  if (!statSync(path).isDirectory()) return shell.showItemInFolder(path);
  const failure = await shell.openPath(path);
  if (failure !== '') throw new AppError('INTERNAL', `The folder cannot be shown: ${failure}`);
}

export const dataHostOf = ({ namedBy, dataDir, movedFrom }: DataFolder, perform: DataHost['perform']): DataHost => ({
  moveProblem: moveProblemOf(namedBy, dataDir),
  movedFrom,
  isDefault: namedBy === 'default',
  notice: null,
  perform,
  open: showPath,
});

/** Works on the data after everything has stopped, and lets the program start again. */
export async function maintain(work: Maintenance, folders: Folders): Promise<void> {
  if (work.kind === 'remove') openAtLogin(false);
  const { notices, dataDir, isDone } = await performMaintenance(work, folders.state);
  if (!isDone) dialog.showErrorBox(t`The change to the data was not completed`, notices.join('\n'));
  if (dataDir !== null) app.relaunch();
}
