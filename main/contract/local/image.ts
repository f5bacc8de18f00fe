/** Images that the container engine of a machine has already, in /local/v1. */
import * as z from 'zod';
import { isImageName } from '../api/imageName.ts';

/** One name of an image. An image with several names is there once for each. */
export const localImageSchema = z.looseObject({
  /** The same for all names of one image. Engines of earlier versions do not send it. */
  id: z.string().optional(),
  /** With its tag, as in "ubuntu:24.04"; of an image without a tag its digest or its id, "sha256:…". */
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
  /**
   * The ports that the image says it listens on (EXPOSE), as in "8000/tcp", by their numbers. Missing where it is not
   * known, as from engines of earlier versions.
   */
  ports: z.array(z.string()).optional(),
});
export type LocalImage = z.infer<typeof localImageSchema>;

/** Whether another image has its tag now, as after a build or a pull: its name is its digest or its id. */
export const isUntagged = ({ name }: Pick<LocalImage, 'name'>): boolean => /(?:^|@)sha256:/.test(name);

/** The body of a request to pull an image. */
export const imagePullRequestSchema = z.strictObject({
  /** As in "ubuntu:24.04"; without a tag it is "latest". */
  name: z
    .string()
    .max(1000)
    .refine(isImageName, 'is not the name of an image: write it as in "ubuntu:24.04" or "ghcr.io/me/model:1"'),
  /** The id of the container registry auth whose credentials the registry gets; without it, none. */
  containerRegistryAuthId: z.string().max(100).optional(),
});
export type ImagePullRequest = z.infer<typeof imagePullRequestSchema>;

/** A pull that a person asked for: one that runs, or one of the last that ended. */
export const imagePullSchema = z.looseObject({
  id: z.string(),
  /** The image with its tag. */
  name: z.string(),
  /** The id of the container registry auth whose credentials are used; null without. */
  containerRegistryAuthId: z.string().nullable(),
  state: z.enum(['PULLING', 'DONE', 'FAILED']),
  /** 0 to 100, never decreasing; null before the first layer is known. */
  percent: z.number().nullable(),
  /** Bytes of the download so far; without layers that were here already. */
  downloadedBytes: z.number(),
  /** Bytes of the whole download; null while the size of a layer is unknown. */
  totalBytes: z.number().nullable(),
  /** The layers of the image that are known, and how many of them are complete. */
  layers: z.int(),
  layersDone: z.int(),
  /** Why it failed and what to do; null unless it failed. */
  problem: z.string().nullable(),
  startedAt: z.string(),
  /** Null while it runs. */
  endedAt: z.string().nullable(),
});
export type ImagePull = z.infer<typeof imagePullSchema>;

/** An event of GET /local/v1/images/pulls/events: all pulls as they are now, the newest first. */
export const imagePullsSchema = z.looseObject({ pulls: z.array(imagePullSchema) });
