/** The host name that the page of one data folder is served under. */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';

/**
 * `hangar-` and eight digits that follow from the data folder's path, below `localhost`. Browsers send the cookies of a host to
 * every port of it, so a page at 127.0.0.1 would show its session to every other server there; no other server has this name.
 */
export function pageNameOf(dataDir: string): string {
  return `hangar-${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 8)}.localhost`;
}

/** Addresses at which every program of this machine has its servers. */
const isBareLoopback = (name: string): boolean => name === 'localhost' || name === '::1' || name.startsWith('127.');

/**
 * Whether a request for the page is sent on to the page's own name: where it came to a bare loopback name, in a browser that is
 * known to find names below `localhost` by itself. Safari asks the system, which on older machines knows none of them.
 */
export const belongsElsewhere = (name: string | null, userAgent = ''): boolean =>
  name !== null && isBareLoopback(name) && /\b(?:Chrome|Chromium|Firefox)\//.test(userAgent);
