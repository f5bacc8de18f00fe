/**
 * Files of a network volume: GET /local/v1/volumes/{id}/files?path= lists a folder, …/files/content?path= reads (GET, with
 * ranges), writes (PUT, the body as it comes) and deletes (DELETE) one; POST …/files/folder makes a folder, …/files/move renames.
 */
import * as z from 'zod';

/** A path below the volume, with `/` between names; empty is the volume itself. */
export const volumePathSchema = z.string().max(4096);

/** What files are looked at in: a volume, or a Pod from the root of its file system on, which goes over SSH. */
export const fileHolderSchema = z.object({ in: z.enum(['volume', 'pod']), id: z.string() });
export type FileHolder = z.infer<typeof fileHolderSchema>;

export const volumeFileSchema = z.looseObject({
  name: z.string(),
  /** `other`: a link out of the volume, a socket, a device: told, and not opened. */
  kind: z.enum(['file', 'folder', 'other']),
  sizeBytes: z.number(),
  modifiedAt: z.string(),
});
export type VolumeFile = z.infer<typeof volumeFileSchema>;

export const volumeListingSchema = z.looseObject({
  path: z.string(),
  entries: z.array(volumeFileSchema),
  /** Whether the folder has more entries than the list. */
  truncated: z.boolean(),
});
export type VolumeListing = z.infer<typeof volumeListingSchema>;

/** An upload into a Pod that was broken off: it goes on when the same file is chosen again. */
export const unfinishedUploadSchema = z.object({
  path: volumePathSchema,
  sizeBytes: z.number(),
  /** Of the file that was on its way, in milliseconds since the epoch. */
  modifiedAt: z.number(),
  begunAt: z.number(),
  /** How much of it is in the Pod for certain. */
  doneBytes: z.number(),
});
export type UnfinishedUpload = z.infer<typeof unfinishedUploadSchema>;

export const volumePathQuerySchema = z.object({ path: volumePathSchema.default('') });
export const volumeFolderRequestSchema = z.strictObject({ path: volumePathSchema });
export const volumeMoveRequestSchema = z.strictObject({ from: volumePathSchema, to: volumePathSchema });
