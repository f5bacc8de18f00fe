/** The work on a data folder for which the app stops: the host does it between two runs of the app. */
import { acceptImport, finishImport } from './archive/importFolder.ts';
import type { HostNotice } from './runner.ts';
import { holdFolder } from './holdFolder.ts';
import { finishMove, type MovePlan } from './move/move.ts';
import { removeFiles, type Removed } from './remove.ts';
import type { Place } from '#contract/bridge/data/places.ts';

/** `import`: the export is unpacked already. */
export type Maintenance =
  | { kind: 'move'; plan: MovePlan }
  | { kind: 'import'; file: string }
  | { kind: 'remove'; places: readonly Place[] };

export interface MaintenanceResult {
  /** The data folder of the next run; null if Hangar ends. */
  dataDir: string | null;
  isDone: boolean;
  /** Sentences for a person. */
  notices: string[];
}

const removedNotices = ({ removed, left }: Removed): string[] => [
  ...removed.map((path) => `Removed ${path}`),
  ...left.map((path) => `Left ${path}`),
];

/** Call it after the app has stopped. Never rejects: after a failure the data is where it was. */
export async function performMaintenance(work: Maintenance, dataDir: string): Promise<MaintenanceResult> {
  const never = new AbortController().signal;
  try {
    if (work.kind === 'remove') {
      return { dataDir: null, isDone: true, notices: removedNotices(await removeFiles(dataDir, work.places)) };
    }
    if (work.kind === 'import') {
      const release = await holdFolder(dataDir, 'it imports data');
      try {
        acceptImport(dataDir);
        const aside = finishImport(dataDir);
        return {
          dataDir,
          isDone: true,
          notices:
            aside === null
              ? ['The data was imported.']
              : [`The data was imported. The data before the import lies in ${aside}.`],
        };
      } finally {
        await release();
      }
    }
    const { to, left } = await finishMove(work.plan, () => undefined, never);
    const rest = left.map((path) => `It could not be removed from the old folder: ${path}`);
    return { dataDir: to, isDone: true, notices: [`The data folder is now ${to}.`, ...rest] };
  } catch (thrown) {
    return { dataDir, isDone: false, notices: [thrown instanceof Error ? thrown.message : String(thrown)] };
  }
}

/** The end of the work for the next run of the app; null after a removal. */
export function noticeOf(work: Maintenance, { notices, isDone }: MaintenanceResult): HostNotice | null {
  if (work.kind === 'remove') return null;
  const path = work.kind === 'move' ? work.plan.to : work.file;
  return { kind: work.kind, path, message: notices.join(' '), isDone };
}

/** Why a host cannot move its data folder while it runs; null if it can. `namedBy`: what names the folder. */
export function moveProblemOf(namedBy: 'flag' | 'variable' | 'default', dataDir: string): string | null {
  if (namedBy === 'default') return null;
  const name = namedBy === 'flag' ? '--data-dir' : 'HANGAR_HOME';
  return (
    `${name} names the data folder of this Hangar, so only you can name another one. Stop Hangar, run ` +
    `"hangar --data-dir ${dataDir} data move NEW-FOLDER", and start it with ${name} of the new folder.`
  );
}
