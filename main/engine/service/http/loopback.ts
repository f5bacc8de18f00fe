/** Tells requests of programs on this machine from those of other machines. */
import { isLoopbackConnection } from '#contract/network/hosts.ts';

/**
 * Whether a request came over loopback. The address of the connection decides. Headers do not count, because a caller
 * can write any header. The answer is false for a connection to another address of this machine, and for one that has
 * ended.
 */
export const cameOverLoopback = ({ socket }: { socket: { remoteAddress?: string | undefined } }): boolean =>
  isLoopbackConnection(socket.remoteAddress ?? '');
