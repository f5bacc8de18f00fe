/** The host name of the page of one data folder. */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { isLoopbackHost } from '#contract/network/hosts.ts';

/**
 * `hangar-` and eight digits, derived from the data folder's path, below `localhost`. Browsers send the cookies of a
 * host to all its ports, so a page at 127.0.0.1 would reveal its session to every other server there. No other server
 * has this name.
 */
export function pageNameOf(dataDir: string): string {
  return `hangar-${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 8)}.localhost`;
}

/**
 * Whether a request is redirected to the page's own name: if it used a bare loopback name, which all
 * local servers of this machine share, in a browser that resolves names below `localhost` itself. Safari asks the
 * system, and older systems cannot resolve them.
 */
export const belongsElsewhere = (name: string | null, userAgent = ''): boolean =>
  name !== null && isLoopbackHost(name) && /\b(?:Chrome|Chromium|Firefox)\//.test(userAgent);
