/** What a browser shows of a port of a Pod that does not answer: the reason as a page, which tries again by itself. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorStatus, type AppError } from '#contract/core/errors.ts';

const AGAIN_SECONDS = 5;

/** Whether a person opened the address in a browser: a program, or a script of a page, gets JSON. */
export const isNavigation = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.upgrade === undefined &&
  (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate' &&
  /\btext\/html\b/.test(headers.accept ?? '');

const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const asHtml = (text: string): string => text.replace(/[&<>]/g, (sign) => escaped[sign] ?? sign);

const pageOf = (title: string, reason: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${AGAIN_SECONDS}">
<title>${asHtml(title)}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:560px;margin:15vh auto;padding:0 20px}h1{font-size:18px}</style>
<h1>${asHtml(title)}</h1>
<p>${asHtml(reason)}</p>
<p>This page tries again every ${AGAIN_SECONDS} seconds.</p>
`;

/** Answers with the page. Returns false where an answer has begun already. */
export function sendPortPage(response: ServerResponse, port: number, error: AppError): boolean {
  if (response.destroyed || response.headersSent) return false;
  const html = pageOf(`Port ${port} does not answer`, error.message);
  response.writeHead(errorStatus[error.code], {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(html),
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  });
  response.end(html);
  return true;
}
