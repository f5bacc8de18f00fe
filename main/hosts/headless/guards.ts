/** What every request to the interface must satisfy before anything is read from it: a name that is ours, and an origin that is ours. */
import { isIP } from 'node:net';

/** The host of a Host header without its port, lower case; null when it is not one. */
export function hostNameOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:/?#@\s[\]]+))(?::\d{1,5})?$/i.exec(header);
  return (match?.[1] ?? match?.[2] ?? null)?.toLowerCase() ?? null;
}

/**
 * A page elsewhere can make its own name point here (DNS rebinding), but cannot choose which name the browser sends: names
 * that nobody else can own are let in, all others are not.
 */
export function isOurHost(header: string | undefined, allowed: readonly string[]): boolean {
  const name = hostNameOf(header);
  if (name === null) return false;
  const isLoopback = name === 'localhost' || name.endsWith('.localhost') || name === '::1';
  return isLoopback || (isIP(name) === 4 && name.startsWith('127.')) || allowed.includes(name);
}

/** Browsers send an Origin with every WebSocket; ours is the page that this very address served. */
export const isOurOrigin = (origin: string | undefined, host: string | undefined): boolean =>
  origin !== undefined && host !== undefined && origin.toLowerCase() === `http://${host.toLowerCase()}`;

/** Headers of every answer. Styles may be inline because Mantine and CodeMirror write style elements; scripts may not. */
export function securityHeaders(host: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self' data:",
      // Not every browser lets 'self' stand for the WebSocket of the same address.
      `connect-src 'self' ws://${host}`,
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
