/** What the scripts of this folder answer: their records of files, and their failures in words for a person. */
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import type { VolumeFile } from '#contract/local/files.ts';
import { CODES } from './scripts.ts';

const TYPE_MASK = 0xf000;
const FOLDER = 0x4000;
const FILE = 0x8000;
const LINK = 0xa000;
const MS_PER_S = 1000;

/** The facts of an entry, as `stat` prints them. */
export interface Facts {
  mode: number;
  sizeBytes: number;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
}

const factsOf = (mode = '', bytes = '', seconds = ''): Facts => ({
  mode: Number.parseInt(mode, 16),
  sizeBytes: Number(bytes),
  modifiedAt: Number(seconds) * MS_PER_S,
});

/** The facts that a script has printed in one line. Throws UPSTREAM for anything else. */
export function readFacts(output: Buffer): Facts {
  const [, mode, bytes, seconds] = /^([\da-f]+) (\d+) (-?\d+)\n$/.exec(output.toString()) ?? [];
  if (mode === undefined)
    throw new AppError('UPSTREAM', 'The program stat of the container gave an answer that Hangar does not know.');
  return factsOf(mode, bytes, seconds);
}

const isLink = ({ mode }: Facts): boolean => (mode & TYPE_MASK) === LINK;

export function toFile(name: string, facts: Facts): VolumeFile {
  const type = facts.mode & TYPE_MASK;
  const kind = type === FOLDER ? 'folder' : type === FILE ? 'file' : 'other';
  const sizeBytes = kind === 'file' ? facts.sizeBytes : 0;
  return { name, kind, sizeBytes, modifiedAt: new Date(facts.modifiedAt).toISOString() };
}

/** A name that is not valid text is listed, but no request can use it. */
const listed = (name: string, facts: Facts): VolumeFile =>
  name.includes('\uFFFD') ? { ...toFile(name, facts), kind: 'other', sizeBytes: 0 } : toFile(name, facts);

/** The entries of a folder in the order of the script, and whether there are more of them. */
export function readListing(output: Buffer): { entries: VolumeFile[]; truncated: boolean } {
  const entries = new Map<string, VolumeFile>();
  let truncated = false;
  for (const record of output.toString().split('/\n')) {
    if (record === 'M') truncated = true;
    // A name may have line breaks.
    const [, which, mode, bytes, seconds, name] = /^([LT]) ([\da-f]+) (\d+) (-?\d+) \.\/([^]+)$/.exec(record) ?? [];
    if (name === undefined) continue;
    const facts = factsOf(mode, bytes, seconds);
    if (which === 'L') entries.set(name, { ...listed(name, facts), ...(isLink(facts) && { isLink: true }) });
    // A link gets the facts of its target. The branch above already has a link without a target.
    else if (entries.get(name)?.isLink) entries.set(name, { ...listed(name, facts), isLink: true });
  }
  return { entries: [...entries.values()], truncated };
}

const shown = (path: string): string => JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);

const meanings: Readonly<Record<number, [ErrorCode, (path: string) => string]>> = {
  [CODES.missing]: ['NOT_FOUND', (path) => `There is no ${path} in the container.`],
  [CODES.noFolder]: ['BAD_REQUEST', (path) => `${path} is not a folder.`],
  [CODES.noParent]: ['NOT_FOUND', (path) => `There is no folder for ${path} in the container. Make it first.`],
  [CODES.exists]: ['CONFLICT', (path) => `${path} already exists. Choose another name, or delete that one first.`],
  [CODES.isFolder]: ['CONFLICT', (path) => `${path} is a folder, not a file.`],
  [CODES.noFile]: ['BAD_REQUEST', (path) => `${path} is not a file that can be read or written.`],
  [CODES.forbidden]: ['FORBIDDEN', (path) => `The user of the container may not read ${path}.`],
  [CODES.notEmpty]: ['CONFLICT', (path) => `${path} is not empty, or may not be deleted.`],
  [CODES.holdsMount]: [
    'CONFLICT',
    (path) =>
      `${path} was not deleted: a volume or another mount is in it, and its files would be deleted too. Delete the other entries one by one.`,
  ],
  [CODES.incomplete]: ['UNAVAILABLE', (path) => `Only a part of ${path} reached the container. Send it again.`],
  [CODES.noStat]: [
    'BAD_REQUEST',
    () => 'The image of the Pod has no program stat, so the files in its container cannot be listed. Use a terminal.',
  ],
};

/** The failure of a script, for a person. `errors`: what it wrote to standard error. */
export function failureOf(code: number | null, errors: string, path: string): AppError {
  if (code === null) {
    return new AppError('UNAVAILABLE', 'The container or its container engine ended in the meantime. Try again.');
  }
  const meaning = meanings[code];
  if (meaning) return new AppError(meaning[0], meaning[1](shown(path)));
  if (/no space left|quota exceeded/i.test(errors)) {
    return new AppError('STORAGE_FULL', `The disk is full: ${shown(path)} was not written. Make room, then try again.`);
  }
  const last = errors.split('\n').at(-1) ?? '';
  if (/permission denied|operation not permitted|read-only/i.test(errors)) {
    return new AppError('FORBIDDEN', `The user of the container may not change ${shown(path)}: ${last}.`);
  }
  if (/name too long/i.test(errors)) {
    return new AppError('BAD_REQUEST', `${shown(path)} is too long for this disk. Choose a shorter name.`);
  }
  return new AppError('UPSTREAM', `The container could not do that to ${shown(path)}: ${last || `exit code ${code}`}.`);
}
