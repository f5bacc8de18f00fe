/** The bucket of an S3-compatible service that takes files which are too large for a request. */
import * as z from 'zod';
import { limits } from '../core/limits.ts';
import { secretKindSchema } from './secretKind.ts';

const { linkHours } = limits.bucket;

/** The record of the bucket. Its secret is in the store of keys and never in this record. */
export const bucketSettingsSchema = z.object({
  /** Address of the service, without the bucket; the app completes and checks it. */
  endpoint: z.string().trim().min(1, 'must not be empty').max(2048),
  /** `us-east-1`, or `auto` for a service without regions. */
  region: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a region such as us-east-1, or auto'),
  bucket: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/, 'must be the name of a bucket: letters, digits, dots, hyphens'),
  /** The folder (prefix) of everything that is uploaded, without slashes at its ends; empty for none. */
  folder: z
    .string()
    .trim()
    .max(512)
    .regex(/^[A-Za-z0-9._/-]*$/, 'may have letters, digits, dots, hyphens, underscores and slashes')
    .refine((folder) => folder.split('/').every((part) => part !== '..' && part !== '.'), 'must not have . or .. in it')
    .transform((folder) => folder.split('/').filter(Boolean).join('/'))
    .default(''),
  accessKeyId: z
    .string()
    .trim()
    .regex(/^[\x21-\x2e\x30-\x7e]{1,256}$/, 'must be the id of an access key, without spaces and slashes'),
  /** How long the address of an uploaded file stays valid. */
  linkHours: z.int().min(linkHours.min).max(linkHours.max).default(linkHours.default),
});
export type BucketSettings = z.output<typeof bucketSettingsSchema>;

export const bucketStateSchema = z.object({
  /** Null if no bucket is set up. */
  settings: bucketSettingsSchema.nullable(),
  /** Where the secret of the access key is stored; null if it has to be entered. */
  keptIn: secretKindSchema.nullable(),
});
export type BucketState = z.output<typeof bucketStateSchema>;

export const bucketCheckSchema = z.object({
  /** What is wrong and what to do; null if files can be uploaded and read. */
  problem: z.string().nullable(),
  /** What does not work besides, such as removing; null if all works. */
  warning: z.string().nullable(),
});
export type BucketCheck = z.output<typeof bucketCheckSchema>;

/** The path of an uploaded file in the bucket: the folder, a random id, and the name of the file. */
export const bucketPathSchema = z
  .string()
  .max(1024)
  .regex(
    /^(?:[A-Za-z0-9._-]+\/)*[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[A-Za-z0-9._-]+$/,
    'must be a file that Hangar has uploaded',
  );

/** A file that Hangar has uploaded to the bucket. */
export const bucketUploadSchema = z.object({
  path: bucketPathSchema,
  /** As the person's file is called. */
  name: z.string(),
  sizeBytes: z.int().min(0),
  /** When its upload ended, in milliseconds since the epoch. */
  uploadedAt: z.number(),
});
export type BucketUpload = z.output<typeof bucketUploadSchema>;
