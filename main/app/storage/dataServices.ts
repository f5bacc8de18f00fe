/** The services about everything that Hangar keeps: its places, the work on them, and the removal of all. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { Places } from '#contract/bridge/data/places.ts';
import { AppError, messageOf } from '#contract/core/errors.ts';
import type { Logger } from 'pino';
import type { EngineProcess } from '../engine/engineProcess.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Directory } from '../services/directory.ts';
import { idleDatabases, type DatabaseSource } from './archive/snapshots.ts';
import { createDataWorks, type DataHost, type DataWorks } from './dataWork.ts';
import { findPlaces } from './places/places.ts';

export interface DataServices {
  works: DataWorks;
  places(signal: AbortSignal): AsyncGenerator<Places, void, void>;
  /** Shows a place in the file manager. */
  open(path: string): Promise<void>;
  openWork(): Promise<string[]>;
  /** Removes keys and containers, then lets the host remove all files and end. */
  remove(force: boolean): Promise<void>;
}

export interface DataServicesOptions {
  dataDir: string;
  version: string;
  host: DataHost;
  engine: Pick<EngineProcess, 'task' | 'status'>;
  directory: Pick<Directory, 'compute'>;
  ledger: Pick<Ledger, 'snapshot'>;
  secrets: Pick<Secrets, 'state' | 'names' | 'delete'>;
  /** What the end of Hangar would interrupt, such as "2 jobs". */
  openWork: () => Promise<string[]>;
  logger: Logger;
  stopping: AbortSignal;
}

/** How long the page waits for the places that only the engine knows before it shows the others, in milliseconds. */
const ENGINE_MS = 2000;

/** The databases of a running Hangar; that of an engine which does not run is read as a file. */
function liveDatabases({ dataDir, engine, ledger }: DataServicesOptions): DatabaseSource {
  return {
    async engine(file) {
      if (!existsSync(join(dataDir, 'engine.db'))) return false;
      const { state } = engine.status;
      if (state === 'failed' || state === 'stopped') return idleDatabases(dataDir).engine(file);
      await engine.task({ name: 'snapshot', file });
      return true;
    },
    ledger: (file) => ledger.snapshot(file),
  };
}

export function createDataServices(options: DataServicesOptions): DataServices {
  const { dataDir, host, engine, directory, secrets, openWork, logger, stopping } = options;
  const containers = () => engine.task({ name: 'containers' });

  async function handlerFolders(): Promise<string[]> {
    try {
      const templates = await directory.compute(THIS_MACHINE).management.templates();
      return templates
        .filter(({ imageName }) => imageName.startsWith('file://'))
        .map(({ imageName }) => fileURLToPath(imageName));
    } catch (err) {
      logger.debug({ err }, 'the folders of handlers are unknown');
      return [];
    }
  }

  const places = (signal: AbortSignal, engineMs?: number): AsyncGenerator<Places, void, void> =>
    findPlaces(
      {
        dataDir,
        isDefault: host.isDefault,
        movedFrom: host.movedFrom,
        env: process.env,
        home: homedir(),
        containers: () => containers().catch(messageOf),
        handlerFolders,
      },
      signal,
      engineMs,
    );

  async function listPlaces(): Promise<Places> {
    for await (const first of places(stopping)) return first;
    throw new Error('there is always a first list');
  }

  async function remove(force: boolean): Promise<void> {
    const open = force ? [] : await openWork();
    if (open.length > 0) {
      throw new AppError('CONFLICT', `This would end ${open.join(', ')}. Nothing was removed.`);
    }
    const { places: all } = await listPlaces();
    // Keys first: without the files nobody knows their names.
    const { kind } = secrets.state();
    if (kind === 'keychain') for (const name of secrets.names()) await secrets.delete(name);
    await engine.task({ name: 'remove-containers' }).catch((err: unknown) => {
      logger.warn({ err }, 'containers could not be removed');
    });
    host.perform({ kind: 'remove', places: all });
  }

  return {
    works: createDataWorks({
      dataDir,
      version: options.version,
      host,
      databases: liveDatabases(options),
      containers,
      removeContainers: async () => void (await engine.task({ name: 'remove-containers' })),
      logger,
      stopping,
    }),
    places: (signal) => places(signal, ENGINE_MS),
    async open(path) {
      if (host.open === undefined) throw new AppError('UNSUPPORTED', 'Only the desktop program can show a folder.');
      const { places: all } = await listPlaces();
      const isPlace = path === dataDir || all.some((place) => place.isPath && place.path === path);
      if (!isPlace) throw new AppError('BAD_REQUEST', 'This is not a place where Hangar stores data.');
      await host.open(path);
    },
    openWork,
    remove,
  };
}
