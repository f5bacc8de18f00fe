/** Requests to an S3-compatible service, signed with Signature Version 4, and presigned addresses. */
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import { limits } from '#contract/core/limits.ts';
import { abortReason } from '../platform/clock.ts';

/** A bucket with the key to it. */
export interface S3Place {
  /** Base address of the service, without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secret: string;
}

export interface S3Call {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** The path of the object in the bucket; letters that need no encoding. */
  readonly path: string;
  readonly body?: S3Body;
  readonly signal: AbortSignal;
}

/** `pieces` together have `lengthBytes`. The next one is read only after the service took the one before. */
export interface S3Body {
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly lengthBytes: number;
  /** The media type. */
  readonly type: string;
}

export interface S3Answer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: IncomingMessage['headers'];
  /** At most `limits.bucket.answerBytes`. */
  readonly text: string;
}

/**
 * The bucket stands in the path and not in the host name: AWS, Cloudflare R2, Backblaze and MinIO all take that, and a
 * MinIO at home has no name server and no certificate for a host name of each bucket.
 */
const addressOf = ({ endpoint, bucket }: S3Place, path: string): URL => new URL(`${endpoint}/${bucket}/${path}`);

/** 20130524T000000Z */
const stampOf = (at: number): string => new Date(at).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');

/**
 * Signs with aws4fetch, which has 6 KB and no dependencies. `@aws-sdk/client-s3` would add some hundred packages and
 * several MB to what Hangar ships, for three requests. Its own retries would read the body of a file twice, which
 * arrives once, piece by piece.
 */
const signerOf = (place: S3Place, url: URL, method: S3Call['method'], now: number, signQuery: boolean) =>
  new AwsV4Signer({
    method,
    url: url.href,
    accessKeyId: place.accessKeyId,
    secretAccessKey: place.secret,
    service: 's3',
    region: place.region,
    datetime: stampOf(now),
    signQuery,
  });

/**
 * An address that reads the object without a key for `validS` seconds from `now` on. It is signed here, without a
 * request.
 */
export async function presign(place: S3Place, path: string, validS: number, now: number): Promise<string> {
  const url = addressOf(place, path);
  url.searchParams.set('X-Amz-Expires', String(validS));
  const { url: signed } = await signerOf(place, url, 'GET', now, true).sign();
  return signed.href;
}

/** Sends a signed request. Rejects with the error of the connection, or with the reason of the signal. */
export async function send(place: S3Place, { method, path, body, signal }: S3Call, now: number): Promise<S3Answer> {
  const { url, headers } = await signerOf(place, addressOf(place, path), method, now, false).sign();
  return exchange(url, { method, headers: Object.fromEntries(headers), signal, ...(body && { body }) });
}

interface Exchange {
  readonly method: S3Call['method'];
  readonly headers: Record<string, string>;
  readonly body?: S3Body;
  readonly signal: AbortSignal;
}

async function readText(answer: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer) {
    const bytes: unknown = piece;
    if (!(bytes instanceof Uint8Array)) continue;
    pieces.push(bytes);
    size += bytes.length;
    if (size >= limits.bucket.answerBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, limits.bucket.answerBytes).toString();
}

/**
 * Sends a request to the address and follows no redirect: another host would get the file. A file is sent only after
 * the service has agreed to it (`100 Continue`), so that a refusal arrives in place of a broken connection; a service
 * that does not answer the question gets the file after a moment.
 */
export function exchange(url: URL, { method, headers, body, signal }: Exchange): Promise<S3Answer> {
  const { quietMs, continueMs } = limits.bucket;
  return new Promise((resolve, reject) => {
    const isAsked = body !== undefined && body.lengthBytes > 0;
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method,
      signal,
      // A connection of its own: an upload is rare, and an idle one would keep nothing but a socket.
      agent: false,
      timeout: body === undefined ? quietMs.small : quietMs.upload,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-length': String(body.lengthBytes), 'content-type': body.type }),
        ...(isAsked && { expect: '100-continue' }),
      },
    });
    let begin = (): void => undefined;
    const waiting = setTimeout(() => begin(), continueMs);
    begin = () => {
      clearTimeout(waiting);
      begin = () => undefined;
      // An error of the request itself reaches its own listener.
      if (body !== undefined) {
        pipeline(Readable.from(body.pieces, { objectMode: false }), request).catch((error: unknown) => fail(error));
      }
    };
    function fail(error: unknown): void {
      clearTimeout(waiting);
      request.destroy();
      reject(signal.aborted ? abortReason(signal) : error instanceof Error ? error : new Error(String(error)));
    }
    request.on('continue', () => begin());
    request.on('timeout', () => fail(Object.assign(new Error('The service is silent.'), { code: 'ETIMEDOUT' })));
    request.on('error', fail);
    request.on('response', (answer) => {
      clearTimeout(waiting);
      begin = () => undefined;
      readText(answer).then((text) => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        request.destroy();
      }, fail);
    });
    if (!isAsked) {
      clearTimeout(waiting);
      request.end();
    }
  });
}
