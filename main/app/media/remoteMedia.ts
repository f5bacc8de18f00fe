/** Loads media from the host that an output names, after the person has agreed to ask that host. */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Clock } from '../platform/clock.ts';

/** A file as its host sends it. `type`: the media type that the host names, or an empty text. */
export interface RemoteMedia {
  bytes: Blob;
  type: string;
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

/** Addresses of one host may lead to each other this often. */
const MOST_REDIRECTS = 5;

/**
 * The answer of the first address that redirects no further. @throws {AppError} UPSTREAM if the host leads to another
 * one, which the person has not agreed to, or refuses.
 */
async function ask(url: URL, signal: AbortSignal, left = MOST_REDIRECTS): Promise<Response> {
  const answer = await fetch(url, { redirect: 'manual', credentials: 'omit', referrerPolicy: 'no-referrer', signal });
  const location = answer.headers.get('location');
  if (!isRedirect(answer.status) || location === null) return answer;
  await answer.body?.cancel();
  if (!URL.canParse(location, url)) throw new AppError('UPSTREAM', `${url.host} leads to an address that is not one.`);
  const next = new URL(location, url);
  const isSame = next.host === url.host && /^https?:$/.test(next.protocol);
  if (isSame && left > 0) return ask(next, signal, left - 1);
  const where = isSame ? 'itself, again and again' : `another host, ${next.host || next.protocol}, which was not asked`;
  throw new AppError('UPSTREAM', `${url.host} leads to ${where}.`);
}

/** Reads a body up to the limit. @throws {AppError} TOO_LARGE beyond it. */
async function readBody(answer: Response, host: string): Promise<Blob> {
  const limit = limits.page.remoteMediaBytes;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    size += piece.byteLength;
    if (size > limit) {
      const words = `${limit / (1024 * 1024)} MB`;
      throw new AppError(
        'TOO_LARGE',
        `The file of ${host} is larger than ${words}. Copy its address and open it there.`,
      );
    }
    pieces.push(piece);
  }
  return new Blob(pieces);
}

/**
 * Loads the file at an http or https address, without a key or a cookie. @throws {AppError} UPSTREAM if the host
 * refuses or redirects to another host, UPSTREAM_TIMEOUT, UNAVAILABLE if it cannot be reached, TOO_LARGE.
 */
export async function loadRemoteMedia(address: string, clock: Clock, signal: AbortSignal): Promise<RemoteMedia> {
  const url = new URL(address);
  const timeout = new AbortController();
  const cancel = clock.after(limits.page.remoteMediaMs, () => timeout.abort());
  try {
    const answer = await ask(url, AbortSignal.any([signal, timeout.signal]));
    if (!answer.ok) {
      await answer.body?.cancel();
      throw new AppError('UPSTREAM', `${url.host} answered ${answer.status}: the file is not there, or needs a key.`);
    }
    const bytes = await readBody(answer, url.host);
    return { bytes, type: answer.headers.get('content-type')?.split(';')[0]?.trim() ?? '' };
  } catch (error) {
    if (error instanceof AppError || signal.aborted) throw error;
    if (timeout.signal.aborted) throw new AppError('UPSTREAM_TIMEOUT', `${url.host} did not send the file in time.`);
    throw new AppError('UNAVAILABLE', `${url.host} cannot be reached from this computer.`, { cause: error });
  } finally {
    cancel();
  }
}
