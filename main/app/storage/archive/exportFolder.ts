/** Writes everything in a data folder into one file, without keys. The folder may be in use. */
import { createReadStream, createWriteStream, existsSync, type Stats } from 'node:fs';
import { lstat, mkdtemp, open, readdir, readlink, rename, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack as createPack, type Pack } from 'tar-stream';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { errorCode } from '../../platform/systemError.ts';
import { isExported, LEFT_OUT } from '../contents.ts';
import { createProgress, type Progress } from '../progress.ts';
import {
  CHECKSUM,
  createDigest,
  DATA,
  FORMAT,
  FORMAT_VERSION,
  MANIFEST,
  type Checksum,
  type EntryFacts,
  type Manifest,
} from './format.ts';
import { cleanSnapshot, handlerFoldersOutside, type DatabaseSource } from './snapshots.ts';

export interface ExportOptions {
  dataDir: string;
  /** The new file. */
  file: string;
  /** The version of this Hangar. */
  version: string;
  databases: DatabaseSource;
  onProgress: (progress: Progress) => void;
  signal: AbortSignal;
}

export interface Exported extends Checksum {
  file: string;
  /** Size of the file. */
  fileBytes: number;
  /** What is not in it, as phrases: the folders of handlers outside the data folder, then what no export contains. */
  leftOut: readonly string[];
  /** Files that could not be read, with the reason. */
  unreadable: string[];
}

interface Source {
  /** Below `DATA` in the archive. */
  name: string;
  path: string;
}

/** All entries below the folder that belong into an export, parents first. */
async function* entriesOf(dataDir: string, signal: AbortSignal): AsyncGenerator<Source, void, void> {
  const names = (await readdir(dataDir)).filter(isExported).toSorted();
  const waiting = names.toReversed().map((name) => ({ name, path: join(dataDir, name) }));
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    signal.throwIfAborted();
    yield at;
    const facts = await lstat(at.path).catch(() => null);
    if (!facts?.isDirectory()) continue;
    const inside = await readdir(at.path).catch(() => []);
    for (const name of inside.toSorted().toReversed()) {
      waiting.push({ name: `${at.name}/${name}`, path: join(at.path, name) });
    }
  }
}

async function countBytes(dataDir: string, signal: AbortSignal): Promise<{ bytes: number; files: number }> {
  const total = { bytes: 0, files: 0 };
  for await (const { path } of entriesOf(dataDir, signal)) {
    const facts = await lstat(path).catch(() => null);
    if (!facts?.isFile()) continue;
    total.bytes += facts.size;
    total.files += 1;
  }
  return total;
}

/** An archive under way, with the digest of what is in it. */
function createArchive(pack: Pack, onBytes: (bytes: number, files: number) => void, signal: AbortSignal) {
  const digest = createDigest();
  const headerOf = (entry: EntryFacts, mtime: Date) => ({
    name: entry.name,
    type: entry.type,
    mode: entry.mode,
    size: entry.size,
    mtime,
    uid: 0,
    gid: 0,
    ...(entry.type === 'symlink' ? { linkname: entry.linkname } : {}),
  });
  const addNote = (name: string, value: unknown): void => {
    const text = `${JSON.stringify(value, null, 2)}\n`;
    pack.entry({ name, mode: 0o600, size: Buffer.byteLength(text) }, text);
  };

  /** Exactly `size` bytes: a log that grows meanwhile is cut, a file that shrinks is filled with zeros. */
  async function addFile(name: string, path: string, facts: Stats): Promise<void> {
    const handle = await open(path, 'r');
    const entry = { name, type: 'file' as const, mode: facts.mode & 0o777, size: facts.size, linkname: '' };
    digest.entry(entry);
    const sink = pack.entry(headerOf(entry, facts.mtime));
    async function* pieces(): AsyncGenerator<Buffer, void, void> {
      let left = facts.size;
      if (left > 0) {
        const content: AsyncIterable<Buffer> = createReadStream('', {
          fd: handle,
          autoClose: false,
          end: facts.size - 1,
          highWaterMark: 1 << 20,
        });
        for await (const piece of content) {
          signal.throwIfAborted();
          left -= piece.length;
          yield piece;
        }
      }
      for (; left > 0; left -= Math.min(left, 1 << 20)) yield Buffer.alloc(Math.min(left, 1 << 20));
    }
    async function* counted(): AsyncGenerator<Buffer, void, void> {
      for await (const piece of pieces()) {
        digest.content(piece);
        onBytes(piece.length, 0);
        yield piece;
      }
    }
    try {
      await pipeline(counted, sink);
      onBytes(0, 1);
    } finally {
      await handle.close();
    }
  }

  return {
    addNote,
    addFile,
    addOther(entry: EntryFacts, mtime: Date): void {
      digest.entry(entry);
      pack.entry(headerOf(entry, mtime)).end();
    },
    finish(): Checksum {
      const checksum = digest.result();
      addNote(CHECKSUM, checksum);
      pack.finalize();
      return checksum;
    },
  };
}

type Archive = ReturnType<typeof createArchive>;

/** A link with an absolute path into the data folder becomes a relative one. */
function portable(target: string, path: string, dataDir: string): string {
  if (!isAbsolute(target)) return target;
  const inside = relative(dataDir, target);
  return inside.startsWith('..') || isAbsolute(inside) ? target : relative(dirname(path), target);
}

