/** Reads addresses that a person types, and refuses addresses to which no key may be sent. */
import { BlockList, isIP } from 'node:net';
import type { AccountAddresses } from '#contract/app/account.ts';
import { AppError } from '#contract/core/errors.ts';

export type Area = keyof AccountAddresses;

/** Addresses that exist only in a private network: loopback, private, link-local, and ranges of overlay networks. */
const ownNetworks = new BlockList();
for (const [net, bits] of [
  ['127.0.0.0', 8] as const,
  ['10.0.0.0', 8] as const,
  ['172.16.0.0', 12] as const,
  ['192.168.0.0', 16] as const,
  ['169.254.0.0', 16] as const,
  ['100.64.0.0', 10] as const,
] as const) {
  ownNetworks.addSubnet(net, bits, 'ipv4');
}
for (const [net, bits] of [['::1', 128] as const, ['fc00::', 7] as const, ['fe80::', 10] as const] as const) {
  ownNetworks.addSubnet(net, bits, 'ipv6');
}
/** Names that no public name server knows. */
const ownName = /^[^.]+$|\.(localhost|local|lan|internal|home\.arpa)$/i;

function isOwn(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(bare);
  return family === 0 ? ownName.test(bare) : ownNetworks.check(bare, family === 4 ? 'ipv4' : 'ipv6');
}

/** Suffixes that requests append themselves. A person may type them, too. */
const suffixes: Record<Area | 'engine' | 'bucket', RegExp> = {
  jobs: /\/v2$/,
  management: /\/v[12]$/,
  graphql: /\/graphql$/,
  // The service of a bucket has none.
  bucket: /(?!)/,
  engine: /\/(v1|v2|rest\/v2|graphql|local\/v1|health)$/,
};

const refuse = (message: string): AppError => new AppError('BAD_REQUEST', message);

/**
 * The base address, to which requests append their paths. The default scheme is https, or http for an address of a
 * private network. `label` names the address in messages. Throws BAD_REQUEST with the fault.
 */
export function readAddress(typed: string, area: Area | 'engine' | 'bucket', label: string): string {
  const text = typed.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  let url: URL;
  try {
    url = new URL(hasScheme ? text : `https://${text}`);
  } catch {
    throw refuse(`${label}: this is not an address. It looks like https://host or http://127.0.0.1:47800.`);
  }
  if (!hasScheme && isOwn(url.hostname)) url = new URL(`http://${text}`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refuse(`${label}: an address begins with https:// or http://, this one with ${url.protocol}//.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse(`${label}: the address contains a name or a password. Remove it; the key has its own field.`);
  }
  if (url.searchParams.has('pair')) {
    throw refuse(
      `${label}: this is the address of Hangar's page. Enter the address of its engine, which its status bar shows.`,
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw refuse(`${label}: leave out what follows the ${url.search === '' ? '#' : '?'}; an address ends before it.`);
  }
  if (url.protocol === 'http:' && !isOwn(url.hostname)) {
    throw refuse(
      `${label}: http:// would send the key unencrypted to ${url.host}. Use https://. http:// is only for this computer and your own networks.`,
    );
  }
  const path = url.pathname.replace(/\/+$/, '').replace(suffixes[area], '').replace(/\/+$/, '');
  return `${url.origin}${path}`;
}

/** The dialect that the end of a management address names; null if it names none. */
export function dialectOf(management: string): 'v1' | 'v2' | null {
  const version = /\/(v[12])\/*$/.exec(management.trim())?.[1];
  return version === 'v1' || version === 'v2' ? version : null;
}
