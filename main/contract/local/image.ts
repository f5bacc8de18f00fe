/** Images that the container engine of a machine has already, in /local/v1. */
import * as z from 'zod';

/** One name of an image. An image with several names is there once for each. */
export const localImageSchema = z.looseObject({
  /** The same for all names of one image. Engines of earlier versions do not send it. */
  id: z.string().optional(),
  /** With its tag, as in "ubuntu:24.04". */
  name: z.string(),
  /** Bytes on the disk. Layers that images share count for each of them. */
  sizeBytes: z.number(),
  /** When the image was built. */
  createdAt: z.string(),
  /**
   * Names of the containers that were made from it, running or not; an image with containers cannot be removed. Engines
   * of earlier versions do not send it.
   */
  containers: z.array(z.string()).optional(),
});
export type LocalImage = z.infer<typeof localImageSchema>;
