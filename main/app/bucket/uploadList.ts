/** The files that Hangar has uploaded to buckets and nobody has removed, in `<data>/bucket-uploads.json`. */
import { join } from 'node:path';
import * as z from 'zod';
import { bucketUploadSchema, type BucketSettings, type BucketUpload } from '#contract/app/bucket.ts';
import { writeAtomicFile } from '../platform/atomicFile.ts';
import { readJsonFile } from '../platform/jsonFile.ts';

/** Where a file lies: another bucket of another service may have the same path. */
type Place = Pick<BucketSettings, 'endpoint' | 'bucket'>;

export interface UploadList {
  /** Those in this bucket, newest first. */
  of(place: Place): BucketUpload[];
  /** Lists a file. The oldest ones above the bound are forgotten; they stay in their bucket. */
  add(place: Place, upload: BucketUpload): Promise<void>;
  /** Takes a file from the list. */
  remove(place: Place, path: string): Promise<void>;
}

/** Loose: an older version keeps the fields of a newer one. */
const entrySchema = z.looseObject({ ...bucketUploadSchema.shape, endpoint: z.string(), bucket: z.string() });
const fileSchema = z.looseObject({ uploads: z.array(entrySchema) });

/** Files of all buckets together: the list is written as a whole at each upload. */
const MOST_LISTED = 1000;

/** The list in this data folder. `most`: its bound. */
export function createUploadList(dataDir: string, most: number = MOST_LISTED): UploadList {
  const file = join(dataDir, 'bucket-uploads.json');
  /** Changes wait for each other: each reads what the one before has written. */
  let last: Promise<unknown> = Promise.resolve();

  const stored = () => readJsonFile(file, fileSchema) ?? { uploads: [] };

  function change(of: (uploads: z.output<typeof entrySchema>[]) => z.output<typeof entrySchema>[]): Promise<void> {
    const changed = last.then(async () => {
      const before = stored();
      await writeAtomicFile(file, `${JSON.stringify({ ...before, uploads: of(before.uploads) }, null, 2)}\n`);
    });
    last = changed.catch(() => undefined);
    return changed;
  }

  const isIn = (place: Place) => (entry: Place) => entry.endpoint === place.endpoint && entry.bucket === place.bucket;

  return {
    of: (place) => z.array(bucketUploadSchema).parse(stored().uploads.filter(isIn(place))),
    add: ({ endpoint, bucket }, upload) =>
      change((uploads) => [{ ...upload, endpoint, bucket }, ...uploads].slice(0, most)),
    remove: (place, path) =>
      change((uploads) => uploads.filter((entry) => !(isIn(place)(entry) && entry.path === path))),
  };
}
