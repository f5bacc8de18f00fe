/** What takes how much of the disk of a machine, in /local/v1. */
import * as z from 'zod';

/**
 * `images`: all images of the container engine, also of other programs. `containers`: the writable layers of the
 * containers of Pods and workers. `volumes`: network volumes and the own volumes of Pods. `logs`: what Hangar, its
 * workers and Pods wrote. `databases`: jobs with their requests and results, settings and measurements. `backups`:
 * copies of the databases. `reserve`: room that is kept free, so that running jobs can end on a full disk. `other`:
 * everything else in the data folder.
 */
export const diskPartKinds = [
  'images',
  'containers',
  'volumes',
  'logs',
  'databases',
  'backups',
  'reserve',
  'other',
] as const;

export const diskPartSchema = z.looseObject({
  kind: z.enum(diskPartKinds),
  bytes: z.number(),
  /** How many images, containers or volumes; null for the others. */
  count: z.int().nullable(),
  /** Bytes that a removal of what nothing uses frees at least; only of images. */
  freeableBytes: z.number().nullable(),
  /** False: not all of it could be counted in time, so that it is at least so much. */
  isWhole: z.boolean(),
});
export type DiskPart = z.infer<typeof diskPartSchema>;

export const diskUsageSchema = z.looseObject({
  measuredAt: z.string(),
  /** One disk if it holds both, else two. */
  disks: z.array(
    z.looseObject({
      /** `data`: the data folder of Hangar. `containers`: the images and containers of the container engine. */
      holds: z.array(z.enum(['data', 'containers'])),
      totalBytes: z.number(),
      /** For this program; the system may keep some more for its administrator. */
      freeBytes: z.number(),
    }),
  ),
  /** The largest first; without images and containers where no container engine answers. */
  parts: z.array(diskPartSchema),
  /** Why images and containers are not among the parts; null if they are. */
  containerProblem: z.string().nullable(),
});
export type DiskUsage = z.infer<typeof diskUsageSchema>;
