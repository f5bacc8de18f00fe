/**
 * Checks of the head of every request: it asks for a host name of this engine, once, and a change of protocol has no
 * body.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AppError } from '#contract/core/errors.ts';
import { isLoopbackName } from '#contract/network/hosts.ts';
import { hasBody } from './bodies/reader.ts';

export interface HostRule {
  /** Names besides the loopback ones. */
  allowedHosts: readonly string[];
  /** Whether the engine listens on more than loopback, so that clients ask for IP addresses. */
  anyAddress: boolean;
}

const nameOf = (host: string | undefined): string => (host ?? '').replace(/:\d+$/, '').toLowerCase();

/**
 * Whether the engine serves this host name. A web page could point a name of its own at this machine; it is not served.
 */
export function isServedHost(host: string | undefined, { allowedHosts, anyAddress }: HostRule): boolean {
  const name = nameOf(host);
  if (isLoopbackName(name)) return true;
  return allowedHosts.includes(name) || (anyAddress && isIP(name.replace(/^\[|\]$/g, '')) !== 0);
}

/** Throws FORBIDDEN for a host name that is not served. */
export function checkHost(host: string | undefined, rule: HostRule): void {
  if (isServedHost(host, rule)) return;
  throw new AppError(
    'FORBIDDEN',
    `Requests for the host ${JSON.stringify(nameOf(host))} are refused: a web page can point such a name at this machine. Use 127.0.0.1 or localhost, or the address that --host names.`,
  );
}

/**
 * Makes the URL of the request a path. A request line may hold the whole address, as for a proxy: that address then
 * replaces the Host header. Throws BAD_REQUEST for any other form, and for two Host headers.
 */
export function takeOrigin(request: IncomingMessage): void {
  checkOneHost(request);
  const { url: target = '' } = request;
  if (target.startsWith('/') || target === '*') return;
  const url = URL.canParse(target) ? new URL(target) : null;
  if (url?.protocol !== 'http:') {
    throw new AppError('BAD_REQUEST', 'The request line must hold a path, or an http address with one.');
  }
  request.headers.host = url.host;
  request.url = url.pathname + url.search;
}

/** Node takes the first of two Host headers; a server behind this one may take the second. */
function checkOneHost({ rawHeaders }: IncomingMessage): void {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts++;
  if (hosts > 1) throw new AppError('BAD_REQUEST', `The request has ${hosts} Host headers: one says whom it is for.`);
}

/** Throws BAD_REQUEST for a change of protocols with a body: the bytes behind the head belong to the other protocol. */
export function checkUpgrade(request: IncomingMessage): void {
  if (!hasBody(request)) return;
  throw new AppError(
    'BAD_REQUEST',
    'A request that asks to change protocols has no body: leave out Content-Length and Transfer-Encoding.',
  );
}
