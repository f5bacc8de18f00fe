/** The page's procedures about the bucket for large inputs; part of the bridge contract. */
import { oc } from '@orpc/contract';
import * as z from 'zod';
import {
  bucketCheckSchema,
  bucketPathSchema,
  bucketSettingsSchema,
  bucketStateSchema,
  bucketUploadSchema,
} from '../../app/bucket.ts';

const fileRef = z.object({ path: bucketPathSchema });

/**
 * The app makes all requests to the bucket: the page reaches no other host. Calls about files are refused with
 * NOT_FOUND without a bucket, and with SECRETS_UNAVAILABLE or FORBIDDEN if its secret cannot be read or has to be
 * entered.
 */
export const bucketContract = {
  state: oc.output(bucketStateSchema),
  /** `secret`: null keeps the stored one. BAD_REQUEST for an address that no key may be sent to. */
  save: oc
    .input(z.object({ settings: bucketSettingsSchema, secret: z.string().trim().min(1).max(1024).nullable() }))
    .output(bucketStateSchema),
  /** Writes, reads and removes a small file. NOT_FOUND without a bucket. */
  check: oc.output(bucketCheckSchema),
  /** Forgets the bucket and its secret. The files in it stay. */
  forget: oc.output(bucketStateSchema),
  /**
   * Begins the upload of a file under a new path; `files.putPiece`, `files.endUpload` and `files.cancelUpload` go on
   * with it. TOO_LARGE above `limits.bucket.uploadBytes`. `type`: its media type, or an empty text.
   */
  beginUpload: oc
    .input(z.object({ name: z.string().max(4096), sizeBytes: z.int().min(0), type: z.string().max(255) }))
    .output(z.object({ uploadId: z.string(), path: bucketPathSchema })),
  /** An address that reads the file without a key, until `expiresAt` (milliseconds since the epoch). */
  link: oc.input(fileRef).output(z.object({ url: z.string(), expiresAt: z.number() })),
  /** The files that were uploaded to this bucket and not removed, newest first; none without a bucket. */
  uploads: oc.output(z.array(bucketUploadSchema)),
  /** Removes an uploaded file from the bucket, and from `uploads`. */
  discard: oc.input(fileRef).output(z.void()),
};
