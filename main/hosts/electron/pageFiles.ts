/** Answers the page's requests from the built files, and says with each answer what the page may do. */
import { readFile } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';
import { isOurs } from './addresses.ts';

/** Styles may be inline because Mantine writes its variables so; scripts never are, and nothing is fetched from elsewhere. */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
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

/** The file a path names, or null for one that leads out of the folder or cannot be a file. */
function fileOf(folder: string, pathname: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    // Not a valid encoding, so not the name of any file of ours.
    return null;
  }
  if (path.includes('\0') || path.includes('\\')) return null;
  const file = resolve(folder, `.${path === '/' ? '/index.html' : path}`);
  return file.startsWith(folder + sep) ? file : null;
}

const refuse = (status: number): Response => new Response(null, { status, headers });

/** `folder` is absolute. Never rejects: what cannot be read is a 404. */
export async function answerPage(folder: string, request: { url: string; method: string }): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  const file = isOurs(request.url) ? fileOf(folder, new URL(request.url).pathname) : null;
  if (!file) return refuse(404);
  try {
    const body = await readFile(file);
    const type = types[extname(file)] ?? 'application/octet-stream';
    return new Response(request.method === 'HEAD' ? null : body, { headers: { ...headers, 'content-type': type } });
  } catch {
    // Missing, or a folder: the answer is 404 without details.
    return refuse(404);
  }
}
