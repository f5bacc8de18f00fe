/**
 * Every place where Hangar keeps something on this computer: the one list for the settings, the doctor, and the removal
 * of everything.
 */
import { existsSync, readdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { dirname, join, relative, isAbsolute } from 'node:path';
import type { Place, PlaceKind, Places } from '#contract/bridge/data/places.ts';
import type { OwnContainer } from '#contract/local/engine.ts';
import { MADE_BY_HANGAR } from '#contract/local/folder.ts';
import { readInstance } from '../../platform/instanceFile.ts';
import { openChoice } from '../../secrets/backendChoice.ts';
import { KEYCHAIN_SERVICE } from '../../secrets/keychain.ts';
import { kindOf } from '../contents.ts';
import { desktopPlaces } from './desktopPlaces.ts';
import { measure } from './measure.ts';

export interface PlacesOptions {
  dataDir: string;
  /** Whether it is the folder of the desktop program, too: a folder that a flag or variable names is not. */
  isDefault: boolean;
  /** Folders that name `dataDir` as the place that the data was moved to. */
  movedFrom: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** The containers of the data folder, or a sentence why they are unknown. Never rejects. */
  containers: () => Promise<OwnContainer[] | string>;
  /** The folders of handlers. Never rejects. */
  handlerFolders: () => Promise<string[]>;
}

const isInside = (path: string, folder: string): boolean => {
  const fromFolder = relative(folder, path);
  return !fromFolder.startsWith('..') && !isAbsolute(fromFolder);
};

const place = (kind: PlaceKind, path: string, more: Partial<Place> = {}): Place => ({
  kind,
  path,
  isPath: true,
  isInside: false,
  bytes: 0,
  files: 0,
  size: 'counting',
  names: [],
  leaves: null,
  ...more,
});

/** A place that has no size of its own. */
const sizeless = (kind: PlaceKind, path: string, more: Partial<Place> = {}): Place =>
  place(kind, path, { bytes: null, files: null, size: 'counted', isPath: false, ...more });

/** A place, and the paths whose sizes make its size. */
interface Measured {
  place: Place;
  paths: string[];
}

/** The entries of the data folder by kind. */
function inDataFolder(dataDir: string): Measured[] {
  const byKind = new Map<PlaceKind, Measured>();
  const names = existsSync(dataDir) ? readdirSync(dataDir).toSorted() : [];
  for (const name of names) {
    const kind = kindOf(name);
    const path = join(dataDir, name);
    const before = byKind.get(kind);
    if (before) before.paths.push(path);
    // Small files of many kinds are one place: the folder.
    else byKind.set(kind, { place: place(kind, kind === 'other' ? dataDir : path, { isInside: true }), paths: [path] });
  }
  return [...byKind.values()];
}

/** The entries of the keychain by their names, as its own program shows them. */
export function keychainNames(dataDir: string): string[] {
  const { kind, names, id } = openChoice(join(dataDir, 'secrets.json'));
  return kind === 'keychain' ? names.map((name) => `${name}@${id}`) : [];
}

function keychainPlaces(dataDir: string): Measured[] {
  const names = keychainNames(dataDir);
  if (names.length === 0) return [];
  const where = `keychain of the system, service ${KEYCHAIN_SERVICE}`;
  return [{ place: sizeless('keychain', where, { names }), paths: [] }];
}

async function containerPlaces(containers: PlacesOptions['containers']): Promise<Measured[]> {
  const own = await containers();
  if (typeof own === 'string') {
    return [{ place: sizeless('containers', own, { leaves: 'The container engine does not answer.' }), paths: [] }];
  }
  if (own.length === 0) return [];
  const bytes = own.reduce((sum, container) => sum + (container.bytes ?? 0), 0);
  const names = own.map(({ name, image }) => `${name} (${image})`);
  const where = 'Docker or Podman; their images stay until "docker image prune"';
  return [{ place: sizeless('containers', where, { bytes, names }), paths: [] }];
}

async function environmentPlaces({ dataDir, handlerFolders }: PlacesOptions): Promise<Measured[]> {
  const folders = [...new Set(await handlerFolders())].filter((folder) => !isInside(folder, dataDir));
  return folders
    .map((folder) => join(folder, '.venv'))
    .filter((environment) => existsSync(join(environment, MADE_BY_HANGAR)))
    .map((path) => ({ place: place('environment', path), paths: [path] }));
}

/** The socket of a running Hangar, where it does not lie in the data folder. */
function socketPlaces(dataDir: string): Measured[] {
  const socket = readInstance(dataDir)?.socket ?? null;
  if (socket === null || isInside(socket, dataDir)) return [];
  const isPipe = socket.startsWith('\\\\.\\pipe\\');
  return [{ place: sizeless('socket', isPipe ? socket : dirname(socket), { isPath: !isPipe }), paths: [] }];
}

/** The places that are known without the engine. */
function findOwn(options: PlacesOptions): Measured[] {
  const { dataDir, movedFrom } = options;
  const desktop = (options.isDefault ? desktopPlaces(options) : [])
    .filter(({ path }) => existsSync(path) && !isInside(path, dataDir))
    .map(({ kind, path }): Measured => ({ place: place(kind, path), paths: [path] }));
  const moved = movedFrom
    .filter((folder) => existsSync(folder))
    .map((folder): Measured => ({ place: place('moved', folder), paths: [folder] }));
  return [...inDataFolder(dataDir), ...keychainPlaces(dataDir), ...desktop, ...socketPlaces(dataDir), ...moved];
}

/** Writes the sizes into the places that have none yet. Yields after each step. */
async function* countSizes(measured: readonly Measured[], signal: AbortSignal): AsyncGenerator<void, void, void> {
  for (const { place: counted, paths } of measured) {
    if (counted.size !== 'counting') continue;
    let [bytes, files, isWhole] = [0, 0, true];
    for (const path of paths) {
      let last = { bytes: 0, files: 0, isWhole: true };
      for await (const amount of measure(path, signal)) {
        last = amount;
        Object.assign(counted, { bytes: bytes + amount.bytes, files: files + amount.files });
        yield;
      }
      bytes += last.bytes;
      files += last.files;
      isWhole &&= last.isWhole;
    }
    Object.assign(counted, { bytes, files, size: isWhole ? 'counted' : 'partial' });
  }
}

/** How often a long count is reported, milliseconds. */
const EVERY_MS = 300;

/**
 * Yields the list at once, then again while sizes are counted, and the final one, with `isDone`. `engineMs`: how long
 * the first list waits for what only the engine knows; a later one then has it. Without it, the first list has all
 * places.
 */
export async function* findPlaces(
  options: PlacesOptions,
  signal: AbortSignal,
  engineMs?: number,
): AsyncGenerator<Places, void, void> {
  const { dataDir } = options;
  const all = findOwn(options);
  const ofEngine = Promise.all([containerPlaces(options.containers), environmentPlaces(options)]).then((parts) =>
    parts.flat(),
  );
  const early = await (engineMs === undefined ? ofEngine : Promise.race([ofEngine, delay(engineMs, null)]));
  if (early !== null) all.push(...early);
  const disk = await statfs(existsSync(dataDir) ? dataDir : options.home).catch(() => null);
  const freeBytes = disk && disk.bavail * disk.bsize;
  const report = (isDone: boolean): Places => ({
    dataDir,
    freeBytes,
    isDone,
    places: all.map((one) => ({ ...one.place })),
  });
  let shownAt = performance.now();
  yield report(early !== null && all.every((one) => one.place.size !== 'counting'));
  async function* count(measured: readonly Measured[]): AsyncGenerator<Places, void, void> {
    for await (const _ of countSizes(measured, signal)) {
      if (performance.now() - shownAt < EVERY_MS) continue;
      shownAt = performance.now();
      yield report(false);
    }
  }
  yield* count(all);
  if (early === null) {
    yield report(false);
    const late = await ofEngine;
    all.push(...late);
    yield* count(late);
  }
  yield report(true);
}
