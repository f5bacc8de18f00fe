/** The addresses at which other computers may reach the engine of this computer. */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isEveryNetwork, isLoopbackHost } from '#contract/network/hosts.ts';

export interface ReachableEngine {
  /** Base addresses without a slash at the end, the most likely one first; never empty. */
  addresses: string[];
  /** Whether the engine listens for other computers at all. Otherwise an SSH tunnel is needed. */
  isOpen: boolean;
}

type Interfaces = ReturnType<typeof networkInterfaces>;

const isPrivate = (ip: string): boolean => /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(ip);

const withHost = (address: string, host: string): string => {
  const url = new URL(address);
  return `${url.protocol}//${isIP(host) === 6 ? `[${host}]` : host}:${url.port}`;
};

/** Addresses of this computer in its networks: private IPv4 addresses first, link-local ones never. */
function networkAddresses(interfaces: Interfaces): string[] {
  const outer = Object.values(interfaces).flatMap((list) => list?.filter(({ internal }) => !internal) ?? []);
  const usable = outer.map(({ address }) => address).filter((ip) => !/^(fe80:|169\.254\.)/i.test(ip));
  const rank = (ip: string): number => (isPrivate(ip) ? 0 : isIP(ip) === 4 ? 1 : 2);
  return usable.sort((one, other) => rank(one) - rank(other));
}

/** `address`: where this computer itself reaches its engine. `host`: what the engine listens on. */
export function reachableEngine(
  address: string,
  host: string,
  interfaces: Interfaces = networkInterfaces(),
): ReachableEngine {
  if (isLoopbackHost(host)) return { addresses: [withHost(address, host)], isOpen: false };
  const hosts = isEveryNetwork(host) ? networkAddresses(interfaces) : [host];
  if (hosts.length === 0) return { addresses: [withHost(address, '127.0.0.1')], isOpen: false };
  return { addresses: hosts.map((one) => withHost(address, one)), isOpen: true };
}
