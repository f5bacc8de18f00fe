/**
 * The format of an export: a gzipped tar. Its first entry is `manifest.json`, then come the files of the data folder,
 * and the last entry is `checksum.json` with the digest of all before it.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';

export const FORMAT = 'hangar-export';
/** Grows when an older Hangar could not read the file any more. */
export const FORMAT_VERSION = 1;
export const MANIFEST = 'manifest.json';
export const CHECKSUM = 'checksum.json';
/** The folder of all data in the archive. */
export const DATA = 'data/';
/** The two small entries. */
export const MOST_NOTE_BYTES = 1024 * 1024;

export const manifestSchema = z.looseObject({
  format: z.literal(FORMAT),
  version: z.int().min(1),
  /** The version of the Hangar that wrote it. */
  hangar: z.string(),
  /** RFC 3339. */
  createdAt: z.string(),
  /** The data folder that it was made of: paths in the data begin with it. */
  dataDir: z.string(),
  /** What it does not contain, as sentences. */
  leftOut: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const checksumSchema = z.object({ sha256: z.string(), files: z.int(), bytes: z.int() });
export type Checksum = z.infer<typeof checksumSchema>;

export interface EntryFacts {
  name: string;
  type: 'file' | 'directory' | 'symlink';
  mode: number;
  /** Zero for all but files. */
  size: number;
  /** The target of a link. */
  linkname: string;
}

/** The digest over names, permissions and contents, in the order of the archive. */
export function createDigest() {
  const hash = createHash('sha256');
  let [files, bytes] = [0, 0];
  return {
    entry({ name, type, mode, size, linkname }: EntryFacts): void {
      hash.update(`${JSON.stringify([name, type, mode, size, linkname])}\n`);
      if (type === 'file') files += 1;
    },
    content(piece: Uint8Array): void {
      hash.update(piece);
      bytes += piece.length;
    },
    result: (): Checksum => ({ sha256: hash.digest('hex'), files, bytes }),
  };
}

const numbersOf = (version: string): number[] => version.split(/[.+-]/).slice(0, 3).map(Number);

/** Whether a version such as 1.2.3 is newer than another. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [numbersOf(version), numbersOf(than)];
  for (const [index, number] of one.entries()) {
    const difference = number - (other[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** Throws CONFLICT if this Hangar cannot read the export, BAD_REQUEST if it is none. */
export function readManifest(text: string, file: string, version: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notAnExport(file);
  }
  const shape = z.looseObject({ format: z.literal(FORMAT), version: z.int(), hangar: z.string() }).safeParse(value);
  if (!shape.success) throw notAnExport(file);
  if (shape.data.version > FORMAT_VERSION || isNewer(shape.data.hangar, version)) {
    throw new AppError(
      'CONFLICT',
      `${file} was written by Hangar ${shape.data.hangar} (format ${shape.data.version}), which is newer than this ` +
        `Hangar ${version} (format ${FORMAT_VERSION}). Update Hangar, then import it. Nothing was changed.`,
    );
  }
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success) throw notAnExport(file);
  return parsed.data;
}

export const notAnExport = (file: string): AppError =>
  new AppError('BAD_REQUEST', `${file} is not a Hangar export. Nothing was changed.`);

export const damaged = (file: string, cause?: unknown): AppError =>
  new AppError('BAD_REQUEST', `${file} is damaged or not complete. Nothing was changed.`, { cause });
