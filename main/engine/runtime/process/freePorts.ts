/** Ports of this machine that nobody listens on, for workers and Pods that run beside each other. */
import { createServer, type AddressInfo } from 'node:net';

/**
 * `count` different ones. Nothing keeps another program from taking one before the worker does; the worker then dies of it,
 * and the next one gets another. Without a host the system answers at once, and tells of ports that are free at every address.
 */
export function freePorts(count: number): number[] {
  const servers = Array.from({ length: count }, () => createServer().listen(0));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return ports;
}

/** Ports of its own for a worker that shares this machine's with others: in place of PORT the first, of PORT_HEALTH the last. */
export function ownPorts(ports: readonly number[]): {
  env: Record<string, string>;
  reach(port: number): { host: string; port: number } | null;
} {
  const own = freePorts(ports.length);
  const [first, last] = [own[0], own.at(-1)];
  return {
    env: first === undefined ? {} : { PORT: String(first), PORT_HEALTH: String(last) },
    reach(port) {
      const at = own[ports.indexOf(port)];
      // By its name: a server may listen on either of the addresses that it stands for.
      return at === undefined ? null : { host: 'localhost', port: at };
    },
  };
}
