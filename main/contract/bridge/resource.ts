/**
 * The page's procedures about templates, volumes with their files, and registry credentials; part of the bridge
 * contract.
 */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import {
  fileHolderSchema,
  fileSearchSchema,
  folderChangeSchema,
  grantedFolderSchema,
  unfinishedUploadSchema,
  volumeFileSchema,
  volumeListingSchema,
  volumePathSchema,
} from '../local/files.ts';
import { limits } from '../core/limits.ts';
import {
  registryAuthCreateSchema,
  templateCreateSchema,
  templateUpdateSchema,
  volumeCreateSchema,
  volumeUpdateSchema,
} from '../api/resources.ts';
import { lenientRegistryAuthSchema, lenientTemplateSchema, lenientVolumeSchema } from '../api/lenient.ts';

const useSchema = z.object({ kind: z.enum(['endpoint', 'pod', 'template']), id: z.string(), name: z.string() });
/** Something that refers to a resource, which therefore cannot be deleted. */
export type ResourceUse = z.infer<typeof useSchema>;
const usedBy = z.array(useSchema);

export const templateRowSchema = lenientTemplateSchema.extend({ usedBy });
export type TemplateRow = z.infer<typeof templateRowSchema>;
/** `folder`: its path on the machine of the account; null if the account does not report it. */
export const volumeRowSchema = lenientVolumeSchema.extend({ usedBy, folder: z.string().nullable() });
export type VolumeRow = z.infer<typeof volumeRowSchema>;
export const registryAuthRowSchema = lenientRegistryAuthSchema.extend({ usedBy });
export type RegistryAuthRow = z.infer<typeof registryAuthRowSchema>;

/** All resources in their current state, with their uses. */
export const resourcesNowSchema = z.object({
  templates: z.array(templateRowSchema),
  volumes: z.array(volumeRowSchema),
  registryAuths: z.array(registryAuthRowSchema),
  /** Why the uses by Pods are not known; null if they are. */
  podsProblem: z.string().nullable(),
  /** Whether the account gives access to the files in its volumes. */
  hasFiles: z.boolean(),
});
export type ResourcesNow = z.infer<typeof resourcesNowSchema>;

const accountRef = z.object({ accountId: z.string() });
const idRef = accountRef.extend({ id: z.string() });
const fileRef = accountRef.extend({ holder: fileHolderSchema, path: volumePathSchema });
const uploadRef = z.object({ uploadId: z.string() });
const place = z.int().min(0);
const progress = eventIterator(z.object({ doneBytes: place }));
const piece = z
  .instanceof(Blob)
  .refine(({ size }) => size <= limits.page.pieceBytes, `must have at most ${limits.page.pieceBytes} bytes`);

export const resourceContract = {
  now: oc.input(accountRef).output(resourcesNowSchema),
  createTemplate: oc.input(accountRef.extend({ template: templateCreateSchema })).output(z.object({ id: z.string() })),
  updateTemplate: oc.input(idRef.extend({ change: templateUpdateSchema })).output(z.void()),
  removeTemplate: oc.input(idRef).output(z.void()),
  createVolume: oc.input(accountRef.extend({ volume: volumeCreateSchema })).output(z.object({ id: z.string() })),
  updateVolume: oc.input(idRef.extend({ change: volumeUpdateSchema })).output(z.void()),
  /** Deletes the volume with all its content. */
  removeVolume: oc.input(idRef).output(z.void()),
  createRegistryAuth: oc
    .input(accountRef.extend({ credentials: registryAuthCreateSchema }))
    .output(z.object({ id: z.string() })),
  removeRegistryAuth: oc.input(idRef).output(z.void()),
};

/**
 * Files travel in pieces, one at a time in both directions: neither the page nor the app holds a whole file. NOT_FOUND
 * for accounts without files in their volumes. The files of this computer are those of the home folder, for each
 * page that may open a shell there. If SSH into a Pod needs an answer of the person first, the error has a
 * `question`.
 */
