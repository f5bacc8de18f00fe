/** Splits the paths of requests into names, and explains errors of the file system to a person. */
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import { systemCode } from '#contract/core/systemCode.ts';
import { limits } from '#contract/core/limits.ts';

/** The name of a temporary part for a file that is being written. Requests must not use such names. */
const PART = /^\.hangar-part-[0-9a-f]{16}$/;

export const isPart = (name: string): boolean => PART.test(name);
export const partName = (random: string): string => `.hangar-part-${random}`;

const shown = (path: string): string => JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);

function refuse(path: string, reason: string): never {
  throw new AppError('BAD_REQUEST', `The path ${shown(path)} ${reason}`);
}

/** Names that Windows treats as devices, drives or streams, or shortens. */
const UNFIT_FOR_WINDOWS = /[\\:*?"<>|\p{Cc}]|[ .]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;

/** How errors name the folder that holds the files, and the user who reads and writes them. */
export interface FileWords {
  /** Such as "the volume". */
  readonly holder: string;
  /** The beginning of a sentence, such as "The engine's user". */
  readonly user: string;
}

export const VOLUME_WORDS: FileWords = { holder: 'the volume', user: "The engine's user" };

/** The names of a path in a volume; empty for the volume itself. Throws BAD_REQUEST for a path that could lead outside. */
export function namesOf(path: string, platform: NodeJS.Platform = process.platform): string[] {
  const { nameBytes, depth } = limits.volumeFiles;
  if (path === '') return [];
  if (path.includes('\0') || !path.isWellFormed()) refuse(path, 'holds a character that no name can have.');
  if (path.startsWith('/')) refuse(path, 'begins with "/": write it without that, such as "models/a.bin".');
  const names = path.split('/');
  if (names.includes('')) refuse(path, 'has an empty name in it: take out the "/" that is too many.');
  if (names.includes('.') || names.includes('..')) refuse(path, 'holds "." or "..": name the folders themselves.');
  const long = names.find((name) => Buffer.byteLength(name) > nameBytes);
  if (long !== undefined)
    refuse(path, `has a name of ${Buffer.byteLength(long)} bytes; at most ${nameBytes} are possible.`);
  if (names.length > depth) refuse(path, `is ${names.length} folders deep; at most ${depth} are reached.`);
  if (names.some(isPart))
    refuse(path, 'has a name that Hangar keeps for files that are being written. Choose another.');
  if (platform === 'win32' && names.some((name) => UNFIT_FOR_WINDOWS.test(name))) {
    refuse(path, 'has a name that Windows does not take. Choose another.');
  }
  return names;
}

/** The meaning of each error code of the file system. */
const meanings: Record<string, [ErrorCode, (path: string, words: FileWords) => string]> = {
  ENOENT: ['NOT_FOUND', (path, { holder }) => `There is no ${path} in ${holder}.`],
  EOUTSIDE: [
    'BAD_REQUEST',
    (path, { holder }) => `${path} goes through a link that leads out of ${holder}; it is not opened.`,
  ],
  ENOTDIR: ['BAD_REQUEST', (path) => `${path} goes through something that is not a folder.`],
  EISDIR: ['BAD_REQUEST', (path) => `${path} is a folder.`],
  EEXIST: ['CONFLICT', (path) => `There is a ${path} already. Choose another name, or delete that one first.`],
  ENOTEMPTY: ['CONFLICT', (path) => `${path} is being written to. Try again when nothing writes there any more.`],
  EBUSY: ['CONFLICT', (path) => `${path} is in use. Try again later.`],
  EINVAL: ['BAD_REQUEST', (path) => `${path} cannot be moved there: a folder does not go into itself.`],
  EXDEV: ['BAD_REQUEST', (path) => `${path} cannot be moved there: that is another disk.`],
  ELOOP: ['BAD_REQUEST', (path) => `${path} goes through a link that is not followed.`],
  ENAMETOOLONG: ['BAD_REQUEST', (path) => `${path} is too long for this disk. Choose a shorter name.`],
  EACCES: [
    'FORBIDDEN',
    (path, { user }) => `${user} may not touch ${path}: it belongs to another user of this machine.`,
  ],
  EPERM: [
    'FORBIDDEN',
    (path, { user }) => `${user} may not change ${path}: it belongs to another user of this machine.`,
  ],
  EROFS: ['FORBIDDEN', (path) => `${path} lies on a disk that nothing can be written to.`],
  ENOSPC: ['STORAGE_FULL', (path) => `The disk is full: ${path} was not written. Make room, then try again.`],
  EDQUOT: [
    'STORAGE_FULL',
    (path) => `The disk's quota is used up: ${path} was not written. Make room, then try again.`,
  ],
  EFBIG: ['TOO_LARGE', (path) => `${path} is larger than a file on this disk can be.`],
  EMFILE: ['UNAVAILABLE', (path) => `Too many files are open to touch ${path}. Try again later.`],
};

/** Creates an error like those of the file system; `fileFailure` explains it. `code`: such as `ENOENT`. */
export const fileError = (code: keyof typeof meanings, message: string): Error =>
  Object.assign(new Error(message), { code });

/** Converts a failure to an AppError about `path`. */
export function fileFailure(thrown: unknown, path: string, words: FileWords = VOLUME_WORDS): unknown {
  const meaning = meanings[systemCode(thrown) ?? ''];
  if (thrown instanceof AppError || meaning === undefined) return thrown;
  const [code, text] = meaning;
  const what = path === '' ? words.holder : shown(path);
  if (path === '' && code === 'NOT_FOUND') {
    return new AppError(code, `Nothing is where ${what} was: it was moved or deleted.`, { cause: thrown });
  }
  return new AppError(code, text(what, words), { cause: thrown });
}
