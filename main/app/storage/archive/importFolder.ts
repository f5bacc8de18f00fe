/**
 * Brings the content of an export into a data folder. It is unpacked beside the data first, so that a fault or a crash
 * changes nothing; then entries change their places, which a later start completes if it was cut off.
 *
 * `importing/` in the data folder holds what is unpacked. `importing/place.json` says that it is complete: `aside`
 * while the present data is set aside, `in` while the new data takes its place.
 */
import { createWriteStream, existsSync, readdirSync, renameSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { chmod, lstat, mkdir, rm, statfs, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { expectCode } from '#contract/core/systemCode.ts';
import { readJsonFile } from '../../platform/jsonFile.ts';
import { errorCode } from '../../platform/systemError.ts';
import { IMPORTING, isDatabase, isExported, kindOf, staysBehind } from '../contents.ts';
import { writeRelocated } from '../move/journal.ts';
import { createProgress, type Progress } from '../progress.ts';
import type { EntryFacts, Manifest } from './format.ts';
import { readExport } from './readExport.ts';

export interface ImportOptions {
  file: string;
  dataDir: string;
  /** The version of this Hangar. */
  version: string;
  onProgress: (progress: Progress) => void;
  signal: AbortSignal;
}

export interface Unpacked {
  manifest: Manifest;
  files: number;
  bytes: number;
}

const PLACE = 'place.json';
const MARGIN_BYTES = 64 * 1024 * 1024;
/** Files of containers, whose programs run as other users. */
const FOR_CONTAINERS = /^(volumes|pods)\//;

const placeSchema = z.object({ step: z.enum(['aside', 'in']), aside: z.string() });

/** Whether the folder holds data, besides what belongs to the place itself. */
export function hasData(dataDir: string): boolean {
  if (!existsSync(dataDir)) return false;
  return readdirSync(dataDir).some((name) => name !== 'lost+found' && !staysBehind(name) && kindOf(name) !== 'logs');
}

const modeOf = ({ name, type, mode }: EntryFacts): number => {
  if (FOR_CONTAINERS.test(name)) return type === 'directory' ? mode | 0o700 : mode;
  // Nobody but the owner; what was a program stays one.
  return type === 'directory' ? 0o700 : mode & 0o700;
};

/** Writes the entries of an export. Links come last, so that no entry is written through one. */
function createUnpacking(folder: string) {
  const links: EntryFacts[] = [];
  async function take(entry: EntryFacts, content: AsyncIterable<Buffer>): Promise<void> {
    const [top = ''] = entry.name.split('/');
    if (!isExported(top) && !isDatabase(top))
      throw new AppError('BAD_REQUEST', `The export has an entry ${top} that it may not have.`);
    const path = join(folder, entry.name);
    if (entry.type === 'symlink') {
      links.push(entry);
      for await (const piece of content) void piece;
      return;
    }
    if (entry.type === 'directory') {
      await mkdir(path, { recursive: true, mode: 0o700 });
      for await (const piece of content) void piece;
      modes.push([path, modeOf(entry)]);
      return;
    }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: modeOf(entry), flush: true }));
    // The umask of Hangar takes the permissions of other users, which files of containers keep.
    if (FOR_CONTAINERS.test(entry.name)) modes.push([path, modeOf(entry)]);
  }
  const modes: [path: string, mode: number][] = [];
  async function finish(): Promise<void> {
    for (const { name, linkname } of links) {
      await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
      await symlink(linkname, join(folder, name));
    }
    // Children before their folders.
    for (const [path, mode] of modes.toReversed()) await chmod(path, mode);
  }
  return { take, finish };
}

function failed(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown;
  const code = errorCode(thrown);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('STORAGE_FULL', 'The disk of the data folder is full. Nothing was changed.', { cause: thrown });
  }
  return new AppError('INTERNAL', `The import failed: ${messageOf(thrown)}. Nothing was changed.`, { cause: thrown });
}

async function requireRoom(dataDir: string, wantedBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize >= wantedBytes + MARGIN_BYTES) return;
  throw new AppError(
    'STORAGE_FULL',
    `There is not enough room at ${dataDir}: ${wantedBytes + MARGIN_BYTES} bytes are needed, ${bavail * bsize} are free. ` +
      'Nothing was changed.',
  );
}