export const fileContract = {
  /** The home folder on the computer of Hangar; `problem`: why its files are not accessible, null if they are. */
  thisComputer: oc.output(z.object({ folder: z.string(), problem: z.string().nullable() })),
  list: oc.input(fileRef).output(volumeListingSchema),
  /**
   * Sends an event once the changes of the folder are followed, then after each change of its entries: list it again. Ends
   * when the folder is removed or replaced. Rejects with UNSUPPORTED where changes are not reported.
   */
  changes: oc.input(fileRef).output(eventIterator(folderChangeSchema)),
  /**
   * Searches a folder and all below it for names with a text, in any case, the nearest folders first. Rejects if the
   * folder itself cannot be read.
   */
  search: oc
    .input(fileRef.extend({ text: z.string().min(1).max(limits.volumeFiles.nameBytes) }))
    .output(eventIterator(fileSearchSchema)),
  makeFolder: oc.input(fileRef).output(z.void()),
  move: oc.input(fileRef.extend({ to: volumePathSchema })).output(z.void()),
  /** `onlyEmpty`: a folder that has something in it is refused. */
  remove: oc.input(fileRef.extend({ onlyEmpty: z.boolean().default(false) })).output(z.void()),
  /**
   * The bytes from `from` on: one full piece, or fewer at the end of the file. `sizeBytes`: the size of the file, for
   * the progress of its download.
   */
  read: oc.input(fileRef.extend({ from: place, sizeBytes: place })).output(z.object({ bytes: z.instanceof(Blob) })),
  /**
   * Begins an upload; its pieces follow from the first byte on. An upload into a Pod continues an interrupted one to
   * the same path. If that was another file, the upload is refused with `startsOver` in the error, unless `startsOver`
   * is true.
   */
  beginUpload: oc
    .input(
      fileRef.extend({
        sizeBytes: z.int().min(0).max(limits.volumeFiles.uploadBytes),
        /** The last change of the file, in milliseconds since the epoch. */
        modifiedAt: z.number(),
        replaces: z.boolean(),
        startsOver: z.boolean(),
      }),
    )
    .output(uploadRef),
  /** Answers after the other side has accepted the piece. */
  putPiece: oc.input(uploadRef.extend({ from: place, bytes: piece })).output(z.void()),
  /** Answers after the file is complete; before that the file is not visible. */
  endUpload: oc.input(uploadRef).output(z.void()),
  /**
   * Answers after the file is complete that the page sends in one request (`UPLOAD_PATH`) instead of pieces; rejects if
   * it cannot be written.
   */
  followUpload: oc.input(uploadRef).output(z.void()),
  /**
   * Fills the upload with another file, whose bytes do not pass the page, and says how far it is. Ends after the file
   * is complete; rejects if it cannot be read or written, with `sourceChanged` in the error if it became shorter than
   * `sizeBytes`. `cancelUpload` ends it; a page that leaves interrupts it.
   */
  fillUpload: oc.input(uploadRef.extend({ from: fileRef, sizeBytes: place })).output(progress),
  /**
   * As `fillUpload`, with a file of this computer that a person dropped or picked in the desktop window. The preload
   * script gets its grant. `path`: below a granted folder; '' for a granted file. Rejects with `sourceChanged` in the
   * error if the file no longer has this size and time of change.
   */
  fillFromGrant: oc
    .input(uploadRef.extend({ grantId: z.string(), path: z.string(), sizeBytes: place, modifiedAt: z.number() }))
    .output(progress),
  /** All files below a granted folder. Rejects with TOO_LARGE for too many. */
  grantedFolder: oc.input(z.object({ grantId: z.string() })).output(grantedFolderSchema),
  /**
   * Compares two files byte by byte, and says how far it is. Ends if they are equal, and `from` still has this size and
   * time of change of its list. Otherwise it rejects with `sourceChanged` in the error.
   */
  compare: oc
    .input(
      z.object({ from: fileRef, to: fileRef, ...volumeFileSchema.pick({ sizeBytes: true, modifiedAt: true }).shape }),
    )
    .output(progress),
  /** `keeps`: whether the upload may continue later, which only Pods support. */
  cancelUpload: oc.input(uploadRef.extend({ keeps: z.boolean() })).output(z.void()),
  /** Interrupted uploads that do not continue at the moment. Volumes have none. */
  unfinished: oc.input(fileRef.omit({ path: true })).output(z.array(unfinishedUploadSchema)),
  /** Removes the part that was already uploaded. */
  discardUpload: oc.input(fileRef).output(z.void()),
};
