/** Serves the built files of the page. Every answer has the content policy of the page. */
import { readFile } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';
import type { Logger } from 'pino';
import { isMissingFile, systemCode } from '#contract/core/systemCode.ts';
import { isOurs } from './addresses.ts';

/**
 * Inline styles are allowed because Mantine writes its variables in them. Inline scripts and requests to other hosts
 * are not. WebAssembly decodes images in terminals: only a script that may run can start it, and it makes no script of
 * a text.
 */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  'media-src blob:',
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const headers = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/** The file of a path; null if the path leaves the folder, or cannot be a file. */
function fileOf(folder: string, pathname: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    // An invalid encoding: no file has this name.
    return null;
  }
  if (path.includes('\0') || path.includes('\\')) return null;
  const file = resolve(folder, `.${path === '/' ? '/index.html' : path}`);
  return file.startsWith(folder + sep) ? file : null;
}

/** The path is a folder, or longer than that of any file. */
const NO_FILE: ReadonlySet<string> = new Set(['EISDIR', 'ENAMETOOLONG']);

const refuse = (status: number): Response => new Response(null, { status, headers });

interface PageRequest {
  readonly url: string;
  readonly method: string;
}

/** `folder` is absolute. Never rejects: a file that is missing is a 404, one that cannot be read a 500. */
export async function answerPage(folder: string, request: PageRequest, logger: Logger): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  const file = isOurs(request.url) ? fileOf(folder, new URL(request.url).pathname) : null;
  if (!file) return refuse(404);
  try {
    const body = await readFile(file);
    const type = types[extname(file)] ?? 'application/octet-stream';
    return new Response(request.method === 'HEAD' ? null : body, { headers: { ...headers, 'content-type': type } });
  } catch (error) {
    if (isMissingFile(error) || NO_FILE.has(systemCode(error) ?? '')) return refuse(404);
    logger.error({ err: error, file }, 'a file of the page could not be read');
    return refuse(500);
  }
}
