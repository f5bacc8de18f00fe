/** Downloads the file of an update. If the connection is cut, the next download of the same file continues there. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isMissingFile, systemCode } from '#contract/core/systemCode.ts';
import type { AppUpdater, CancellationToken } from 'electron-updater';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The options that electron-updater passes, as far as they are needed here. */
interface DownloadOptions {
  readonly headers?: Readonly<Record<string, unknown>> | null;
  /** In base64 or in hexadecimal digits; some feeds have none. */
  readonly sha512?: string | null;
  readonly cancellationToken: CancellationToken;
  readonly onProgress?: (progress: { transferred: number; total: number }) => void;
}
type Download = (url: URL, destination: string, options: DownloadOptions) => Promise<string>;

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (!isMissingFile(error)) throw error;
    return 0;
  }
}

async function matches(file: string, sha512: string): Promise<boolean> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  const digest = hash.digest();
  return digest.toString('base64') === sha512 || digest.toString('hex') === sha512;
}

interface Part {
  readonly url: URL;
  readonly file: string;
  /** Bytes of the file that are there already. */
  readonly from: number;
  readonly options: DownloadOptions;
  readonly signal: AbortSignal;
}

/** Calls `onProgress` for each whole percent. `total`: NaN if the server does not say it. */
async function* counting(body: ReadableStream<Uint8Array>, part: Pick<Part, 'from' | 'options'>, total: number) {
  const { from, options } = part;
  let transferred = from;
  let percent = -1;
  for await (const piece of body) {
    transferred += piece.length;
    const now = Math.floor((transferred / total) * 100);
    if (now > percent) {
      options.onProgress?.({ transferred, total });
      percent = now;
    }
    yield piece;
  }
  if (transferred < total) throw new Error(`The download was aborted after ${transferred} of ${total} bytes.`);
}

/** Appends the missing bytes to the file. False: the server does not have them, so the file has to be removed. */
async function append(fetch: Fetch, { url, file, from, options, signal }: Part): Promise<boolean> {
  const headers = new Headers({ 'cache-control': 'no-cache', 'accept-encoding': 'identity' });
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, String(value));
  if (from > 0) headers.set('range', `bytes=${from}-`);
  const { status, body, headers: answered } = await fetch(url.href, { headers, signal, cache: 'no-store' });
  if (status === 416 && from > 0) return false;
  if (status !== 200 && status !== 206) throw new Error(`Cannot download "${url.href}", status ${status}`);
  // A server without ranges sends the whole file.
  const start = status === 206 ? from : 0;
  const total = start + Number(answered.get('content-length') ?? NaN);
  if (body === null) return false;
  const target = createWriteStream(file, { flags: start > 0 ? 'a' : 'w' });
  await pipeline(counting(body, { from: start, options }, total), target, { signal });
  return true;
}

const damaged = (url: URL): Error =>
  Object.assign(new Error(`${url.href} has another checksum than the feed names`), { code: 'ERR_CHECKSUM_MISMATCH' });

/** Downloads to `part`, from its end if it is there. Rejects with ERR_CHECKSUM_MISMATCH for a file that is damaged. */
async function complete(fetch: Fetch, wanted: Omit<Part, 'from'>, sha512: string): Promise<void> {
  for (;;) {
    const from = await sizeOf(wanted.file);
    if ((await append(fetch, { ...wanted, from })) && (await matches(wanted.file, sha512))) return;
    await rm(wanted.file, { force: true });
    if (from === 0) throw damaged(wanted.url);
  }
}

async function downloadTo(fetch: Fetch, destination: string, wanted: Omit<Part, 'from'>, sha512: string) {
  const { file } = wanted;
  await mkdir(dirname(file), { recursive: true });
  // Parts of other versions are not needed any more.
  for (const name of await readdir(dirname(file))) {
    const other = join(dirname(file), name);
    if (other !== file) await rm(other, { recursive: true, force: true });
  }
  try {
    await complete(fetch, wanted, sha512);
    await rename(file, destination);
  } catch (error) {
    const code = systemCode(error);
    // A full disk needs the space back.
    if (code === 'ENOSPC' || code === 'EDQUOT') await rm(file, { force: true });
    throw error;
  }
  return destination;
}

/** The folder for parts, beside the folder of complete downloads, which electron-updater empties after each failure. */
const PARTS = 'partial';

/**
 * Returns a download function in the form of electron-updater. It keeps what has come of a file in a folder beside the
 * one of `destination`, and starts there the next time. `whole` downloads a file without a checksum in the feed.
 */
export function resumedDownload(fetch: Fetch, whole: Download): Download {
  return (url, destination, options) => {
    const { sha512, cancellationToken } = options;
    if (!sha512) return whole(url, destination, options);
    const name = createHash('sha256').update(sha512).digest('hex').slice(0, 32);
    const file = join(dirname(dirname(destination)), PARTS, name);
    return cancellationToken.createPromise<string>((resolve, reject, onCancel) => {
      const abort = new AbortController();
      onCancel(() => abort.abort());
      downloadTo(fetch, destination, { url, file, options, signal: abort.signal }, sha512).then(resolve, reject);
    });
  };
}

/** Makes the updater continue downloads that were cut. `fetch` follows redirections. */
export function resumeDownloads(updater: AppUpdater, fetch: Fetch): void {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- electron-updater declares it as internal
  const { httpExecutor } = updater as unknown as { httpExecutor: { download: Download } };
  httpExecutor.download = resumedDownload(fetch, httpExecutor.download.bind(httpExecutor));
}
