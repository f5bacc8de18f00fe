/** Files of volumes: listed, read, written, moved and deleted, always below the folder of the volume. */
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { chmod, link, lstat, mkdir, open, opendir, rename, statfs, unlink } from 'node:fs/promises';
import { AppError } from '#contract/core/errors.ts';
import type { VolumeFile } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import type { OpenedFile, VolumeFiles } from '../../domain/resources/ports.ts';
import { beneath, holdFolder, isMissing, type Spot } from './resolveWithin.ts';
import { removeFolder } from './removeTree.ts';
import { fileFailure, isPart, namesOf, partName } from './pathRules.ts';

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL } = constants;
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
const PIECE_BYTES = 256 * 1024;
/** The number of entries that are read concurrently. */
const AT_ONCE = 64;

const kindOf = (facts: Stats): VolumeFile['kind'] =>
  facts.isDirectory() ? 'folder' : facts.isFile() ? 'file' : 'other';

const toFile = (name: string, facts: Stats): VolumeFile => ({
  name,
  kind: kindOf(facts),
  sizeBytes: facts.isFile() ? facts.size : 0,
  modifiedAt: facts.mtime.toISOString(),
});

const noSuch = (): Error => Object.assign(new Error('There is nothing there'), { code: 'ENOENT' });

/** Names of one kind, `limits.volumeFiles.entries` at most. */
function createNames(): { add(name: string): void; names: string[]; isCut(): boolean } {
  const names: string[] = [];
  let count = 0;
  return {
    names,
    add(name) {
      if (++count <= limits.volumeFiles.entries) names.push(name);
    },
    isCut: () => count > names.length,
  };
}

/** Gives what is at `from` the name `to`, and takes the place of nothing. */
async function place(from: string, to: string, isFile: boolean): Promise<void> {
  if (!isFile) return rename(from, to);
  try {
    // Fails where something has come meanwhile, which renaming would silently replace.
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT' || code === 'ENOSPC') throw error;
    // A disk without hard links.
    if (await lstat(to).catch(() => null)) throw Object.assign(new Error('It is there'), { code: 'EEXIST' });
    return rename(from, to);
  }
  await unlink(from);
}