/**
 * Checks the whole export, and unpacks it beside the data, which may be in use. Rejects as `readExport` does, and with
 * STORAGE_FULL; nothing has changed then.
 */
export async function unpackExport(options: ImportOptions): Promise<Unpacked> {
  const { dataDir, version, signal } = options;
  const file = resolve(options.file);
  const folder = join(dataDir, IMPORTING);
  const size = (await lstat(file).catch(() => null))?.size ?? 0;
  const progress = createProgress(options.onProgress);
  // The file is read twice: first to check it, then to unpack it.
  progress.now.totalBytes = 2 * size;
  const onBytes = (bytes: number): void => progress.add(bytes, 0);
  async function drop(_entry: EntryFacts, content: AsyncIterable<Buffer>): Promise<void> {
    for await (const piece of content) void piece;
  }
  const { manifest, checksum } = await readExport({ file, version, onEntry: drop, onBytes, signal });
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await rm(folder, { recursive: true, force: true });
    await requireRoom(dataDir, checksum.bytes);
    await mkdir(folder, { mode: 0o700 });
    const unpacking = createUnpacking(folder);
    await readExport({ file, version, onEntry: unpacking.take, onBytes, signal });
    await unpacking.finish();
    await writeRelocated(folder, [manifest.dataDir]);
    progress.flush();
    return { manifest, files: checksum.files, bytes: checksum.bytes };
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    throw signal.aborted ? signal.reason : failed(thrown);
  }
}

/** Removes what was unpacked and is not wanted any more. */
export const dropUnpacked = (dataDir: string): Promise<void> =>
  rm(join(dataDir, IMPORTING), { recursive: true, force: true });

/** Present data that the export replaces. Keys and what belongs to this computer stay. */
const isReplaced = (name: string): boolean =>
  isDatabase(name) ||
  isExported(name) ||
  name === 'backups' ||
  /\.(damaged|suspect)/.test(name) ||
  name === 'recovering';

/** Says that the unpacked data is to take its place, at once or by the next start. */
export function acceptImport(dataDir: string): void {
  const aside = `before-import-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  writePlace(dataDir, { step: 'aside', aside });
}

function writePlace(dataDir: string, place: z.infer<typeof placeSchema>): void {
  const file = join(dataDir, IMPORTING, PLACE);
  writeFileSync(`${file}.part`, JSON.stringify(place), { mode: 0o600, flush: true });
  renameSync(`${file}.part`, file);
}

/** Browsers that are paired with this Hangar stay so: an export has none. */
function keepSessions(before: string, after: string): void {
  if (!existsSync(before) || !existsSync(after)) return;
  const [from, to] = [new DatabaseSync(before), new DatabaseSync(after)];
  try {
    const row = from.prepare("SELECT value FROM meta WHERE key = 'sessions'").get();
    if (row) to.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('sessions', ?)").run(String(row['value']));
  } catch (error) {
    expectCode(error, 'ERR_SQLITE_ERROR');
    // A damaged or very old ledger: the browsers have to be paired again.
  } finally {
    from.close();
    to.close();
  }
}

/**
 * Lets the unpacked data take its place, if `acceptImport` said so; the data before lies in a folder then, whose path
 * is returned. Null if nothing was to do, or if there was no data before. Nothing may use the folder.
 */
export function finishImport(dataDir: string): string | null {
  const folder = join(dataDir, IMPORTING);
  const place = readJsonFile(join(folder, PLACE), placeSchema);
  // There is no import, or it was cut off before its end.
  if (place === null) return null;
  const aside = join(dataDir, place.aside);
  if (place.step === 'aside') {
    for (const name of readdirSync(dataDir).filter((one) => one !== place.aside && isReplaced(one))) {
      mkdirSync(aside, { recursive: true, mode: 0o700 });
      renameSync(join(dataDir, name), join(aside, name));
    }
    keepSessions(join(aside, 'ledger.db'), join(folder, 'ledger.db'));
    writePlace(dataDir, { ...place, step: 'in' });
  }
  for (const name of readdirSync(folder)) {
    if (name !== PLACE) renameSync(join(folder, name), join(dataDir, name));
  }
  rmSync(folder, { recursive: true, force: true });
  return existsSync(aside) ? aside : null;
}
