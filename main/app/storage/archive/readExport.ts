/** Reads an export entry by entry, and checks its format and its checksum. */
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { extract as createExtract, type Entry } from 'tar-stream';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { errorCode } from '../../platform/systemError.ts';
import {
  CHECKSUM,
  checksumSchema,
  createDigest,
  damaged,
  DATA,
  MANIFEST,
  MOST_NOTE_BYTES,
  notAnExport,
  readManifest,
  type Checksum,
  type EntryFacts,
  type Manifest,
} from './format.ts';

export interface ReadOptions {
  file: string;
  /** The version of this Hangar. */
  version: string;
  /** Takes one entry; its name is below the data folder. It must read `content` to its end. */
  onEntry: (entry: EntryFacts, content: AsyncIterable<Buffer>) => Promise<void>;
  /** Bytes of the file that were read. */
  onBytes: (bytes: number) => void;
  signal: AbortSignal;
}

export interface ReadExport {
  manifest: Manifest;
  checksum: Checksum;
}

async function textOf(entry: Entry, file: string): Promise<string> {
  if ((entry.header.size ?? 0) > MOST_NOTE_BYTES) throw notAnExport(file);
  return (await buffer(entry)).toString('utf8');
}

const typeOf = (type: string | null | undefined): EntryFacts['type'] | null =>
  type === 'file' || type === 'directory' || type === 'symlink' ? type : null;

/** Throws BAD_REQUEST for a name that leads out of the data folder, or is no name of an export. */
function factsOf({ header }: Entry, file: string): EntryFacts {
  const type = typeOf(header.type);
  const parts = header.name.replace(/\/$/, '').split('/');
  const isInside = header.name.startsWith(DATA) && parts.length > 1;
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part));
  if (type === null || !isInside || !isPlain) throw notAnExport(file);
  const { name, mode = 0o600, size = 0, linkname } = header;
  return { name, type, mode, size: type === 'file' ? size : 0, linkname: type === 'symlink' ? (linkname ?? '') : '' };
}

/**
 * Reads the whole export. Rejects with BAD_REQUEST if it is none or is damaged, with CONFLICT if it is of a newer
 * Hangar, with NOT_FOUND if there is no such file. A rejection of `onEntry` is passed on.
 */
export async function readExport({ file, version, onEntry, onBytes, signal }: ReadOptions): Promise<ReadExport> {
  const facts = await lstat(file).catch(() => null);
  if (!facts?.isFile()) throw new AppError('NOT_FOUND', `There is no file ${file}.`);
  const raw = createReadStream(file, { highWaterMark: 1 << 20 });
  raw.on('data', (piece) => onBytes(piece.length));
  const gunzip = createGunzip();
  const extract = createExtract();
  let broken: unknown = null;
  const spoil = (thrown: Error): void => {
    broken ??= thrown;
    extract.destroy(thrown);
  };
  raw.on('error', spoil);
  gunzip.on('error', spoil);
  raw.pipe(gunzip).pipe(extract);
  const digest = createDigest();
  let manifest: Manifest | null = null;
  let checksum: Checksum | null = null;
  try {
    for await (const entry of extract) {
      signal.throwIfAborted();
      // Nothing may follow the checksum, and nothing comes before the manifest.
      if (checksum !== null) throw damaged(file);
      if (manifest === null) {
        if (entry.header.name !== MANIFEST) throw notAnExport(file);
        manifest = readManifest(await textOf(entry, file), file, version);
        continue;
      }
      if (entry.header.name === CHECKSUM) {
        checksum = checksumSchema.parse(JSON.parse(await textOf(entry, file)));
        continue;
      }
      const one = factsOf(entry, file);
      digest.entry(one);
      const pieces: AsyncIterable<Buffer> = entry;
      async function* content(): AsyncGenerator<Buffer, void, void> {
        for await (const piece of pieces) {
          digest.content(piece);
          yield piece;
        }
      }
      await onEntry({ ...one, name: one.name.slice(DATA.length).replace(/\/$/, '') }, content());
    }
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    if (thrown instanceof AppError) throw thrown;
    const code = errorCode(broken ?? thrown);
    if (manifest === null && (code?.startsWith('Z_') ?? /tar/i.test(messageOf(thrown)))) throw notAnExport(file);
    if (broken !== null || code === null || code.startsWith('Z_')) throw damaged(file, broken ?? thrown);
    throw thrown;
  } finally {
    raw.destroy();
    gunzip.destroy();
  }
  if (manifest === null) throw notAnExport(file);
  if (checksum === null || JSON.stringify(digest.result()) !== JSON.stringify(checksum)) throw damaged(file);
  return { manifest, checksum };
}