export function createVolumeFiles(mask = 0o022): VolumeFiles {
  /** Parts that are being written now; others were left by an engine that was killed. */
  const writing = new Set<string>();

  /** Walks to `path`, and tells what fails there in words for a person. */
  async function at<T>(root: string, path: string, follow: boolean, use: (spot: Spot) => Promise<T>): Promise<T> {
    try {
      return await beneath(root, namesOf(path), follow, use);
    } catch (error) {
      throw fileFailure(error, path);
    }
  }

  /** As `at`, where the volume itself cannot be meant. */
  function below<T>(
    root: string,
    path: string,
    follow: boolean,
    use: (spot: Spot & { name: string }) => Promise<T>,
  ): Promise<T> {
    return at(root, path, follow, ({ name, ...spot }) => {
      if (path === '') {
        throw new AppError('BAD_REQUEST', 'The path names the volume itself; name a file or a folder in it.');
      }
      // Where a link has led back to it.
      if (name === null) throw Object.assign(new Error('It is a folder'), { code: 'EISDIR' });
      return use({ name, ...spot });
    });
  }

  /** An entry of a folder that is being listed; null where it has gone meanwhile. */
  async function inspect(root: string, path: string, spot: Spot, name: string): Promise<VolumeFile | null> {
    const facts = await lstat(`${spot.path}/${name}`).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    // What has no name in text cannot be asked for.
    if (facts === null) {
      return name.includes('\uFFFD') ? { ...toFile(name, spot.facts!), kind: 'other', sizeBytes: 0 } : null;
    }
    if (!facts.isSymbolicLink()) return toFile(name, facts);
    const other = toFile(name, facts);
    return beneath(root, [...namesOf(path), name], true, async ({ facts: led }) =>
      led ? toFile(name, led) : other,
    ).catch(() => other);
  }

  async function list(root: string, path: string, spot: Spot) {
    const folders = createNames();
    const files = createNames();
    for await (const entry of await opendir(spot.path, { bufferSize: 1024 })) {
      if (!isPart(entry.name)) (entry.isDirectory() ? folders : files).add(entry.name);
      else if (!writing.has(entry.name)) await unlink(`${spot.path}/${entry.name}`).catch(() => undefined);
    }
    const { entries: most } = limits.volumeFiles;
    const sorted = (names: string[]): string[] => names.sort((one, other) => (one < other ? -1 : 1));
    const names = [...sorted(folders.names), ...sorted(files.names)];
    const truncated = folders.isCut() || files.isCut() || names.length > most;
    const entries: VolumeFile[] = [];
    for (let from = 0; from < Math.min(names.length, most); from += AT_ONCE) {
      const some = names.slice(from, Math.min(from + AT_ONCE, most));
      const inspected = await Promise.all(some.map((name) => inspect(root, path, spot, name)));
      entries.push(...inspected.filter((entry) => entry !== null));
    }
    // A link to a folder is one as well.
    const isFolder = ({ kind }: VolumeFile): boolean => kind === 'folder';
    const first = entries.filter(isFolder).sort((one, other) => (one.name < other.name ? -1 : 1));
    return { path, entries: [...first, ...entries.filter((entry) => !isFolder(entry))], truncated };
  }

  async function openFile(path: string, { facts, path: place }: Spot): Promise<OpenedFile> {
    if (facts === null) throw noSuch();
    const notOne = new AppError('BAD_REQUEST', `${JSON.stringify(path)} is no file that could be read.`);
    if (!facts.isFile()) throw notOne;
    const handle = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const close = (): Promise<void> => handle.close();
    try {
      const now = await handle.stat();
      // Somebody has put something else there since.
      if (!now.isFile()) throw notOne;
      return {
        sizeBytes: now.size,
        modifiedAt: now.mtimeMs,
        async *read(start, end) {
          for (let from = start; from < end;) {
            const length = Math.min(PIECE_BYTES, end - from);
            const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, from);
            if (bytesRead === 0) throw new Error('The file has become shorter while it was read.');
            from += bytesRead;
            yield buffer.subarray(0, bytesRead);
          }
        },
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  }

  async function* counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const most = limits.volumeFiles.uploadBytes;
    let bytes = 0;
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes > most)
        throw new AppError('TOO_LARGE', `The file is too large: at most ${most} bytes are taken at once.`);
      yield piece;
    }
  }

  async function write(
    { folder, name, facts, path: target }: Spot & { name: string },
    body: AsyncIterable<Uint8Array>,
    mayReplace: boolean,
  ): Promise<VolumeFile> {
    const part = partName(randomBytes(8).toString('hex'));
    const partPath = `${folder.path}/${part}`;
    writing.add(part);
    try {
      const mode = facts === null ? 0o666 & ~mask : facts.mode & 0o777;
      const handle = await open(partPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
      try {
        // What the engine makes for itself is for its owner only.
        await handle.chmod(mode);
        await handle.writeFile(counted(body));
        await handle.sync();
      } finally {
        await handle.close();
      }
      if (mayReplace) await rename(partPath, target);
      else await place(partPath, target, true);
      await folder.sync();
      return toFile(name, await lstat(target));
    } catch (error) {
      await unlink(partPath).catch(() => undefined);
      throw error;
    } finally {
      writing.delete(part);
    }
  }

  return {
    list: (root, path) =>
      at(root, path, true, async (spot) => {
        if (spot.facts === null) throw noSuch();
        if (spot.name === null) return list(root, path, spot);
        const folder = await holdFolder(spot.path);
        try {
          return await list(root, path, { ...spot, folder, path: folder.path });
        } finally {
          await folder.close();
        }
      }),

    open: (root, path) => below(root, path, true, (spot) => openFile(path, spot)),

    write: (root, path, body, { mayReplace, lengthBytes }) =>
      below(root, path, true, async (spot) => {
        const { facts } = spot;
        if (facts !== null && !mayReplace) throw Object.assign(new Error('It is there'), { code: 'EEXIST' });
        if (facts !== null && !facts.isFile()) {
          throw new AppError('CONFLICT', `${JSON.stringify(path)} is no file, and cannot be replaced by one.`);
        }
        const { bavail, bsize } = await statfs(spot.folder.path);
        const full = lengthBytes !== null && lengthBytes > bavail * bsize;
        if (full) throw Object.assign(new Error('There is no room for that'), { code: 'ENOSPC' });
        return write(spot, body, mayReplace);
      }),

    remove: (root, path) =>
      below(root, path, false, async ({ facts, path: there }) => {
        if (facts === null) throw noSuch();
        await (facts.isDirectory() ? removeFolder(there) : unlink(there));
      }),

    makeFolder: (root, path) =>
      below(root, path, false, async ({ folder, name, path: there }) => {
        await mkdir(there);
        await chmod(there, 0o777 & ~mask);
        await folder.sync();
        return toFile(name, await lstat(there));
      }),

    move: (root, from, to) =>
      below(root, from, false, (source) => {
        if (source.facts === null) throw noSuch();
        const isFile = source.facts.isFile();
        return below(root, to, false, async (target) => {
          if (target.facts !== null) throw Object.assign(new Error('It is there'), { code: 'EEXIST' });
          await place(source.path, target.path, isFile);
          await Promise.all([source.folder.sync(), target.folder.sync()]);
          return toFile(target.name, await lstat(target.path));
        });
      }),
  };
}
