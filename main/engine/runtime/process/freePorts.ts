/** Free TCP ports of this machine, for workers and Pods. */
import { createServer, type Server } from 'node:net';

function portOf(server: Server): number {
  const address = server.address();
  // `listen` without a host binds synchronously and does not throw. Without an address it has failed.
  if (address === null || typeof address === 'string') throw new Error('This machine has no free TCP port.');
  return address.port;
}

/** A free port. Throws where there is none. */
export function freePort(): number {
  const server = createServer().listen(0);
  try {
    return portOf(server);
  } finally {
    server.close();
  }
}

/**
 * `count` different free ports. Throws where there are fewer. Another program may take a port before the worker does;
 * then the worker ends, and the next one gets another port. Without a host, the system answers synchronously and
 * returns ports that are free at every address.
 */
export function freePorts(count: number): number[] {
  const servers = Array.from({ length: count }, () => createServer().listen(0));
  try {
    return servers.map(portOf);
  } finally {
    for (const server of servers) server.close();
  }
}

/**
 * Separate ports for a worker that shares the network of the machine: the first one replaces PORT, the last one
 * PORT_HEALTH.
 */
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
      // The name covers both loopback addresses; a server may listen on either.
      return at === undefined ? null : { host: 'localhost', port: at };
    },
  };
}
