/** Work on a data folder that no Hangar uses, for the command line: with the parts of app and engine. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { OwnContainer } from '#contract/local/engine.ts';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { expectCode } from '#contract/core/systemCode.ts';
import { systemClock } from './app/platform/clock.ts';
import { readMovedTo, requireUsable } from './app/platform/folders/movedFolder.ts';
import { createKeychain } from './app/secrets/keychain.ts';
import { exportFolder } from './app/storage/archive/exportFolder.ts';
import { acceptImport, finishImport, hasData, unpackExport } from './app/storage/archive/importFolder.ts';
import { idleDatabases } from './app/storage/archive/snapshots.ts';
import { holdFolder } from './app/storage/holdFolder.ts';
import { discardMove, readMoving } from './app/storage/move/journal.ts';
import { emptyOldFolder, finishMove, prepareMove } from './app/storage/move/move.ts';
import { findPlaces, keychainNames } from './app/storage/places/places.ts';
import { removeFiles } from './app/storage/remove.ts';
import type { LocalData, LocalFolder } from './cli/data/localData.ts';
import { listOwnContainers, removeOwnContainers } from './engine/runtime/containers/ownContainers.ts';
import { forkProgram } from './hosts/headless/childProgram.ts';

/** The folders of handlers, by the templates of an engine that does not run. */
function handlerFolders(dataDir: string): string[] {
  const file = join(dataDir, 'engine.db');
  if (!existsSync(file)) return [];
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    const rows = database
      .prepare("SELECT json_extract(record, '$.imageName') AS image FROM template WHERE image LIKE 'file://%'")
      .all();
    return rows.map(({ image }) => fileURLToPath(String(image)));
  } catch (error) {
    // The database is damaged or of another version, or an address is not one of this system: the folders are unknown.
    expectCode(error, 'ERR_SQLITE_ERROR', 'ERR_INVALID_FILE_URL_PATH', 'ERR_INVALID_FILE_URL_HOST');
    return [];
  } finally {
    database?.close();
  }
}

/** Throws CONFLICT while Pods run, which write into the folder. */
async function requireNoPods(dataDir: string): Promise<void> {
  const own = await listOwnContainers(dataDir).catch((): OwnContainer[] => []);
  const running = own.filter(({ isRunning, isPod }) => isPod && isRunning).map(({ name }) => name);
  if (running.length === 0) return;
  throw new AppError(
    'CONFLICT',
    `Pods run and write into the data folder: ${running.join(', ')}. Stop them with "hangar pods stop" while Hangar ` +
      'runs, and try again.',
  );
}

const placesOf = ({ dataDir, movedFrom, isDefault }: LocalFolder, signal: AbortSignal) =>
  findPlaces(
    {
      dataDir,
      movedFrom,
      isDefault,
      env: process.env,
      home: homedir(),
      containers: () => listOwnContainers(dataDir).catch(messageOf),
      handlerFolders: () => Promise.resolve(handlerFolders(dataDir)),
    },
    signal,
  );

/** Removes the entries one by one. Rejects if the keychain cannot be used. */
async function removeKeys(dataDir: string, program: string): Promise<string[]> {
  const names = keychainNames(dataDir);
  if (names.length === 0) return [];
  const keychain = createKeychain({
    clock: systemClock,
    fork: () => forkProgram({ program, nodeFlags: [], log: { write: () => undefined }, onLine: () => undefined }),
  });
  try {
    for (const name of names) await keychain.delete(name);
    return names.map((name) => `${name} from the keychain`);
  } finally {
    await keychain.stop();
  }
}

/** `keychain`: the program that accesses the keychain. */
export function createLocalData(keychain: string): LocalData {
  return {
    places: placesOf,
    unfinishedMove: (dataDir) => Promise.resolve(readMoving(dataDir)?.to ?? null),
    requireNoPods,
    async move(dataDir, to, { onProgress, signal }) {
      // The move was cut off while the old folder was emptied.
      if (readMovedTo(dataDir)?.to === to) return { to, left: await emptyOldFolder(dataDir), skipped: [] };
      requireUsable(dataDir);
      await requireNoPods(dataDir);
      const plan = await prepareMove(dataDir, to, signal);
      // Their mounts lead into the old folder; a start makes them anew.
      await removeOwnContainers(dataDir).catch(() => undefined);
      return finishMove(plan, onProgress, signal);
    },
    discardMove,
    async export(dataDir, file, version, { onProgress, signal }) {
      requireUsable(dataDir);
      if (!existsSync(dataDir)) throw new AppError('NOT_FOUND', `There is no data folder at ${dataDir}.`);
      const release = await holdFolder(dataDir, 'it exports the data');
      try {
        const databases = idleDatabases(dataDir);
        return await exportFolder({ dataDir, file, version, databases, onProgress, signal });
      } finally {
        await release();
      }
    },
    async import(dataDir, file, version, replaces, { onProgress, signal }) {
      requireUsable(dataDir);
      if (!replaces && hasData(dataDir)) {
        throw new AppError(
          'CONFLICT',
          `There is data in ${dataDir}. Name an empty folder with --data-dir, or add --replace, which sets that data aside.`,
        );
      }
      const { files, bytes } = await unpackExport({ dataDir, file, version, onProgress, signal });
      const release = await holdFolder(dataDir, 'it imports data');
      try {
        acceptImport(dataDir);
        return { files, bytes, aside: finishImport(dataDir) };
      } finally {
        await release();
      }
    },
    async remove({ dataDir }, { places }) {
      // First what needs the files: they have the names of the keys and the id of the containers.
      const keys = await removeKeys(dataDir, keychain);
      const containers = places.filter(({ kind, leaves }) => kind === 'containers' && leaves === null);
      const problem = await removeOwnContainers(dataDir).then(() => null, messageOf);
      const { removed, left } = await removeFiles(dataDir, places);
      const names = containers.flatMap((place) => place.names);
      return {
        removed: [...keys, ...(problem === null ? names.map((name) => `container ${name}`) : []), ...removed],
        left: [...(problem === null ? [] : [`containers: ${problem}`]), ...left],
      };
    },
  };
}
