/**
 * Files of a network volume, and of the running container of a Pod. GET /local/v1/volumes/{id}/files?path= or
 * /local/v1/pods/{podId}/files?path= lists a folder. …/files/content?path= reads (GET, with ranges), writes (PUT,
 * streamed) and deletes (DELETE) a file. POST …/files/folder creates a folder, POST …/files/move renames. GET
 * …/files/events?path= of a volume follows the changes of a folder.
 */
import * as z from 'zod';

/**
 * A path below the volume or the root of a container, with `/` between names; an empty path is the volume or the root
 * itself.
 */
export const volumePathSchema = z.string().max(4096);

/**
 * The holder of files: a volume, the running container of a Pod on an engine of Hangar, the complete file system of
 * another Pod, which Hangar reads over SSH, or on the computer on which Hangar runs the home folder of the person or the
 * folder of a handler. `id`: of the volume, the Pod or the endpoint of the handler; of this computer `home`.
 */
export const fileHolderSchema = z.discriminatedUnion('in', [
  z.object({ in: z.literal('volume'), id: z.string() }),
  z.object({ in: z.literal('container'), id: z.string() }),
  z.object({ in: z.literal('pod'), id: z.string() }),
  z.object({ in: z.literal('computer'), id: z.string() }),
  z.object({ in: z.literal('handler'), id: z.string() }),
]);
export type FileHolder = z.infer<typeof fileHolderSchema>;

/** The holder of the files of this computer; its account is this machine. */
export const THIS_COMPUTER = { in: 'computer', id: 'home' } as const satisfies FileHolder;

export const volumeFileSchema = z.looseObject({
  name: z.string(),
  /** `other`: a link out of the volume or the home folder, a socket, a device: it is listed, but cannot be opened. */
  kind: z.enum(['file', 'folder', 'other']),
  sizeBytes: z.number(),
  modifiedAt: z.string(),
  /** Whether it is a link; the other facts are those of its target. An older engine does not tell. */
  isLink: z.boolean().optional(),
});
export type VolumeFile = z.infer<typeof volumeFileSchema>;

export const volumeListingSchema = z.looseObject({
  path: z.string(),
  entries: z.array(volumeFileSchema),
  /** Whether the folder has more entries than the list. */
  truncated: z.boolean(),
});
export type VolumeListing = z.infer<typeof volumeListingSchema>;

/**
 * An event of GET /local/v1/volumes/{id}/files/events: the folder may have changed, and has to be listed again. The first
 * event comes at once, because its reader does not know what changed before.
 */
export const folderChangeSchema = z.looseObject({});
export type FolderChange = z.infer<typeof folderChangeSchema>;

/** What a search by name has found since the event before, and how far it is. */
export const fileSearchSchema = z.object({
  /** `path`: from the volume or the root of the Pod on. */
  matches: z.array(z.object({ path: volumePathSchema, entry: volumeFileSchema })),
  /** How many folders have been read. */
  folders: z.number(),
  /** How many folders were not searched in full: they could not be read, or have more entries than a list. */
  incomplete: z.number(),
  /** Null while the search goes on. `matches` and `folders`: it ended at a limit, and there may be more. */
  end: z.enum(['all', 'matches', 'folders']).nullable(),
});
export type FileSearch = z.infer<typeof fileSearchSchema>;

/** An interrupted upload into a Pod. It continues when the person chooses the same file again. */
export const unfinishedUploadSchema = z.object({
  path: volumePathSchema,
  sizeBytes: z.number(),
  /** The last change of the uploaded file, in milliseconds since the epoch. */
  modifiedAt: z.number(),
  begunAt: z.number(),
  /** How many bytes are certainly in the Pod. */
  doneBytes: z.number(),
});
export type UnfinishedUpload = z.infer<typeof unfinishedUploadSchema>;

/** What is below a folder of this computer that a person gave to the page. Paths are from that folder on. */
export const grantedFolderSchema = z.object({
  /** `modifiedAt`: in milliseconds since the epoch. */
  files: z.array(z.object({ path: z.string(), sizeBytes: z.number(), modifiedAt: z.number() })),
  /** '': the folder itself is empty. */
  emptyFolders: z.array(z.string()),
  /** Folders that could not be read. */
  unread: z.array(z.string()),
  /** How many entries are not listed: links, which are not followed, and what is neither a file nor a folder. */
  leftOut: z.number(),
});
export type GrantedFolder = z.infer<typeof grantedFolderSchema>;

export const volumePathQuerySchema = z.object({ path: volumePathSchema.default('') });
export const volumeFolderRequestSchema = z.strictObject({ path: volumePathSchema });
export const volumeMoveRequestSchema = z.strictObject({ from: volumePathSchema, to: volumePathSchema });
