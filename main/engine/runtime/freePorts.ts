/** Ports of this machine that nobody listens on, for workers that run beside each other. */
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
