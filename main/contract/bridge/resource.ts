/** The page's procedures about templates, volumes with their files, and registry credentials; part of the bridge contract. */
import { oc } from '@orpc/contract';
import * as z from 'zod';
import { fileHolderSchema, unfinishedUploadSchema, volumeListingSchema, volumePathSchema } from '../local/files.ts';
import { limits } from '../core/limits.ts';
import {
  registryAuthCreateSchema,
  templateCreateSchema,
  templateUpdateSchema,
  volumeCreateSchema,
  volumeUpdateSchema,
} from '../api/resources.ts';
import { toldRegistryAuthSchema, toldTemplateSchema, toldVolumeSchema } from '../api/lenient.ts';

const useSchema = z.object({ kind: z.enum(['endpoint', 'pod', 'template']), id: z.string(), name: z.string() });
/** Something that refers to a resource, which is why that cannot be deleted. */
export type ResourceUse = z.infer<typeof useSchema>;
const usedBy = z.array(useSchema);

export const templateRowSchema = toldTemplateSchema.extend({ usedBy });
export type TemplateRow = z.infer<typeof templateRowSchema>;
/** `folder`: where it lies on the machine of the account; null where that does not tell. */
export const volumeRowSchema = toldVolumeSchema.extend({ usedBy, folder: z.string().nullable() });
export type VolumeRow = z.infer<typeof volumeRowSchema>;
export const registryAuthRowSchema = toldRegistryAuthSchema.extend({ usedBy });
export type RegistryAuthRow = z.infer<typeof registryAuthRowSchema>;

/** All of them as they are now, with what uses them. */
export const resourcesNowSchema = z.object({
  templates: z.array(templateRowSchema),
  volumes: z.array(volumeRowSchema),
  registryAuths: z.array(registryAuthRowSchema),
  /** Why it is not known which Pods use them; null where it is. */
  podsProblem: z.string().nullable(),
  /** Whether the account lets anybody look into its volumes. */
  hasFiles: z.boolean(),
});
export type ResourcesNow = z.infer<typeof resourcesNowSchema>;

const accountRef = z.object({ accountId: z.string() });
const idRef = accountRef.extend({ id: z.string() });
const fileRef = accountRef.extend({ holder: fileHolderSchema, path: volumePathSchema });
const uploadRef = z.object({ uploadId: z.string() });
const place = z.int().min(0);
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
  /** With everything that is in it. */
  removeVolume: oc.input(idRef).output(z.void()),
  createRegistryAuth: oc
    .input(accountRef.extend({ credentials: registryAuthCreateSchema }))
    .output(z.object({ id: z.string() })),
  removeRegistryAuth: oc.input(idRef).output(z.void()),
};

/**
 * Files go both ways in pieces, each asked for once the one before has arrived: neither the page nor the app holds a file. Accounts
 * without files in their volumes are refused with NOT_FOUND; where SSH into a Pod needs an answer first, `question` of the error tells.
 */
export const fileContract = {
  list: oc.input(fileRef).output(volumeListingSchema),
  makeFolder: oc.input(fileRef).output(z.void()),
  move: oc.input(fileRef.extend({ to: volumePathSchema })).output(z.void()),
  remove: oc.input(fileRef).output(z.void()),
  /** The bytes from `from` on, as many as a piece has; fewer at the end of the file. */
  read: oc.input(fileRef.extend({ from: place })).output(z.object({ bytes: z.instanceof(Blob) })),
  /**
   * Pieces are sent from the first byte on. Into a Pod it goes on with what is there of an upload to the same path that was broken off:
   * a file that is another one is refused, with `startsOver` in the error, unless it starts over.
   */
  beginUpload: oc
    .input(
      fileRef.extend({
        sizeBytes: z.int().min(0).max(limits.volumeFiles.uploadBytes),
        /** When the file was changed last, in milliseconds since the epoch. */
        modifiedAt: z.number(),
        replaces: z.boolean(),
        startsOver: z.boolean(),
      }),
    )
    .output(uploadRef),
  /** Answers once the other side has taken it. */
  putPiece: oc.input(uploadRef.extend({ from: place, bytes: piece })).output(z.void()),
  /** Answers once the file is there; until then nothing is to be seen of it. */
  endUpload: oc.input(uploadRef).output(z.void()),
  /** `keeps`: whether it may go on later, which it can into a Pod. */
  cancelUpload: oc.input(uploadRef.extend({ keeps: z.boolean() })).output(z.void()),
  /** Those that were broken off, and that nothing is sent of at the moment. Volumes keep none. */
  unfinished: oc.input(fileRef.omit({ path: true })).output(z.array(unfinishedUploadSchema)),
  /** Removes what is there of it. */
  discardUpload: oc.input(fileRef).output(z.void()),
};
