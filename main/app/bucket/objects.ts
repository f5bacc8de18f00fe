/** The files in the bucket: each call signs, sends, and turns what went wrong into words for a person. */
import type { BucketSettings } from '#contract/app/bucket.ts';
import { AppError } from '#contract/core/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { neverWrite } from '../platform/redaction.ts';
import { exchange, presign, send, type S3Answer, type S3Body, type S3Place } from './s3Client.ts';
import { refusal, unreachable, type S3Action } from './s3Errors.ts';

export interface Objects {
  /** Uploads a file as it arrives. A cancelled upload leaves nothing. */
  put(path: string, file: S3Body & { readonly signal?: AbortSignal }): Promise<void>;
  remove(path: string): Promise<void>;
  /** An address that reads the file without a key, until `expiresAt`. */
  link(path: string): Promise<{ url: string; expiresAt: number }>;
  /** The text of a small file, read by its address, as a worker reads it. */
  readByLink(path: string): Promise<string>;
}

interface ObjectsOptions {
  /** Throws NOT_FOUND without a bucket. */
  settings: () => BucketSettings;
  /** Null if the secret has to be entered. */
  secret: () => Promise<string | null>;
  clock: Clock;
  /** Ends every request when the app stops. */
  stopping: AbortSignal;
}

const HOUR_MS = 3_600_000;

export function createObjects({ settings, secret: readSecret, clock, stopping }: ObjectsOptions): Objects {
  async function place(): Promise<S3Place> {
    const stored = settings();
    const secret = await readSecret();
    if (secret === null) {
      throw new AppError('FORBIDDEN', 'The secret of the bucket is no longer stored. Enter it in Settings, Bucket.');
    }
    neverWrite(secret);
    return { ...stored, secret };
  }

  /** Turns everything but a 2xx answer into an error for a person. An abort keeps its own reason. */
  async function answered(
    at: S3Place,
    action: S3Action,
    signal: AbortSignal,
    run: () => Promise<S3Answer>,
  ): Promise<S3Answer> {
    let answer: S3Answer;
    try {
      answer = await run();
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      throw unreachable(at, thrown);
    }
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw refusal(at, action, answer, clock.now());
  }

  async function link(path: string): Promise<{ url: string; expiresAt: number }> {
    const { linkHours } = settings();
    const now = clock.now();
    const url = await presign(await place(), path, linkHours * (HOUR_MS / 1000), now);
    return { url, expiresAt: now + linkHours * HOUR_MS };
  }

  /** S3 shows a file only after its last byte; some servers that are compatible keep what arrived. */
  async function removePart(at: S3Place, path: string): Promise<void> {
    const removing = send(at, { method: 'DELETE', path, signal: stopping }, clock.now());
    // Nothing is there to remove on most services, and the reason of the broken-off upload is what counts.
    await removing.catch(() => undefined);
  }

  return {
    async put(path, { signal = stopping, ...body }) {
      const at = await place();
      try {
        await answered(at, 'write', signal, () => send(at, { method: 'PUT', path, body, signal }, clock.now()));
      } catch (thrown) {
        if (signal.aborted && !stopping.aborted) await removePart(at, path);
        throw thrown;
      }
    },
    async remove(path) {
      const at = await place();
      await answered(at, 'remove', stopping, () => send(at, { method: 'DELETE', path, signal: stopping }, clock.now()));
    },
    link,
    async readByLink(path) {
      const { url } = await link(path);
      const at = await place();
      const { text } = await answered(at, 'read', stopping, () =>
        exchange(new URL(url), { method: 'GET', headers: {}, signal: stopping }),
      );
      return text;
    },
  };
}