async function addEntry(archive: Archive, { name, path }: Source, dataDir: string): Promise<void> {
  const facts = await lstat(path);
  const mode = facts.mode & 0o777;
  if (facts.isFile()) await archive.addFile(DATA + name, path, facts);
  else if (facts.isDirectory()) {
    archive.addOther({ name: `${DATA}${name}/`, type: 'directory', mode, size: 0, linkname: '' }, facts.mtime);
  } else if (facts.isSymbolicLink()) {
    const linkname = portable(await readlink(path), path, dataDir);
    archive.addOther({ name: DATA + name, type: 'symlink', mode, size: 0, linkname }, facts.mtime);
  }
}

function failed(file: string, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const code = errorCode(thrown);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('STORAGE_FULL', `The disk of ${file} is full. The export was not written.`, { cause: thrown });
  }
  return new AppError('INTERNAL', `The export failed: ${messageOf(thrown)}.`, { cause: thrown });
}

/** "2 folders of your own handlers: /home/me/a, /home/me/b"; null for none. */
function handlersLeftOut(folders: readonly string[]): string | null {
  if (folders.length === 0) return null;
  const count = folders.length === 1 ? 'the folder' : `${folders.length} folders`;
  return `${count} of your own handlers, to be copied separately: ${folders.join(', ')}`;
}

interface Filled {
  unreadable: string[];
  /** The folders of handlers that are not in the archive. */
  handlers: string[];
}

/** Fills the archive. Databases come as snapshots, last, so that every file that they name is there already. */
async function fill(archive: Archive, work: string, { dataDir, databases, signal }: ExportOptions): Promise<Filled> {
  const unreadable: string[] = [];
  let handlers: string[] = [];
  const snapshots: [name: string, file: string][] = [];
  // First the databases: a file that is removed after that belongs to a job that was removed.
  for (const name of ['engine', 'ledger'] as const) {
    const file = join(work, `${name}.db`);
    if (!(await databases[name](file))) continue;
    signal.throwIfAborted();
    await cleanSnapshot(file);
    if (name === 'engine') handlers = handlerFoldersOutside(dataDir, file);
    snapshots.push([`${name}.db`, file]);
  }
  for (const [name, file] of snapshots) await archive.addFile(DATA + name, file, await lstat(file));
  for await (const source of entriesOf(dataDir, signal)) {
    try {
      await addEntry(archive, source, dataDir);
    } catch (thrown) {
      const code = errorCode(thrown);
      if (code === 'EACCES' || code === 'EPERM') unreadable.push(`${source.path}: ${messageOf(thrown)}`);
      else if (code !== 'ENOENT') throw thrown;
    }
  }
  return { unreadable, handlers };
}

/** Rejects with CONFLICT if the file exists, NOT_FOUND without a folder for it, STORAGE_FULL on a full disk. */
export async function exportFolder(options: ExportOptions): Promise<Exported> {
  const { dataDir, version, signal } = options;
  const file = resolve(options.file);
  const folder = dirname(file);
  if (existsSync(file)) throw new AppError('CONFLICT', `${file} exists already. Name a new file.`);
  if (!existsSync(folder)) throw new AppError('NOT_FOUND', `There is no folder ${folder}.`);
  if (!existsSync(dataDir)) throw new AppError('NOT_FOUND', `There is no data folder at ${dataDir}.`);
  const inside = relative(dataDir, file);
  if (!inside.startsWith('..') && !isAbsolute(inside)) {
    throw new AppError('BAD_REQUEST', `${file} is inside the data folder. Name a file elsewhere.`);
  }
  const part = `${file}.part`;
  const progress = createProgress(options.onProgress);
  let work: string | null = null;
  const broken = new AbortController();
  try {
    work = await mkdtemp(join(folder, '.hangar-export-'));
    const { bytes, files } = await countBytes(dataDir, signal);
    Object.assign(progress.now, { totalBytes: bytes, totalFiles: files });
    const pack = createPack();
    const written = pipeline(
      pack,
      createGzip({ level: 1 }),
      createWriteStream(part, { mode: 0o600, flags: 'w', flush: true }),
      { signal: AbortSignal.any([signal, broken.signal]) },
    );
    // Its failure ends the filling, which reports it.
    written.catch((thrown: unknown) => pack.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))));
    const archive = createArchive(pack, progress.add, signal);
    const manifest: Manifest = {
      format: FORMAT,
      version: FORMAT_VERSION,
      hangar: version,
      createdAt: new Date().toISOString(),
      dataDir,
      leftOut: [...LEFT_OUT],
    };
    archive.addNote(MANIFEST, manifest);
    const filled = fill(archive, work, options).catch((thrown: unknown) => {
      broken.abort(thrown);
      throw thrown;
    });
    // The error of the file, such as a full disk, is the cause of all others.
    const { unreadable, handlers } = await Promise.race([filled, written.then(() => filled)]);
    const checksum = archive.finish();
    await written;
    await rename(part, file);
    progress.flush();
    const { size: fileBytes } = await lstat(file);
    const noHandlers = handlersLeftOut(handlers);
    const leftOut = noHandlers === null ? LEFT_OUT : [noHandlers, ...LEFT_OUT];
    return { file, fileBytes, leftOut, unreadable, ...checksum };
  } catch (thrown) {
    await rm(part, { force: true });
    throw signal.aborted ? signal.reason : failed(file, thrown);
  } finally {
    if (work !== null) await rm(work, { recursive: true, force: true });
  }
}
