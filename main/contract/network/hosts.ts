/**
 * Where hosts lead: to this machine only, to all its networks, or to another machine. The page uses this too, without
 * Node.
 */

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const IPV4 = String.raw`127(?:\.${OCTET}){3}`;
const HOST = new RegExp(String.raw`^(?:localhost|${IPV4}|::1|\[::1\])$`, 'i');
const CONNECTION = new RegExp(`^(?:::1|(?:::ffff:)?${IPV4})$`, 'i');

/**
 * Whether a host is the loopback of each machine: `localhost`, `127.x.y.z`, or `::1`, with or without brackets. Names
 * below `localhost` are not among them, and no name that only begins like an address, as `127.example.com`.
 *
 * @param host A host name or an IP address, without a port.
 */
export const isLoopbackHost = (host: string): boolean => HOST.test(host);

/** As `isLoopbackHost`; names below `localhost` count too, which only the machine itself resolves. */
export const isLoopbackName = (host: string): boolean => isLoopbackHost(host) || /.\.localhost$/i.test(host);

/**
 * Whether a connection came over loopback.
 *
 * @param address The address of the other side, as a socket tells it: also IPv4 within IPv6, as `::ffff:127.0.0.1`.
 */
export const isLoopbackConnection = (address: string): boolean => CONNECTION.test(address);

/** Whether a server that listens on this host listens in all networks of its machine. IPv6 with or without brackets. */
export const isEveryNetwork = (host: string): boolean => ['0.0.0.0', '::', '[::]'].includes(host);

/**
 * The host by which this machine reaches a server of its own, as it stands in a URL: IPv6 in brackets.
 *
 * @param host What the server listens on. A wildcard is no address to call: it becomes the one of loopback.
 */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
