/** The bucket for inputs that are too large for a request: its record, its secret, and its check. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  bucketSettingsSchema,
  type BucketCheck,
  type BucketSettings,
  type BucketState,
  type BucketUpload,
} from '#contract/app/bucket.ts';
import { AppError, toAppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import * as z from 'zod';
import { readAddress } from '../accounts/address.ts';
import { removeAtomicFile, writeAtomicFile } from '../platform/atomicFile.ts';
import type { Clock } from '../platform/clock.ts';
import { readJsonFile } from '../platform/jsonFile.ts';
import { neverWrite } from '../platform/redaction.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { createObjects, type Objects } from './objects.ts';
import type { S3Body } from './s3Client.ts';
import { createUploadList } from './uploadList.ts';

export interface Bucket {
  state(): BucketState;
  /** `secret`: null keeps the stored one. Rejects with BAD_REQUEST for an address that no key may be sent to. */
  save(settings: BucketSettings, secret: string | null): Promise<BucketState>;
  /**
   * Writes, reads and removes a small file. What is wrong is in the result; rejects with NOT_FOUND without a bucket.
   */
  check(): Promise<BucketCheck>;
  /** Forgets the record and the secret; the files stay. */
  forget(): Promise<BucketState>;
  /** A new path for a file of this name. Throws TOO_LARGE, and NOT_FOUND without a bucket. */
  newPath(name: string, sizeBytes: number): string;
  /** Uploads a file of this name to a path of `newPath`, and lists it. A cancelled upload leaves nothing. */
  upload(file: Pick<BucketUpload, 'path' | 'name'>, body: S3Body & { readonly signal?: AbortSignal }): Promise<void>;
  /** The uploaded files of this bucket that were not removed, newest first. */
  uploads(): BucketUpload[];
  /** Removes an uploaded file from the bucket and from the list. */
  discard(path: string): Promise<void>;
  readonly objects: Objects;
}

interface BucketOptions {
  dataDir: string;
  secrets: Pick<Secrets, 'kind' | 'names' | 'get' | 'set' | 'delete'>;
  clock: Clock;
  /** Ends every request when the app stops. */
  stopping: AbortSignal;
}

/** The name of the secret in the store of keys. */
const SECRET = 'bucket/secret';

/** Loose: an older version keeps the fields of a newer one. */
const fileSchema = z.looseObject(bucketSettingsSchema.shape);

/**
 * The name of a file as the last part of a path. Other letters than these are spelled differently by services, proxies
 * and signatures; the end of the name, which tells the format, stays.
 */
function safeName(name: string): string {
  const safe = name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replaceAll(/[^A-Za-z0-9._-]+/g, '_')
    .slice(-100);
  return /^\.*$/.test(safe) ? 'file' : safe;
}

function refuseTooLarge(sizeBytes: number): void {
  const { uploadBytes } = limits.bucket;
  if (sizeBytes <= uploadBytes) return;
  const gb = (bytes: number): string => (bytes / 1024 ** 3).toFixed(1);
  throw new AppError(
    'TOO_LARGE',
    `The file has ${gb(sizeBytes)} GB. S3 takes at most ${gb(uploadBytes)} GB in one upload. Upload it with another tool, in parts, and pass its address.`,
  );
}

/** The sentence of a failed step; null if it succeeds. */
const failureOf = (step: Promise<void>): Promise<string | null> =>
  step.then(
    () => null,
    (thrown: unknown) => toAppError(thrown).message,
  );

async function checkObjects({ put, readByLink, remove }: Objects, path: string, host: string): Promise<BucketCheck> {
  const text = `Hangar checks this bucket: ${randomUUID()}\n`;
  const body = { pieces: Readable.from([Buffer.from(text)]), lengthBytes: Buffer.byteLength(text), type: 'text/plain' };
  const notWritten = await failureOf(put(path, body));
  if (notWritten !== null) return { problem: notWritten, warning: null };
  const read = async (): Promise<void> => {
    if ((await readByLink(path)) === text) return;
    throw new AppError('UPSTREAM', `${host} returned the small file of the check changed. A proxy may be in between.`);
  };
  const problem = await failureOf(read());
  const notRemoved = await failureOf(remove(path));
  return { problem, warning: notRemoved === null ? null : `${notRemoved} The small file of the check stays: ${path}` };
}

export function createBucket({ dataDir, secrets, clock, stopping }: BucketOptions): Bucket {
  const file = join(dataDir, 'bucket.json');
  const list = createUploadList(dataDir);

  function settings(): BucketSettings | null {
    const stored = readJsonFile(file, fileSchema);
    return stored && bucketSettingsSchema.parse(stored);
  }
  function required(): BucketSettings {
    const stored = settings();
    if (stored !== null) return stored;
    throw new AppError('NOT_FOUND', 'No bucket is set up. Set one up in Settings, Bucket.');
  }
  const state = (): BucketState => ({
    settings: settings(),
    keptIn: secrets.names().includes(SECRET) ? secrets.kind : null,
  });
  const objects = createObjects({ settings: required, secret: () => secrets.get(SECRET), clock, stopping });

  function newPath(name: string, sizeBytes: number): string {
    const { folder } = required();
    refuseTooLarge(sizeBytes);
    return `${folder === '' ? '' : `${folder}/`}${randomUUID()}/${safeName(name)}`;
  }

  return {
    state,
    async save(wanted, secret) {
      const endpoint = readAddress(wanted.endpoint, 'bucket', 'Endpoint');
      // The secret first: a record without its secret would say that files can be uploaded.
      if (secret !== null) {
        neverWrite(secret);
        await secrets.set(SECRET, secret);
      }
      const before = readJsonFile(file, fileSchema) ?? {};
      await writeAtomicFile(file, `${JSON.stringify({ ...before, ...wanted, endpoint }, null, 2)}\n`);
      return state();
    },
    async check() {
      const { endpoint } = required();
      return checkObjects(objects, newPath('hangar-check.txt', 0), new URL(endpoint).host);
    },
    async forget() {
      await removeAtomicFile(file);
      await secrets.delete(SECRET);
      return state();
    },
    newPath,
    async upload({ path, name }, body) {
      const place = required();
      await objects.put(path, body);
      await list.add(place, { path, name, sizeBytes: body.lengthBytes, uploadedAt: clock.now() });
    },
    uploads() {
      const place = settings();
      return place === null ? [] : list.of(place);
    },
    async discard(path) {
      const place = required();
      await objects.remove(path);
      await list.remove(place, path);
    },
    objects,
  };
}
