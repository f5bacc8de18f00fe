/**
 * Checks of every request to the interface, before anything of it is read: its host name and its origin must be
 * Hangar's.
 */
import type { IncomingMessage } from 'node:http';
import { isLoopbackName } from '#contract/network/hosts.ts';

/**
 * The Host header of a request; undefined without one, and for several: Node keeps the first of them, and a proxy in
 * front of this server may have checked another.
 */
export function hostOf({ rawHeaders, headers }: Pick<IncomingMessage, 'rawHeaders' | 'headers'>): string | undefined {
  const count = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  return count === 1 ? headers.host : undefined;
}

/** The host of a Host header without its port, in lower case; null if it is invalid. */
export function hostNameOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:/?#@\s[\]]+))(?::\d{1,5})?$/i.exec(header);
  return (match?.[1] ?? match?.[2] ?? null)?.toLowerCase() ?? null;
}

/**
 * Another page can point its own name at this server (DNS rebinding), but cannot choose the name that the browser
 * sends. Names that nobody else can own are accepted; all others are refused.
 */
export function isOurHost(header: string | undefined, allowed: readonly string[]): boolean {
  const name = hostNameOf(header);
  if (name === null) return false;
  return isLoopbackName(name) || allowed.includes(name);
}

/** Browsers send an Origin with every WebSocket. The valid origin is the page of this very address. */
export const isOurOrigin = (origin: string | undefined, host: string | undefined): boolean =>
  origin !== undefined && host !== undefined && origin.toLowerCase() === `http://${host.toLowerCase()}`;

/**
 * Headers of every answer. Inline styles are allowed, because Mantine and CodeMirror write style elements; inline
 * scripts are not, but for the one whose hash is `scripts`. WebAssembly decodes images in terminals: only a script that
 * may run can start it, and it makes no script of a text.
 */
export function securityHeaders(host: string, scripts = "'self' 'wasm-unsafe-eval'"): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src ${scripts}`,
      "style-src 'self' 'unsafe-inline'",
      // Bytes of the page itself: no other host is named, so an output reaches none.
      "img-src 'self' data: blob:",
      'media-src blob:',
      "font-src 'self' data:",
      // In some browsers 'self' does not include the WebSocket of the same address.
      `connect-src 'self' ws://${host}`,
      "worker-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
